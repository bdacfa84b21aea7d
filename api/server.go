// Package api serves the REST API over HTTP: it puts the operations of package rest, the streams and the pages behind a
// chain of middleware, validates every request against the contract (openapi.yaml), and answers every error with a
// problem document (RFC 9457).
//
// A request's way: its Host is checked; its body is read to the end, and a request that acts on a game is stamped,
// before anything can queue; then it is limited by address, checked for its origin, authenticated, limited by account,
// validated against the contract, sent to the instance that owns its target if that is another, and looked up by its
// Idempotency-Key. Only then does an operation see it. A request from another instance (package forward) has passed all
// up to there already.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/api/gen"
	"quatuor/api/internal/hosts"
	"quatuor/api/internal/limit"
	"quatuor/api/problem"
	"quatuor/api/rest"
	"quatuor/api/stream"
	"quatuor/engine/table"
)

// Pages are HTML pages that live beside the API; *pages.Pages is them.
type Pages interface {
	// Mount adds the pages' routes.
	Mount(e *echo.Echo)
	// Target returns the target of a route's form: the game or tournament that it acts on.
	Target(route string) command.Target
	// Error answers with a page that explains a status.
	Error(c echo.Context, status int) error
	// CrossOrigin is Error for a form that seems to come from a page of another site.
	CrossOrigin(c echo.Context, status int) error
	// WrongHost is Error for a request under a name that is not the service's.
	WrongHost(c echo.Context, status int) error
}

// Rate limits requests: one per Interval in the long run, and Burst at once. The zero Rate allows everything.
type Rate = limit.Rate

// Limits are the rates of requests of an address and of an account, and how many streams they may have open at once (0
// for any number). For logins see [auth.Limits].
type Limits struct {
	Address Rate
	Account Rate

	AddressStreams int
	AccountStreams int
}

// Config has the server's limits and parts. Rest, Hub and Replies are required.
type Config struct {
	Rest    rest.Config
	Hub     *stream.Hub
	Replies Replies
	Pages   Pages          // nil: the API alone
	Peers   *forward.Peers // exchanges acts with other instances; nil for none

	// Ready returns why requests cannot be served, nil if they can; a nil Ready means always.
	Ready func(context.Context) error
	// Observe is called for every answer, by route: for metrics. It must be quick.
	Observe func(route, method string, status int, took time.Duration)

	Logger  *slog.Logger
	Limits  Limits
	Version string // of the program

	// Shared is set where other instances publish their counts of accounts' requests ([Server.SpentElsewhere]).
	Shared bool

	// Hosts are names and addresses of the service, in addition to this machine's own and private addresses.
	Hosts []string
	// TrustedProxies may name the client in X-Forwarded-For. Without any, the connection's own address counts.
	TrustedProxies []*net.IPNet
	// Secure is set where the public URL is https.
	Secure bool
	// Security is the operator's contact for reports of vulnerabilities.
	Security SecurityContact
}

// Server is the whole service as an http.Handler.
type Server struct {
	echo     *echo.Echo
	guard    *auth.Guard
	tables   *table.Tables
	api      *rest.API
	games    *stream.GameFeed
	events   *stream.TournamentFeed
	account  *stream.AccountFeed
	hub      *stream.Hub
	replies  Replies
	peers    *forward.Peers
	pages    Pages
	ready    func(context.Context) error
	observe  func(route, method string, status int, took time.Duration)
	logger   *slog.Logger
	now      func() time.Time
	healthy  []byte // the answer to probes
	secure   bool
	security SecurityContact
	address  string // public URL, without a slash at its end; "" if it is not known
	contract *contract.Contract
	origins  *http.CrossOriginProtection
	hosts    *hosts.Hosts
	compress echo.MiddlewareFunc

	byAddress, byAccount *limit.Limiter
	streams              streamCount
	unready              readyLog
}

// New returns a server. An error means that the contract built into the program is broken.
func New(d Config) (*Server, error) {
	if d.Rest.Now == nil {
		d.Rest.Now = time.Now
	}
	d.Rest.ProblemOf = func(err error) gen.Problem { return problem.Of(err, "", "") }
	if d.Rest.Presence == nil {
		d.Rest.Presence = d.Hub
	}
	if d.Logger == nil {
		d.Logger = slog.Default()
	}
	s := &Server{
		echo: echo.New(), guard: d.Rest.Guard, tables: d.Rest.Tables, api: rest.New(d.Rest), hub: d.Hub,
		replies: d.Replies, peers: d.Peers, pages: d.Pages, ready: d.Ready, observe: d.Observe, logger: d.Logger,
		now:    d.Rest.Now,
		secure: d.Secure, security: d.Security, address: d.Rest.Address, origins: http.NewCrossOriginProtection(), hosts: hosts.New(d.Hosts...),
		compress:  compression(),
		byAddress: limit.New(d.Limits.Address, d.Rest.Now), byAccount: limit.New(d.Limits.Account, d.Rest.Now),
	}
	if d.Shared {
		s.byAccount.Share()
	}
	if d.Rest.Address != "" {
		if err := s.origins.AddTrustedOrigin(d.Rest.Address); err != nil { // a proxy before the server may not pass Host on
			return nil, fmt.Errorf("the public address: %w", err)
		}
	}
	s.streams.perAddress, s.streams.perAccount = d.Limits.AddressStreams, d.Limits.AccountStreams
	d.Hub.Admit = s.admitStream
	s.games = d.Hub.GameFeed(d.Rest.Tables, s.api.RenderGame)
	s.events = d.Hub.TournamentFeed(d.Rest.Tournaments, s.api.RenderTournament)
	s.account = d.Hub.AccountFeed(d.Rest.Tables, d.Rest.Tournaments, rest.Matters{API: s.api}, s.api.RenderAccountEvent)
	var err error
	if s.contract, err = contract.Load(); err != nil {
		return nil, err
	}
	if s.healthy, err = healthText(d.Version); err != nil {
		return nil, err
	}
	s.configure(d.TrustedProxies)
	s.route()
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		s.serveHead(w, r)
		return
	}
	s.echo.ServeHTTP(w, r)
}

func (s *Server) configure(proxies []*net.IPNet) {
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.Binder = contract.Binder{}
	e.IPExtractor = echo.ExtractIPDirect()
	if len(proxies) > 0 {
		trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
		for _, network := range proxies {
			trust = append(trust, echo.TrustIPRange(network))
		}
		e.IPExtractor = echo.ExtractIPFromXFFHeader(trust...)
	}
	e.Use(s.serve)
}

// operations returns the operations for a request.
func (s *Server) operations(c echo.Context) gen.StrictServerInterface {
	r := c.Request()
	return s.api.For(rest.Request{
		Arrival: requestOf(c).arrival, URL: r.URL,
		Accept: r.Header.Get(echo.HeaderAccept), Languages: r.Header.Get("Accept-Language"),
	})
}

func (s *Server) route() {
	e := s.echo
	gen.RegisterHandlersWithBaseURL(e, gen.NewStrictHandler(s.operations, nil), contract.BasePath)
	e.GET(contract.BasePath+"/games/:game_id/events", s.streamGame)
	e.GET(contract.BasePath+"/me/events", s.streamMe)
	e.GET(contract.BasePath+"/tournaments/:tournament_id/events", s.streamTournament)
	if s.peers != nil {
		e.GET(forward.Path, s.connectInstance) // between instances: no part of the contract
	}
	e.GET(healthPath, s.health)
	e.GET(readyPath, s.readiness)
	e.GET("/openapi.yaml", s.showContract)
	e.GET("/openapi.json", s.showContractJSON)
	e.GET("/.well-known/jwks.json", s.keys)
	e.GET(securityPath, s.securityContact)
	e.GET("/docs", s.docs)
	e.GET("/docs/:file", s.docsFile)
	if s.pages != nil {
		s.pages.Mount(e)
	}
}

// Routes lists the routes, as "METHOD /path/:parameter".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.echo.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}
