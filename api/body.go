package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/problem"
)

// filePages are the pages with forms that take files.
var filePages = []string{"/tournaments/new/import", "/players/import", "/admin/ratings/import"}

const (
	maxBody   = 1 << 20
	maxImport = 16 << 20

	maxPreallocated = 4 << 10 // the largest Content-Length that takes memory before the body arrives
)

// readBody reads the whole body and only then stamps a request that acts on a game: a slow sender gains no time by it,
// and whatever the request queues for afterwards costs the player none.
func (s *Server) readBody(c echo.Context, q *request) error {
	r := c.Request()
	if r.Body != nil && r.Body != http.NoBody {
		text, err := readBounded(r, s.maxBody(r, q.operation))
		if err != nil {
			return err
		}
		q.body.Reset(text)
		r.Body, r.ContentLength = &q.body, int64(len(text))
	}
	q.target = s.targetOf(c, q.operation)
	q.at = s.now()
	if q.target.game {
		q.arrival = s.tables.Arrive(q.target.key)
	}
	return nil
}

// begin makes the request the context of the work on it.
func (s *Server) begin(c echo.Context, q *request) {
	r := c.Request()
	q.identity.Address = auth.AddressKey(q.address)
	q.bind(r.Context())
	if keyOf(r, q.operation) != "" {
		q.Context, q.release = s.replies.Working(q.Context)
	}
	c.SetRequest(r.WithContext(q))
}

// maxBody returns how many bytes a request may send. Large files are taken only from accounts that may import them.
func (s *Server) maxBody(r *http.Request, o *contract.Operation) int64 {
	if !(o != nil && o.TakesFiles || o == nil && r.Method == http.MethodPost && slices.Contains(filePages, r.URL.Path)) {
		return maxBody
	}
	who, err := s.guard.Authenticate(r)
	if err != nil || !who.Can(who.Level(), auth.CreateTournaments) {
		return maxBody
	}
	return maxImport
}

// readBounded returns a body of at most limit bytes. The HTTP server bounds the time that it may take (ReadTimeout).
func readBounded(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, problem.ErrTooLarge
	}
	body, err := readAll(r, limit)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, problem.ErrSlow
	case err != nil:
		return nil, fmt.Errorf("%w: the body ended early", contract.ErrMalformed)
	case int64(len(body)) > limit:
		return nil, problem.ErrTooLarge
	}
	return body, nil
}

// readAll reads a body, a small body in one piece.
func readAll(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > maxPreallocated {
		return io.ReadAll(io.LimitReader(r.Body, limit+1))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}
