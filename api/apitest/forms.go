package apitest

import (
	"bytes"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Upload sends a form with a file, as a browser does.
func (p Person) Upload(path, field, content string, fields url.Values) *Answer {
	p.Service.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, values := range fields {
		if err := w.WriteField(name, values[0]); err != nil {
			p.Service.T.Fatal(err)
		}
	}
	part, err := w.CreateFormFile(field, "file.txt")
	if err != nil {
		p.Service.T.Fatal(err)
	}
	if _, err := part.Write([]byte(content)); err != nil {
		p.Service.T.Fatal(err)
	}
	if err := w.Close(); err != nil {
		p.Service.T.Fatal(err)
	}
	r := httptest.NewRequestWithContext(p.Service.T.Context(), http.MethodPost, path, &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+p.Token)
	return p.Service.Serve(r)
}

// PostForm sends a form of a page, as a browser does.
func (p Person) PostForm(path string, fields url.Values, headers ...Header) *Answer {
	p.Service.T.Helper()
	r := httptest.NewRequestWithContext(p.Service.T.Context(), http.MethodPost, path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, h := range headers {
		r.Header.Set(h[0], h[1])
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	return p.Service.Serve(r)
}

// Page returns a page as people read it, with entities replaced.
func (a *Answer) Page() string { return html.UnescapeString(string(a.Raw)) }

// Says fails unless the page has all of the texts.
func (a *Answer) Says(t *testing.T, texts ...string) *Answer {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.Page(), text) {
			t.Fatalf("%s: the page does not say %q:\n%s", a.Request, text, a.Page())
		}
	}
	return a
}

// Draft prepares a Swiss of five rounds over REST, and returns its id.
func (p Person) Draft(name string) string {
	p.Service.T.Helper()
	return p.Post("/tournaments", map[string]any{
		"name": name, "variant": "quixo/duel", "format": "swiss", "rounds": 5, "time_control": "none",
	}).Want(p.Service.T, http.StatusCreated).Text("id")
}

// ReportFile returns the report file of a tournament of four entries and two rounds, the first of them paired.
func (p Person) ReportFile(name string) string {
	p.Service.T.Helper()
	from := p.Draft(name)
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		p.Post("/tournaments/"+from+"/entries", map[string]any{"name": name}).Want(p.Service.T, http.StatusCreated)
	}
	p.Send(http.MethodPatch, "/tournaments/"+from, map[string]any{"rounds": 2}, Header{"If-Match", "*"}).
		Want(p.Service.T, http.StatusOK)
	p.Post("/tournaments/"+from+"/start", nil).Want(p.Service.T, http.StatusOK)
	p.Post("/tournaments/"+from+"/rounds", nil).Want(p.Service.T, http.StatusCreated)
	return string(p.Get("/tournaments/"+from+"/export?format=trf").Want(p.Service.T, http.StatusOK).Raw)
}

// MakePlayer returns the id of a new player without an account.
func MakePlayer(t *testing.T, by Person, name string) string {
	t.Helper()
	return by.Post("/players", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id")
}

// HiddenField returns the value of a hidden field of a page.
func (a *Answer) HiddenField(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)name="` + name + `" value="(.*?)"`).FindSubmatch(a.Raw)
	if found == nil {
		t.Fatalf("%s: no field %s\n%s", a.Request, name, a.Raw)
	}
	return Unescape.Replace(string(found[1]))
}

// Unescape replaces the entities in an attribute of a page.
var Unescape = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+", "&amp;", "&")

// Value returns the value of the first hidden field with a name.
func (a *Answer) Value(name string) string {
	_, rest, _ := strings.Cut(string(a.Raw), `name="`+name+`" value="`)
	text, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(text)
}

// NewTournamentForm returns the fields of the form for a new tournament, with the key that the page gave.
func (p Person) NewTournamentForm(fields map[string]string) url.Values {
	p.Service.T.Helper()
	_, rest, _ := strings.Cut(p.Get("//tournaments/new").Want(p.Service.T, http.StatusOK).Page(), `name="key" value="`)
	key, _, _ := strings.Cut(rest, `"`)
	out := url.Values{
		"key": {key}, "sent": {"1"}, "name": {"Thursday"}, "variant": {"quixo/duel"}, "venue": {"hall"}, "format": {"swiss"},
		"control": {"none"},
	}
	for name, value := range fields {
		out.Set(name, value)
	}
	return out
}

// AsCSV is the header of a body that is a table.
var AsCSV = Header{"Content-Type", "text/csv"}

// LetOrganisersReset decides whether organisers may reset passwords.
func (s *Service) LetOrganisersReset(root Person, may bool) {
	s.T.Helper()
	now := root.Get("/settings").Want(s.T, http.StatusOK)
	body := map[string]any{"name": "Club", "organisers_reset": may}
	root.Send(http.MethodPatch, "/settings", body, now.IfMatch()).Want(s.T, http.StatusOK).
		Has(s.T, fmt.Sprintf(`"organisers_reset":%v`, may))
	s.Pass(time.Second) // the TTL of the cached settings
}

// TokenIn makes an API token for a tournament.
func (p Person) TokenIn(tournament string, scopes ...string) Person {
	p.Service.T.Helper()
	made := p.Post("/me/tokens", map[string]any{"name": "test", "scopes": scopes, "tournament_id": tournament}).
		Want(p.Service.T, http.StatusCreated)
	p.Token = made.Text("token")
	return p
}

// CreateBy sends the form for a new tournament and returns its id.
func (p Person) CreateBy(t *testing.T, form url.Values) string {
	t.Helper()
	to := p.PostForm("/tournaments/new", form).Want(t, http.StatusSeeOther).Header.Get("Location")
	id, _, _ := strings.Cut(strings.TrimPrefix(to, "/tournaments/"), "/")
	return id
}

// LedTo demands that a form led on to a tournament's page, which then has the text of this name.
func (a *Answer) LedTo(t *testing.T, to, said string) {
	t.Helper()
	if got, want := a.Want(t, http.StatusSeeOther).Header.Get("Location"), to+"?said="+said; got != want {
		t.Fatalf("%s: led to %s, want %s", a.Request, got, want)
	}
}
