package api

import (
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/contract"
	"quatuor/api/problem"
)

// logRequest sets the request id, answers errors, and writes the access log and metrics: by route, because paths and
// query strings would reveal what people look at. Probes are logged at debug level only.
func (s *Server) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
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
		level := slog.LevelInfo
		if isProbe(c.Path()) {
			level = slog.LevelDebug
		}
		if !s.logger.Enabled(request.Context(), level) {
			return nil
		}
		s.logger.LogAttrs(request.Context(), level, "request",
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

// recoverPanic turns a panic into an error.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
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

// fixedHeaders are the same in all answers, under their canonical names. Answers share the values, which must not be
// changed: setting a header replaces its value.
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

// secureHeaders sets the security headers and forbids caching answers of the API.
func (s *Server) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		for i := range fixedHeaders {
			h[fixedHeaders[i].name] = fixedHeaders[i].value
		}
		if s.secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(c.Request().URL.Path, contract.BasePath+"/") {
			h["Cache-Control"] = noStore
		}
		return next(c)
	}
}

// checkOrigin refuses cross-site requests (CSRF), which browsers send with cookies.
func (s *Server) checkOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if requestOf(c).forwarded {
			return next(c)
		}
		if err := s.origins.Check(c.Request()); err != nil {
			return fmt.Errorf("%w: %w", problem.ErrCrossOrigin, err)
		}
		return next(c)
	}
}

// authenticate finds the account behind the request.
func (s *Server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
		if q.forwarded {
			return next(c)
		}
		identity, err := s.guard.Authenticate(c.Request())
		if err != nil {
			return err
		}
		q.identity = identity
		return next(c)
	}
}

// shareReads lets pages of other sites read what everyone may read: GETs of the API without credentials. With "*"
// browsers keep answers from pages that send cookies along.
func (s *Server) shareReads(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
			strings.HasPrefix(r.URL.Path, contract.BasePath+"/") &&
			requestOf(c).identity.Anonymous() && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
			h := c.Response().Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		return next(c)
	}
}

// validate checks a request's token and content against the contract. Routes outside the contract (pages) pass, and
// what another instance has checked before it sent it.
func (s *Server) validate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
		if q.operation == nil || q.forwarded {
			return next(c)
		}
		if err := q.operation.Authorize(&q.identity); err != nil {
			return err
		}
		if err := q.operation.Validate(c); err != nil {
			return err
		}
		return next(c)
	}
}
