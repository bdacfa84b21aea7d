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
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/api/internal/clip"
	"quatuor/api/problem"
)

// serve takes a request all the way to its operation and back: a single middleware, so that the order of everything is
// in one place (see answer).
func (s *Server) serve(operate echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := &request{begun: time.Now(), operation: s.contract.Operation(c), address: c.RealIP()}
		act := sentAct(c)
		if act == nil {
			q.id = newRequestID()
		} else {
			q.id = clip.Text(act.RequestID, maxRequestID)
		}
		s.setHeaders(c, q)
		if err := s.answer(c, q, act, operate); err != nil {
			s.handleError(err, c)
		}
		s.logRequest(c, q)
		return nil
	}
}

// answer lets a request pass everything that comes before its operation, and carries it out. act is the request of
// another instance, nil for a client's.
func (s *Server) answer(c echo.Context, q *request, act *forward.Act, operate echo.HandlerFunc) (err error) {
	defer recoverPanic(&err)
	defer q.end()
	if act != nil {
		s.receive(c, q, act)
		s.begin(c, q)
	} else if err := s.admit(c, q); err != nil {
		return err
	}
	if !compressible(c, q) {
		return s.carryOut(c, q, operate)
	}
	return s.compress(func(c echo.Context) error { return s.carryOut(c, q, operate) })(c)
}

// admit lets a client's request pass the checks that another instance's has passed already: host, time of arrival, rate
// of the address, origin, and authentication.
func (s *Server) admit(c echo.Context, q *request) error {
	if err := s.checkHost(c.Request()); err != nil {
		return err
	}
	shareWithTokens(c)
	if err := s.readBody(c, q); err != nil {
		return err
	}
	s.begin(c, q)
	if err := s.limitAddress(c, q); err != nil {
		return err
	}
	if err := s.checkOrigin(c.Request()); err != nil {
		return err
	}
	who, err := s.guard.Authenticate(c.Request())
	if err != nil {
		return err
	}
	who.Address = q.identity.Address
	q.identity = who
	s.shareReads(c, q)
	if err := s.limitAccount(q); err != nil {
		return err
	}
	q.setRateHeaders(c.Response().Header())
	return nil
}

// carryOut validates a request, and carries it out here, or at the instance that owns its target, unless it was
// answered before.
func (s *Server) carryOut(c echo.Context, q *request, operate echo.HandlerFunc) error {
	if isPreflight(c.Request()) {
		return preflight(c)
	}
	if q.operation != nil && !q.forwarded {
		q.operation.Announce(c.Request(), c.Response().Before, c.Response().Header())
	}
	if err := q.validate(c); err != nil {
		return err
	}
	if err := s.confine(c, q); err != nil {
		return err
	}
	if answered, err := s.forwardAct(c, q); answered || err != nil {
		return err
	}
	if q.arrival != nil && q.operation == nil {
		command.SetArrival(c, q.arrival)
	}
	return s.idempotent(c, q, operate)
}

// logRequest writes the access log and metrics: by route, because paths and query strings would reveal the pages that
// people look at. Probes are logged at debug level only.
func (s *Server) logRequest(c echo.Context, q *request) {
	took, ctx := time.Since(q.begun), c.Request().Context()
	method, status := c.Request().Method, c.Response().Status
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
	if !s.logger.Enabled(ctx, level) {
		return
	}
	// without the caller's address, which LogAttrs would look up for every request and which is not logged
	r := slog.NewRecord(q.begun.Add(took), level, "request", 0)
	r.AddAttrs(slog.String("method", method), slog.String("route", c.Path()), slog.Int("status", status),
		slog.Duration("took", took), slog.String("request_id", q.id), slog.String("address", q.address))
	_ = s.logger.Handler().Handle(ctx, r)
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

// recoverPanic turns a panic into an error. It is deferred.
func recoverPanic(err *error) {
	switch r := recover(); r {
	case nil:
	case http.ErrAbortHandler:
		panic(r) // net/http's own way to end a connection
	default:
		*err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
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

var (
	noStore = []string{"no-store"}
	oneYear = []string{"max-age=31536000"}
)

// setHeaders sets the request's id and the security headers, and forbids caching answers of the API.
func (s *Server) setHeaders(c echo.Context, q *request) {
	h := c.Response().Header()
	q.idHeader[0] = q.id
	h[echo.HeaderXRequestID] = q.idHeader[:]
	for i := range fixedHeaders {
		h[fixedHeaders[i].name] = fixedHeaders[i].value
	}
	if s.secure {
		h["Strict-Transport-Security"] = oneYear
	}
	if ofAPI(c.Request()) {
		h["Cache-Control"] = noStore
	}
}

// ofAPI reports whether a request is for the API and not for a page.
func ofAPI(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, contract.BasePath+"/") }

// checkOrigin refuses cross-site requests (CSRF), which browsers send with cookies. A token and no cookie is nothing that
// a browser adds by itself.
func (s *Server) checkOrigin(r *http.Request) error {
	if byTokenAlone(r) {
		return nil
	}
	if err := s.origins.Check(r); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrCrossOrigin, err)
	}
	return nil
}

// validate checks a request's token and content against the contract. Routes outside the contract (pages) pass, and so
// do requests that another instance has checked and sent.
func (q *request) validate(c echo.Context) error {
	if q.operation == nil || q.forwarded {
		return nil
	}
	if err := q.operation.Authorize(&q.identity); err != nil {
		return err
	}
	return q.operation.Validate(c)
}

// checkHost refuses requests under a name that is not the service's. Probes are sent by whatever address a load
// balancer has, and other instances prove themselves.
func (s *Server) checkHost(r *http.Request) error {
	switch r.URL.Path {
	case healthPath, readyPath, forward.Path:
		return nil
	}
	if !s.hosts.Allow(r.Host) {
		return problem.ErrWrongHost
	}
	return nil
}

// AllowsHost reports whether the service answers requests with a Host header.
func (s *Server) AllowsHost(host string) bool { return s.hosts.Allow(host) }

// limitAddress refuses requests from an address beyond its rate.
func (s *Server) limitAddress(c echo.Context, q *request) error {
	if s.peers != nil && c.Path() == forward.Path { // the limit there is for unauthenticated requests
		return nil
	}
	return q.take(s.byAddress, q.identity.Address)
}

// limitAccount refuses requests of an account beyond its rate.
func (s *Server) limitAccount(q *request) error {
	if q.identity.Anonymous() {
		return nil
	}
	return q.take(s.byAccount, q.identity.AccountID)
}

// SpentShare is the fraction (1/n) of its limit that an account may use at an instance before that is published to the
// others.
const SpentShare = 10

// Spent returns the number of requests here since the last call, a second ago, by accounts that made many. It is
// published to the other instances.
func (s *Server) Spent() map[string]int {
	if s.byAccount.Off() {
		return nil
	}
	return s.byAccount.Spent(max(1, int(time.Second/s.byAccount.Rate().Interval)/SpentShare))
}

// SpentElsewhere counts an account's requests to another instance until a time.
func (s *Server) SpentElsewhere(account string, times int, at time.Time) {
	s.byAccount.Charge(account, times, at)
}
