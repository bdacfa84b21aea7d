package apitest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Visitor is a browser: it keeps cookies.
type Visitor struct {
	Service *Service
	Cookies map[string]string
}

// Visitor returns a browser without cookies.
func (s *Service) Visitor() *Visitor { return &Visitor{s, map[string]string{}} }

// LoggedIn logs in.
func (s *Service) LoggedIn(login string) *Visitor {
	s.T.Helper()
	v := s.Visitor()
	v.Post("/login", "login", login, "password", Password).Want(s.T, http.StatusSeeOther)
	return v
}

// Get requests a page.
func (v *Visitor) Get(path string, headers ...Header) *Answer {
	v.Service.T.Helper()
	return v.Send(httptest.NewRequestWithContext(v.Service.T.Context(), http.MethodGet, path, nil), headers)
}

// Post sends a form of names and values in turn.
func (v *Visitor) Post(path string, fields ...string) *Answer {
	v.Service.T.Helper()
	return v.Send(v.Service.FormRequest(path, fields...), nil)
}

// FormRequest is the request that sends a form of names and values in turn.
func (s *Service) FormRequest(path string, fields ...string) *http.Request {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(s.T.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// Send sends a request with the cookies, and keeps those of the answer.
func (v *Visitor) Send(r *http.Request, headers []Header) *Answer {
	r.Header.Set("Accept", "text/html")
	for name, value := range v.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for _, h := range headers {
		r.Header.Set(h[0], h[1])
	}
	a := v.Service.Serve(r)
	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		v.Cookies[c.Name] = c.Value
	}
	return a
}

// RedirectsTo demands that a form leads to an address.
func (a *Answer) RedirectsTo(t *testing.T, location string) *Answer {
	t.Helper()
	if a.Status != http.StatusSeeOther || a.Header.Get("Location") != location {
		t.Fatalf("%s: %d to %q, want %q\n%s", a.Request, a.Status, a.Header.Get("Location"), location, AlertIn(a.Raw))
	}
	return a
}

var alerts = regexp.MustCompile(`(?s)role="alert">.*?</p>`)

// AlertIn returns the error message of a page.
func AlertIn(page []byte) string { return string(alerts.Find(page)) }

// Alert demands that a form is refused with a text, in a page.
func (a *Answer) Alert(t *testing.T, status int, text string) *Answer {
	t.Helper()
	if a.Want(t, status); !strings.Contains(AlertIn(a.Raw), text) {
		t.Errorf("%s says %q, want %q", a.Request, AlertIn(a.Raw), text)
	}
	return a
}

// HandedOut returns the code in the address that a page shows once.
func (a *Answer) HandedOut(t testing.TB, name string) string {
	t.Helper()
	found := regexp.MustCompile(name + `=([A-Za-z0-9_-]+)"`).FindSubmatch(a.Raw)
	if found == nil || a.Header.Get("Cache-Control") != "no-store" || !strings.Contains(string(a.Raw), `class="qr"`) {
		t.Fatalf("%s hands out no %s, or a cache keeps it:\n%s", a.Request, name, a.Raw)
	}
	return string(found[1])
}

// SetupForm has the fields of the form that sets a club up, names and values in turn.
var SetupForm = []string{
	"name", "Tuesday Club", "language", "de", "time_zone", "Europe/Berlin", "registration", "invite", "reach", "local",
	"login", "Olga", "password", Password, "player_name", "Olga O.",
}

// RegistrationByClub leaves the right to open an account to the club, as without a flag.
func RegistrationByClub(c *Config) { c.Auth.Registration = "" }
