package api

import (
	"context"
	"net/http"
	"strconv"
)

// serveHead answers HEAD as GET would be answered, without the body (RFC 9110, 9.3.2), on every address that takes GET.
// An event stream is answered with its header and ended there.
func (s *Server) serveHead(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	asGet := r.WithContext(ctx)
	asGet.Method = http.MethodGet
	head := &headWriter{ResponseWriter: w, stop: stop}
	s.echo.ServeHTTP(head, asGet)
	head.finish()
}

// headWriter drops the body of an answer and counts its bytes. The header is sent at the end, when its length is known.
type headWriter struct {
	http.ResponseWriter
	stop     func() // ends the request's context
	status   int
	length   int
	streamed bool
}

// WriteHeader notes the status of the answer.
func (h *headWriter) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write counts a part of the body.
func (h *headWriter) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	h.length += len(p)
	return len(p), nil
}

// Flush is called for answers that are sent in parts, as streams are: their end need not be awaited.
func (h *headWriter) Flush() {
	h.streamed = true
	h.stop()
}

func (h *headWriter) finish() {
	h.WriteHeader(http.StatusOK)
	header := h.Header()
	if !h.streamed && h.status >= http.StatusOK && h.status != http.StatusNoContent &&
		h.status != http.StatusNotModified &&
		header.Get("Content-Length") == "" {
		header.Set("Content-Length", strconv.Itoa(h.length))
	}
	h.ResponseWriter.WriteHeader(h.status)
}
