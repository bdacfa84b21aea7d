package api

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// watch gives the request its id, answers its error, and notes both in log and metrics: by route, for paths and query
// strings say who looks at what.
func (s *Server) watch(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := time.Now()
		c.Response().Header().Set(echo.HeaderXRequestID, newRequestID())
		if err := next(c); err != nil {
			s.handleError(err, c)
		}
		took := time.Since(begun)
		request, method, status := c.Request(), c.Request().Method, c.Response().Status
		if _, head := c.Response().Writer.(*headWriter); head {
			method = http.MethodHead
		}
		if s.observe != nil {
			s.observe(c.Path(), method, status, took)
		}
		if !s.logger.Enabled(request.Context(), slog.LevelInfo) {
			return nil
		}
		s.logger.LogAttrs(request.Context(), slog.LevelInfo, "request",
			slog.String("method", method), slog.String("route", c.Path()), slog.Int("status", status),
			slog.Duration("took", took), slog.String("request_id", requestID(c)), slog.String("address", c.RealIP()))
		return nil
	}
}

func newRequestID() string {
	var id [12]byte
	a, b := rand.Uint64(), rand.Uint32()
	for i := range 8 {
		id[i] = byte(a >> (8 * i))
	}
	for i := range 4 {
		id[8+i] = byte(b >> (8 * i))
	}
	return hex.EncodeToString(id[:])
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// mend turns a panic into an error.
func (s *Server) mend(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch r := recover(); r {
			case nil:
			case http.ErrAbortHandler:
				panic(r) // net/http's own way to end a connection
			default:
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return next(c)
	}
}

// strictPolicy lets a browser do nothing with an answer but show it. Pages bring their own.
const strictPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// fixedHeaders are the same in all answers, under their canonical names. Answers share the values: who sets a header puts
// another value in its place and leaves these as they are.
var fixedHeaders = []struct {
	name  string
	value []string
}{
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"X-Frame-Options", []string{"DENY"}},
	{"Referrer-Policy", []string{"same-origin"}},
	{"Cross-Origin-Opener-Policy", []string{"same-origin"}},
	{"Cross-Origin-Resource-Policy", []string{"same-origin"}},
	{"Content-Security-Policy", []string{strictPolicy}},
}

var noStore = []string{"no-store"}

func (s *Server) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		for i := range fixedHeaders {
			h[fixedHeaders[i].name] = fixedHeaders[i].value
		}
		if s.secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(c.Request().URL.Path, basePath+"/") {
			h["Cache-Control"] = noStore
		}
		return next(c)
	}
}

const (
	mostBody   = 1 << 20
	mostImport = 16 << 20
)

// importing are the routes that take large files by POST.
var importing = map[string]bool{
	basePath + "/tournaments/import": true,
	basePath + "/players/import":     true,
}

// acting are the routes whose POST requests act on a game at the time at which they arrive.
var acting = map[string]bool{
	basePath + "/games/:game_id/moves":  true,
	basePath + "/games/:game_id/nonce":  true,
	basePath + "/games/:game_id/resign": true,
	basePath + "/games/:game_id/draw":   true,

	basePath + "/games/:game_id/abort":          true,
	basePath + "/games/:game_id/takeback-offer": true,

	basePath + "/games/:game_id/pause":      true,
	basePath + "/games/:game_id/resume":     true,
	basePath + "/games/:game_id/clock":      true,
	basePath + "/games/:game_id/adjudicate": true,
	basePath + "/games/:game_id/forfeit":    true,
	basePath + "/games/:game_id/takeback":   true,
}

// receive reads the whole body and only then stamps a request that acts on a game: who sends slowly gains no time by
// it, and whatever the request queues for afterwards costs the player none.
func (s *Server) receive(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		v := &visit{Context: r.Context(), operation: s.contract.of(c)}
		if r.Body != nil && r.Body != http.NoBody {
			text, err := readBody(r, s.mostBody(r, v.operation))
			if err != nil {
				return err
			}
			v.body.reset(text)
			r.Body, r.ContentLength = &v.body, int64(len(text))
		}
		if v.operation != nil && v.operation.acting {
			v.sender.Arrival = s.tables.Arrive(c.Param("game_id"))
			defer v.sender.Arrival.Done()
		}
		v.at = s.now()
		v.sender.Address = auth.AddressKey(c.RealIP())
		defer s.bound(v)()
		c.SetRequest(r.WithContext(v))
		return next(c)
	}
}

// bound sees that the request's context ends in time; the streams' and the pages' end with their connections.
func (s *Server) bound(v *visit) (end func()) {
	switch {
	case v.operation == nil || v.operation.streaming:
	case v.operation.acting:
		v.lasting = lasting{v.Context, s.deadlines.in(workTime)}
		v.Context = &v.lasting
	default:
		bounded := within(v.Context, workTime)
		v.Context = bounded
		return bounded.end
	}
	return func() {}
}

// wholeBody is a body that has been read.
type wholeBody struct {
	bytes.Reader
	text []byte
}

func (b *wholeBody) reset(text []byte) {
	b.text = text
	b.Reset(text)
}

// Close does nothing.
func (*wholeBody) Close() error { return nil }

// mostBody is how much the sender may send. A large file is taken from nobody but those who may import it.
func (s *Server) mostBody(r *http.Request, o *operation) int64 {
	if o == nil || !o.importing {
		return mostBody
	}
	who, err := s.guard.Authenticate(r)
	if err != nil || !who.Can(who.Level(), auth.CreateTournaments) {
		return mostBody
	}
	return mostImport
}

// readBody reads a body; how long it may take to arrive is the HTTP server's to bound (ReadTimeout).
func readBody(r *http.Request, most int64) ([]byte, error) {
	if r.ContentLength > most {
		return nil, ErrTooLarge
	}
	body, err := readAll(r, most)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, ErrSlow
	case err != nil:
		return nil, fmt.Errorf("%w: the body ended early", ErrMalformed)
	case int64(len(body)) > most:
		return nil, ErrTooLarge
	}
	return body, nil
}

// smallBody is how much room is taken for a body on the sender's word alone.
const smallBody = 4 << 10

// readAll reads a body, a small one in one piece.
func readAll(r *http.Request, most int64) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > smallBody {
		return io.ReadAll(io.LimitReader(r.Body, most+1))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}

func (s *Server) limitAddress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := visitOf(c)
		if err := v.take(s.byAddress, v.sender.Address); err != nil {
			return err
		}
		return next(c)
	}
}

// limitAccount tells the client how much room is left, too: to an account, as an account.
func (s *Server) limitAccount(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := visitOf(c)
		if !v.who.Anonymous() {
			if err := v.take(s.byAccount, v.who.AccountID); err != nil {
				return err
			}
		}
		v.tellRoom(c.Response().Header())
		return next(c)
	}
}

// checkOrigin refuses what a browser was made to ask by another site: cookies go along with such requests.
func (s *Server) checkOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.origins.Check(c.Request()); err != nil {
			return fmt.Errorf("%w: %w", ErrCrossOrigin, err)
		}
		return next(c)
	}
}

// authenticate finds out who is asking.
func (s *Server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		who, err := s.guard.Authenticate(c.Request())
		if err != nil {
			return err
		}
		visitOf(c).who = who
		return next(c)
	}
}
