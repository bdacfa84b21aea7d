package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/api/problem"
)

// filePages are the pages with forms that take files.
var filePages = []string{"/tournaments/new/import", "/admin/ratings/import"}

const (
	maxBody   = 1 << 20
	maxImport = 16 << 20

	maxPreallocated = 4 << 10 // the largest Content-Length for which memory is taken before the body arrives

	workTime = 30 * time.Second // bounds the work on one request
)

// readBody reads the whole body and only then stamps a request that acts on a game: a slow sender gains no time by it,
// and whatever the request queues for afterwards costs the player none.
func (s *Server) readBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if act, sent := r.Context().Value(actKey{}).(*forward.Act); sent {
			return s.receive(c, act, next)
		}
		q := &request{operation: s.contract.Operation(c), id: requestID(c)}
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
			q.sender.Arrival = s.tables.Arrive(q.target.key)
			defer q.sender.Arrival.Done()
		}
		return s.begin(c, q, next)
	}
}

// begin lets the work on a request begin that has been read.
func (s *Server) begin(c echo.Context, q *request, next echo.HandlerFunc) error {
	q.sender.Address = auth.AddressKey(c.RealIP())
	ctx, cancel := bindContext(c.Request().Context(), q)
	defer cancel()
	if keyOf(c.Request(), q.operation) != "" {
		working, release := s.replies.Working(ctx)
		defer release()
		ctx = working
	}
	q.Context = ctx
	c.SetRequest(c.Request().WithContext(q))
	return next(c)
}

// bindContext returns the context of the work on a request. It ends after [workTime]; those of streams and pages end
// with their connections alone. What acts on a game counts once it has arrived, even if the sender hangs up, and so
// does what another instance has sent: its context does not end with the connection.
func bindContext(ctx context.Context, q *request) (context.Context, context.CancelFunc) {
	switch o := q.operation; {
	case q.forwarded, o != nil && o.ActsOnGame:
		ctx = context.WithoutCancel(ctx)
	case o == nil || o.Streaming:
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, workTime)
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

// readBounded returns a body of at most so many bytes; how long it may take to arrive is the HTTP server's to bound
// (ReadTimeout).
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

// readAll reads a body, a small one in one piece.
func readAll(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > maxPreallocated {
		return io.ReadAll(io.LimitReader(r.Body, limit+1))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}
