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
	"quatuor/api/apitest"
	"quatuor/api/command"
	"quatuor/api/problem"
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

func offering(ids ...string) func(*api.Config) {
	return func(d *api.Config) { d.Rest.Commands.Offer.Variants = ids }
}

func TestEveryRefusalIsAProblemDocument(t *testing.T) {
	s := apitest.New(t)
	missing := s.Anonymous().Get("/nothing").Refused(t, http.StatusNotFound, "not-found")
	if missing.Text("instance") != "/api/v1/nothing" || missing.Text("request_id") != missing.Header.Get("X-Request-Id") {
		t.Errorf("%s", missing.Raw)
	}
	s.Anonymous().Get("//nowhere").Refused(t, http.StatusNotFound, "not-found")
	method := s.Anonymous().Send(http.MethodPut, "/games", nil).
		Refused(t, http.StatusMethodNotAllowed, "method-not-allowed")
	if allow := method.Header.Get("Allow"); !strings.Contains(allow, "POST") {
		t.Errorf("Allow is %q", allow)
	}
	s.Anonymous().Get("/games?%zz=1").Refused(t, http.StatusBadRequest, "malformed")
	s.Anonymous().Get("/games/"+strings.Repeat("x", 65)).Refused(t, http.StatusBadRequest, "malformed")
	s.Anonymous().Get("/games/%2e%2e%2fetc").Refused(t, http.StatusBadRequest, "malformed")
	s.Anonymous().Get("/games/unknown").Refused(t, http.StatusNotFound, "not-found").Lacks(t, "store")
	s.Anonymous().Send(http.MethodDelete, "/games/unknown", `{"a":1}`).Want(t, http.StatusMethodNotAllowed)
	if head := s.Anonymous().Send(http.MethodHead, "/games/unknown", nil); len(head.Raw) != 0 {
		t.Errorf("HEAD has a body: %s", head.Raw)
	}
}

// TestTheTypeOfAProblemLeadsToItsPage follows the member type of documents that differ in their kind.
func TestTheTypeOfAProblemLeadsToItsPage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada := s.Register("ada")
	for _, refused := range []*apitest.Answer{
		ada.Get("/games/none"), ada.Get("/games?limit=0"), ada.Get("/games?cursor=x"),
		ada.Send(http.MethodPut, "/games", nil),
		ada.Post("/tournaments", apitest.Cup), s.Anonymous().Get("/me"), ada.Post("/games/none/rematch", nil),
	} {
		if refused.Status < http.StatusBadRequest {
			t.Errorf("%s is answered %d", refused.Request, refused.Status)
		}
		s.Anonymous().Get("/"+refused.Text("type")).Want(t, http.StatusOK).
			Has(t, refused.Text("type"), strconv.Itoa(refused.Status))
	}
}

// fewPages replace the HTML pages: a page that panics, another that shows the reader, and the error page.
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

func withPages(c *apitest.Config) { c.Edit = func(d *api.Config) { d.Pages = fewPages{} } }

func TestPanicsAndFailuresAreOnlyLogged(t *testing.T) {
	s := apitest.New(t, withPages)
	for _, path := range []string{"//broken", "//failing"} {
		a := s.Anonymous().Get(path).Refused(t, http.StatusInternalServerError, "internal").Lacks(t, "secret")
		if !strings.Contains(s.Log.String(), a.Text("request_id")) || !strings.Contains(s.Log.String(), "secret of the") {
			t.Errorf("the log does not tell what happened: %s", s.Log)
		}
	}
	if !strings.Contains(s.Log.String(), "problems_test.go") {
		t.Error("the log does not tell where it panicked")
	}
	s.Anonymous().Get("//failing", apitest.Header{"Accept", "text/html"}).Want(t, http.StatusInternalServerError).
		Has(t, "<h1>page</h1>")
	s.Anonymous().Get("/nothing", apitest.Header{"Accept", "text/html"}).Refused(t, http.StatusNotFound, "not-found")
}

func TestTheLogHoldsNoQueryStringsAndNoSecrets(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	ada.Get("/players?name=Somebody").Want(t, http.StatusOK)
	s.Anonymous().Post("/sessions", `{"login":"ada","password":"`+apitest.Password+`"}`).Want(t, http.StatusCreated)
	for _, secret := range []string{"Somebody", apitest.Password, ada.Token, "name="} {
		if strings.Contains(s.Log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if !strings.Contains(s.Log.String(), "route=/api/v1/players ") {
		t.Errorf("the log does not name the route: %s", s.Log)
	}
}

func TestCrossSiteRequestsAreRefused(t *testing.T) {
	s := apitest.New(t, withPages)
	form := func(headers ...apitest.Header) *apitest.Answer {
		headers = append(headers, apitest.Header{"Content-Type", "application/x-www-form-urlencoded"})
		return s.Anonymous().Send(http.MethodPost, "//form", "move=c1-c5", headers...)
	}
	form(apitest.Header{"Sec-Fetch-Site", "same-origin"}).Want(t, http.StatusOK).Has(t, "c1-c5")
	form(apitest.Header{"Sec-Fetch-Site", "cross-site"}).Refused(t, http.StatusForbidden, "cross-origin")
	form(apitest.Header{"Origin", "https://evil.example"}).Refused(t, http.StatusForbidden, "cross-origin")
	s.Anonymous().Post("/replay", `{"variant":"quixo/duel","moves":[]}`, apitest.Header{"Sec-Fetch-Site", "cross-site"}).
		Refused(t, http.StatusForbidden, "cross-origin")
	s.Anonymous().Get("/variants", apitest.Header{"Sec-Fetch-Site", "cross-site"}).Want(t, http.StatusOK)
}

func TestSecurityHeaders(t *testing.T) {
	s := apitest.New(t)
	a := s.Anonymous().Get("/variants").Want(t, http.StatusOK)
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("Content-Security-Policy %q", policy)
	}
}

func TestRequestsAreLimited(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) {
		c.Limits = api.Limits{
			Address: api.Rate{Interval: time.Second, Burst: 6},
			Account: api.Rate{Interval: time.Second, Burst: 2},
		}
	})
	ada := s.Register("ada")
	ok := ada.Get("/variants").Want(t, http.StatusOK)
	if ok.Header.Get("RateLimit-Limit") != "2" || ok.Header.Get("RateLimit-Remaining") != "1" {
		t.Errorf("headers %v", ok.Header)
	}
	ada.Get("/variants").Want(t, http.StatusOK)
	refused := ada.Get("/variants").Refused(t, http.StatusTooManyRequests, "too-many-requests")
	if refused.Header.Get("Retry-After") != "1" {
		t.Errorf("headers %v", refused.Header)
	}
	for range 3 {
		s.Anonymous().Get("/variants").Want(t, http.StatusOK)
	}
	s.Anonymous().Get("/variants").Refused(t, http.StatusTooManyRequests, "too-many-requests")
	// X-Forwarded-For does not help: no proxies are configured as trusted.
	s.Anonymous().Get("/variants", apitest.Header{"X-Forwarded-For", "198.51.100.7"}).
		Refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestEarlyRefusalsHaveTheAddressesLimit sends requests that are refused between the two limiters.
func TestEarlyRefusalsHaveTheAddressesLimit(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) {
		c.Limits = api.Limits{
			Address: api.Rate{Interval: time.Second, Burst: 6},
			Account: api.Rate{Interval: time.Second, Burst: 3},
		}
	})
	ada := s.Register("ada")
	for _, refused := range []*apitest.Answer{
		s.Anonymous().Get("/variants", apitest.Header{"Authorization", "Bearer nonsense"}).
			Refused(t, http.StatusUnauthorized, "unauthorized"),
		ada.Post("/games", `{}`, apitest.Header{"Sec-Fetch-Site", "cross-site"}, apitest.Header{"Cookie", "quatuor=stale"}).Refused(t, http.StatusForbidden, "cross-origin"),
	} {
		if refused.Header.Get("RateLimit-Limit") != "6" || refused.Header.Get("RateLimit-Remaining") == "" {
			t.Errorf("headers %v", refused.Header)
		}
	}
	if refused := ada.Get("/games/none").Refused(t, http.StatusNotFound,
		"not-found"); refused.Header.Get("RateLimit-Limit") != "3" {
		t.Errorf("headers %v", refused.Header)
	}
}

func TestTrustedProxiesNameTheClient(t *testing.T) {
	_, proxies, err := net.ParseCIDR("192.0.2.0/24") // where the requests of tests come from
	if err != nil {
		t.Fatal(err)
	}
	s := apitest.New(t, func(c *apitest.Config) {
		c.Limits = api.Limits{Address: api.Rate{Interval: time.Second, Burst: 1}}
		c.Edit = func(d *api.Config) { d.TrustedProxies = []*net.IPNet{proxies} }
	})
	from := func(address string) *apitest.Answer {
		return s.Anonymous().Get("/variants", apitest.Header{"X-Forwarded-For", address})
	}
	from("198.51.100.7").Want(t, http.StatusOK)
	from("198.51.100.8").Want(t, http.StatusOK)
	from("198.51.100.7").Want(t, http.StatusTooManyRequests)
	from("203.0.113.9, 198.51.100.8").Want(t, http.StatusTooManyRequests) // the client's own word does not count
	from("2001:db8::1").Want(t, http.StatusOK)
	from("2001:db8::2").Want(t, http.StatusTooManyRequests) // the same subscriber
}

// TestProbesAreQuiet checks whether the service is ready as a proxy does, every second: the log has a line when that
// changes.
func TestProbesAreQuiet(t *testing.T) {
	var ready error
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { d.Ready = func(context.Context) error { return ready } }
	})
	probe := func(err error, want int, lines ...string) {
		t.Helper()
		ready = err
		before := len(s.Log.String())
		for range 3 {
			s.Anonymous().Get("//readyz").Want(t, want)
			s.Anonymous().Get("//healthz").Want(t, http.StatusOK)
		}
		log := s.Log.String()[before:]
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
	before := len(s.Log.String())
	s.Anonymous().Get("/players").Want(t, http.StatusOK)
	if log := s.Log.String()[before:]; !strings.Contains(log, "msg=request") {
		t.Errorf("other requests are logged no more: %s", log)
	}
}

func TestOperation(t *testing.T) {
	ready := errors.New("the database is away")
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) {
			d.Version = "1.2.3"
			d.Ready = func(context.Context) error { return ready }
		}
	})
	s.Anonymous().Get("//healthz").Want(t, http.StatusOK).Has(t, `"ok"`, "1.2.3")
	s.Anonymous().Get("//readyz").Refused(t, http.StatusServiceUnavailable, "unavailable").Lacks(t, "database")
	for _, reason := range []error{
		table.ErrUnavailable, table.ErrOffset, problem.ErrStarting, problem.ErrStandstill, problem.ErrMigrating,
		problem.ErrSchema,
	} {
		ready = fmt.Errorf("store: the host db.internal: %w", reason)
		s.Anonymous().Get("//readyz").Refused(t, http.StatusServiceUnavailable, "unavailable").Has(t, reason.Error()).
			Lacks(t, "internal")
	}
	ready = nil
	s.Anonymous().Get("//readyz").Want(t, http.StatusOK)
	s.Anonymous().Get("//openapi.yaml").Want(t, http.StatusOK).Has(t, "openapi: 3.0.3")
	keys := s.Anonymous().Get("//.well-known/jwks.json").Want(t, http.StatusOK)
	if keys.Text("keys", 0, "crv") != "Ed25519" || keys.Text("keys", 0, "x") == "" || keys.At("keys", 0, "d") != nil {
		t.Errorf("%s", keys.Raw)
	}
}

func TestTheDocsNeedNoOtherServer(t *testing.T) {
	s := apitest.New(t)
	page := s.Anonymous().Get("//docs").Want(t, http.StatusOK).Has(t, "/docs/swagger-ui-bundle.js", "/docs/docs.js").
		Lacks(t, "http://", "https://", "<style", "onclick")
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"style-src 'self' 'unsafe-inline'") ||
		!strings.Contains(policy, "script-src 'self';") {
		t.Errorf("Content-Security-Policy %q", policy)
	}
	for _, name := range []string{"docs.js", "docs.css", "swagger-ui.css", "swagger-ui-bundle.js"} {
		a := s.Anonymous().Get("//docs/"+name).Want(t, http.StatusOK)
		if !strings.HasPrefix(name, "swagger") {
			a.Lacks(t, "http://", "https://")
		}
		s.Anonymous().Get("//docs/"+name, apitest.Header{"If-None-Match", a.Header.Get("ETag")}).
			Want(t, http.StatusNotModified)
	}
	for _, name := range []string{"index.html", "nothing.js", "..%2fdocs.go", "swagger-ui.LICENSE.txt"} {
		if a := s.Anonymous().Get("//docs/" + name); a.Status < http.StatusBadRequest {
			t.Errorf("%s is served", name)
		}
	}
}

func TestTheAnswersFitOnARealConnection(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "bearer "+olga.Token)
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s, %v", answer.Status, answer.Header)
	}
}
