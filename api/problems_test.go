package api_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api"
	"quatuor/api/command"
	"quatuor/api/problem"
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

func offering(ids ...string) func(*api.Config) {
	return func(d *api.Config) { d.Rest.Commands.Variants = ids }
}

func TestEveryRefusalIsAProblemDocument(t *testing.T) {
	s := newService(t)
	missing := s.anonymous().get("/nothing").refused(t, http.StatusNotFound, "not-found")
	if missing.text("instance") != "/api/v1/nothing" || missing.text("request_id") != missing.header.Get("X-Request-Id") {
		t.Errorf("%s", missing.raw)
	}
	s.anonymous().get("//nowhere").refused(t, http.StatusNotFound, "not-found")
	method := s.anonymous().send(http.MethodPut, "/games", nil).
		refused(t, http.StatusMethodNotAllowed, "method-not-allowed")
	if allow := method.header.Get("Allow"); !strings.Contains(allow, "POST") {
		t.Errorf("Allow is %q", allow)
	}
	s.anonymous().get("/games?%zz=1").refused(t, http.StatusBadRequest, "malformed")
	s.anonymous().get("/games/"+strings.Repeat("x", 65)).refused(t, http.StatusBadRequest, "malformed")
	s.anonymous().get("/games/%2e%2e%2fetc").refused(t, http.StatusBadRequest, "malformed")
	s.anonymous().get("/games/unknown").refused(t, http.StatusNotFound, "not-found").lacks(t, "store")
	s.anonymous().send(http.MethodDelete, "/games/unknown", `{"a":1}`).want(t, http.StatusMethodNotAllowed)
	if head := s.anonymous().send(http.MethodHead, "/games/unknown", nil); len(head.raw) != 0 {
		t.Errorf("HEAD has a body: %s", head.raw)
	}
}

// TestTheTypeOfAProblemLeadsToItsPage follows the member type of documents that differ in their kind.
func TestTheTypeOfAProblemLeadsToItsPage(t *testing.T) {
	s := newService(t, withRealPages)
	ada := s.register("ada")
	for _, refused := range []*answer{
		ada.get("/games/none"), ada.get("/games?limit=0"), ada.get("/games?cursor=x"),
		ada.send(http.MethodPut, "/games", nil),
		ada.post("/tournaments", cup), s.anonymous().get("/me"), ada.post("/games/none/rematch", nil),
	} {
		if refused.status < http.StatusBadRequest {
			t.Errorf("%s is answered %d", refused.what, refused.status)
		}
		s.anonymous().get("/"+refused.text("type")).want(t, http.StatusOK).
			has(t, refused.text("type"), strconv.Itoa(refused.status))
	}
}

// fewPages replace the HTML pages: one that panics, one that shows the reader, and the error page.
type fewPages struct{}

func (fewPages) Mount(e *echo.Echo) {
	e.GET("/broken", func(echo.Context) error { panic("secret of the panic") })
	e.GET("/failing", func(echo.Context) error { return errors.New("secret of the error") })
	e.POST("/form", func(c echo.Context) error { return c.String(http.StatusOK, c.FormValue("move")) })
}

func (fewPages) Error(c echo.Context, status int) error { return c.HTML(status, "<h1>page</h1>") }

func (fewPages) Target(string) command.Target { return command.OnNothing }

func (fewPages) CrossOrigin(c echo.Context, status int) error {
	return c.HTML(status, "<h1>other site</h1>")
}

func (fewPages) WrongHost(c echo.Context, status int) error {
	return c.HTML(status, "<h1>other site</h1>")
}

func withPages(c *configuration) { c.edit = func(d *api.Config) { d.Pages = fewPages{} } }

func TestPanicsAndFailuresAreOnlyLogged(t *testing.T) {
	s := newService(t, withPages)
	for _, path := range []string{"//broken", "//failing"} {
		a := s.anonymous().get(path).refused(t, http.StatusInternalServerError, "internal").lacks(t, "secret")
		if !strings.Contains(s.log.String(), a.text("request_id")) || !strings.Contains(s.log.String(), "secret of the") {
			t.Errorf("the log does not tell what happened: %s", s.log)
		}
	}
	if !strings.Contains(s.log.String(), "problems_test.go") {
		t.Error("the log does not tell where it panicked")
	}
	s.anonymous().get("//failing", header{"Accept", "text/html"}).want(t, http.StatusInternalServerError).
		has(t, "<h1>page</h1>")
	s.anonymous().get("/nothing", header{"Accept", "text/html"}).refused(t, http.StatusNotFound, "not-found")
}

func TestTheLogHoldsNoQueryStringsAndNoSecrets(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	ada.get("/players?name=Somebody").want(t, http.StatusOK)
	s.anonymous().post("/sessions", `{"login":"ada","password":"`+password+`"}`).want(t, http.StatusCreated)
	for _, secret := range []string{"Somebody", password, ada.token, "name="} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if !strings.Contains(s.log.String(), "route=/api/v1/players ") {
		t.Errorf("the log does not name the route: %s", s.log)
	}
}

func TestCrossSiteRequestsAreRefused(t *testing.T) {
	s := newService(t, withPages)
	form := func(headers ...header) *answer {
		headers = append(headers, header{"Content-Type", "application/x-www-form-urlencoded"})
		return s.anonymous().send(http.MethodPost, "//form", "move=c1-c5", headers...)
	}
	form(header{"Sec-Fetch-Site", "same-origin"}).want(t, http.StatusOK).has(t, "c1-c5")
	form(header{"Sec-Fetch-Site", "cross-site"}).refused(t, http.StatusForbidden, "cross-origin")
	form(header{"Origin", "https://evil.example"}).refused(t, http.StatusForbidden, "cross-origin")
	s.anonymous().post("/replay", `{"variant":"quixo/duel","moves":[]}`, header{"Sec-Fetch-Site", "cross-site"}).
		refused(t, http.StatusForbidden, "cross-origin")
	s.anonymous().get("/variants", header{"Sec-Fetch-Site", "cross-site"}).want(t, http.StatusOK)
}

func TestSecurityHeaders(t *testing.T) {
	s := newService(t)
	a := s.anonymous().get("/variants").want(t, http.StatusOK)
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("Content-Security-Policy %q", policy)
	}
}

func TestRequestsAreLimited(t *testing.T) {
	s := newService(t, func(c *configuration) {
		c.limits = api.Limits{Address: api.Rate{Interval: time.Second, Burst: 6}, Account: api.Rate{Interval: time.Second, Burst: 2}}
	})
	ada := s.register("ada")
	ok := ada.get("/variants").want(t, http.StatusOK)
	if ok.header.Get("RateLimit-Limit") != "2" || ok.header.Get("RateLimit-Remaining") != "1" {
		t.Errorf("headers %v", ok.header)
	}
	ada.get("/variants").want(t, http.StatusOK)
	refused := ada.get("/variants").refused(t, http.StatusTooManyRequests, "too-many-requests")
	if refused.header.Get("Retry-After") != "1" {
		t.Errorf("headers %v", refused.header)
	}
	for range 3 {
		s.anonymous().get("/variants").want(t, http.StatusOK)
	}
	s.anonymous().get("/variants").refused(t, http.StatusTooManyRequests, "too-many-requests")
	// X-Forwarded-For does not help: no proxies are configured as trusted.
	s.anonymous().get("/variants", header{"X-Forwarded-For", "198.51.100.7"}).
		refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestEarlyRefusalsHaveTheAddressesLimit sends requests that are refused between the two limiters.
func TestEarlyRefusalsHaveTheAddressesLimit(t *testing.T) {
	s := newService(t, func(c *configuration) {
		c.limits = api.Limits{Address: api.Rate{Interval: time.Second, Burst: 6}, Account: api.Rate{Interval: time.Second, Burst: 3}}
	})
	ada := s.register("ada")
	for _, refused := range []*answer{
		s.anonymous().get("/variants", header{"Authorization", "Bearer nonsense"}).
			refused(t, http.StatusUnauthorized, "unauthorized"),
		ada.post("/games", `{}`, header{"Sec-Fetch-Site", "cross-site"}, header{"Cookie", "quatuor=stale"}).refused(t, http.StatusForbidden, "cross-origin"),
	} {
		if refused.header.Get("RateLimit-Limit") != "6" || refused.header.Get("RateLimit-Remaining") == "" {
			t.Errorf("headers %v", refused.header)
		}
	}
	if refused := ada.get("/games/none").refused(t, http.StatusNotFound,
		"not-found"); refused.header.Get("RateLimit-Limit") != "3" {
		t.Errorf("headers %v", refused.header)
	}
}

func TestTrustedProxiesNameTheClient(t *testing.T) {
	_, proxies, err := net.ParseCIDR("192.0.2.0/24") // where the requests of tests come from
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, func(c *configuration) {
		c.limits = api.Limits{Address: api.Rate{Interval: time.Second, Burst: 1}}
		c.edit = func(d *api.Config) { d.TrustedProxies = []*net.IPNet{proxies} }
	})
	from := func(address string) *answer {
		return s.anonymous().get("/variants", header{"X-Forwarded-For", address})
	}
	from("198.51.100.7").want(t, http.StatusOK)
	from("198.51.100.8").want(t, http.StatusOK)
	from("198.51.100.7").want(t, http.StatusTooManyRequests)
	from("203.0.113.9, 198.51.100.8").want(t, http.StatusTooManyRequests) // the client's own word does not count
	from("2001:db8::1").want(t, http.StatusOK)
	from("2001:db8::2").want(t, http.StatusTooManyRequests) // one subscriber
}

// TestProbesAreQuiet checks whether the service is ready as a proxy does, every second: the log has a line when that
// changes.
func TestProbesAreQuiet(t *testing.T) {
	var ready error
	s := newService(t, func(c *configuration) {
		c.edit = func(d *api.Config) { d.Ready = func(context.Context) error { return ready } }
	})
	probe := func(err error, want int, lines ...string) {
		t.Helper()
		ready = err
		before := len(s.log.String())
		for range 3 {
			s.anonymous().get("//readyz").want(t, want)
			s.anonymous().get("//healthz").want(t, http.StatusOK)
		}
		log := s.log.String()[before:]
		if strings.Count(log, "\n") != len(lines) {
			t.Errorf("ready: %v; the log has\n%s", err, log)
		}
		for _, line := range lines {
			if !strings.Contains(log, "level=WARN msg="+line) {
				t.Errorf("ready: %v; no %s in\n%s", err, line, log)
			}
		}
	}
	probe(nil, http.StatusOK)
	probe(fmt.Errorf("store: %w", table.ErrUnavailable), http.StatusServiceUnavailable, `"not ready"`)
	probe(fmt.Errorf("store: again: %w", table.ErrUnavailable), http.StatusServiceUnavailable)
	probe(problem.ErrStandstill, http.StatusServiceUnavailable, `"not ready"`)
	probe(nil, http.StatusOK, `"ready again"`)
	before := len(s.log.String())
	s.anonymous().get("/players").want(t, http.StatusOK)
	if log := s.log.String()[before:]; !strings.Contains(log, "msg=request") {
		t.Errorf("other requests are logged no more: %s", log)
	}
}

func TestOperation(t *testing.T) {
	ready := errors.New("the database is away")
	s := newService(t, func(c *configuration) {
		c.edit = func(d *api.Config) {
			d.Version = "1.2.3"
			d.Ready = func(context.Context) error { return ready }
		}
	})
	s.anonymous().get("//healthz").want(t, http.StatusOK).has(t, `"ok"`, "1.2.3")
	s.anonymous().get("//readyz").refused(t, http.StatusServiceUnavailable, "unavailable").lacks(t, "database")
	for _, reason := range []error{
		table.ErrUnavailable, table.ErrOffset, problem.ErrStarting, problem.ErrStandstill, problem.ErrMigrating,
		problem.ErrSchema,
	} {
		ready = fmt.Errorf("store: the host db.internal: %w", reason)
		s.anonymous().get("//readyz").refused(t, http.StatusServiceUnavailable, "unavailable").has(t, reason.Error()).
			lacks(t, "internal")
	}
	ready = nil
	s.anonymous().get("//readyz").want(t, http.StatusOK)
	s.anonymous().get("//openapi.yaml").want(t, http.StatusOK).has(t, "openapi: 3.0.3")
	keys := s.anonymous().get("//.well-known/jwks.json").want(t, http.StatusOK)
	if keys.text("keys", 0, "crv") != "Ed25519" || keys.text("keys", 0, "x") == "" || keys.at("keys", 0, "d") != nil {
		t.Errorf("%s", keys.raw)
	}
}

func TestTheDocsNeedNoOtherServer(t *testing.T) {
	s := newService(t)
	page := s.anonymous().get("//docs").want(t, http.StatusOK).has(t, "/docs/swagger-ui-bundle.js", "/docs/docs.js").
		lacks(t, "http://", "https://", "<style", "onclick")
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"style-src 'self' 'unsafe-inline'") ||
		!strings.Contains(policy, "script-src 'self';") {
		t.Errorf("Content-Security-Policy %q", policy)
	}
	for _, name := range []string{"docs.js", "docs.css", "swagger-ui.css", "swagger-ui-bundle.js"} {
		a := s.anonymous().get("//docs/"+name).want(t, http.StatusOK)
		if !strings.HasPrefix(name, "swagger") {
			a.lacks(t, "http://", "https://")
		}
		s.anonymous().get("//docs/"+name, header{"If-None-Match", a.header.Get("ETag")}).want(t, http.StatusNotModified)
	}
	for _, name := range []string{"index.html", "nothing.js", "..%2fdocs.go", "swagger-ui.LICENSE.txt"} {
		if a := s.anonymous().get("//docs/" + name); a.status < http.StatusBadRequest {
			t.Errorf("%s is served", name)
		}
	}
}

func TestTheAnswersFitOnARealConnection(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	server := httptest.NewServer(s.server)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "bearer "+olga.token)
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s, %v", answer.Status, answer.Header)
	}
}
