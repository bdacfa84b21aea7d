package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"quatuor/api/contract"
)

// compressFrom is the least size of an answer that is compressed, in bytes. A shorter answer fits into a packet anyway.
const compressFrom = 1024

// compression compresses (gzip) answers to requests without a session or token; see compressible.
//
// The length of a compressed answer shows how well its parts repeat each other: an attacker that controls a part, by a
// parameter or a name, and sees the length of what another browser is sent, can guess a secret in it byte by byte
// (BREACH). An answer to a visitor without a session or token holds no secrets, so its length leaks none. The pages of
// codes on slips are the exception: their address is a secret. All other answers are sent uncompressed. Static files,
// the same for everyone, are compressed by the pages themselves. Streams are not compressed: they send little, and at
// once.
func compression() echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{MinLength: compressFrom})
}

// compressible reports whether the answer to a request may be compressed.
func compressible(c echo.Context, q *request) bool {
	r, route := c.Request(), c.Path()
	return q.identity.Anonymous() && r.Method == http.MethodGet && withoutCredentials(r) &&
		!strings.HasSuffix(route, "/live") && !strings.HasSuffix(route, "/events") && !strings.HasPrefix(route, "/static/") &&
		!strings.HasPrefix(route, "/r/") && !strings.HasPrefix(route, contract.BasePath+"/results/")
}

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
