package api_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// form sends a form of a page, as a browser does.
func (p person) form(path string, fields url.Values, headers ...header) *answer {
	p.s.t.Helper()
	r := httptest.NewRequestWithContext(p.s.t.Context(), http.MethodPost, path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	return p.s.serve(r)
}

// text returns a page as people read it, with entities replaced.
func (a *answer) page() string { return html.UnescapeString(string(a.raw)) }

// says fails if the page lacks one of the texts.
func (a *answer) says(t *testing.T, texts ...string) *answer {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.page(), text) {
			t.Fatalf("%s: the page does not say %q:\n%s", a.what, text, a.page())
		}
	}
	return a
}

// draft prepares a Swiss of five rounds over REST, and returns its id.
func (p person) draft(name string) string {
	p.s.t.Helper()
	return p.post("/tournaments", map[string]any{
		"name": name, "variant": "quixo/duel", "format": "swiss", "rounds": 5, "time_control": "none",
	}).want(p.s.t, http.StatusCreated).text("id")
}

// TestDeskIsForStaff shows the desk to the tournament's staff alone; a draft's existence is hidden from others.
func TestDeskIsForStaff(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, other, admin := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser),
		s.withRole("adam", account.RoleAdmin)
	arbiter, player, stranger := s.register("arno"), s.register("paul"), s.anonymous()
	id := organiser.draft("Thursday")
	tag := header{"If-Match", organiser.get("/tournaments/" + id).header.Get("ETag")}
	organiser.send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		want(t, http.StatusOK)
	desk := "//tournaments/" + id + "/desk"
	for _, c := range []struct {
		who  person
		want int
	}{
		{organiser, http.StatusOK},
		{admin, http.StatusOK},
		{arbiter, http.StatusOK},
		{other, http.StatusNotFound},
		{player, http.StatusNotFound},
		{stranger, http.StatusNotFound},
	} {
		c.who.get(desk).want(t, c.want)
	}
	organiser.get(desk+"?tab=nothing").want(t, http.StatusNotFound)
	organiser.post("/tournaments/"+id+"/open", nil).want(t, http.StatusOK)
	other.get(desk).want(t, http.StatusForbidden)
	player.get(desk).want(t, http.StatusForbidden)
	if to := stranger.get(desk+"?tab=entries").want(t, http.StatusSeeOther).
		header.Get("Location"); to != "/login?next="+url.QueryEscape("/tournaments/"+id+"/desk?tab=entries") {
		t.Errorf("led to %q", to)
	}
	for _, who := range []person{other, player, stranger} {
		if a := who.form("/tournaments/"+id+"/desk/undo",
			url.Values{"act": {"2"}, "tab": {"entries"}}); a.status != http.StatusForbidden && a.status != http.StatusSeeOther {
			t.Errorf("a stranger's undo: %d", a.status)
		}
	}
	if status := organiser.get("/tournaments/" + id).text("status"); status != "open" {
		t.Errorf("strangers could undo: %s", status)
	}
}

// TestDeskUndo undoes the last act once, however often the button is pressed, and only with the right to do the act.
func TestDeskUndo(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, arbiter := s.withRole("olga", account.RoleOrganiser), s.register("arno")
	id := organiser.draft("Thursday")
	tag := header{"If-Match", organiser.get("/tournaments/" + id).header.Get("ETag")}
	organiser.send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		want(t, http.StatusOK)
	organiser.post("/tournaments/"+id+"/open", nil).want(t, http.StatusOK)
	desk, undo := "//tournaments/"+id+"/desk", "/tournaments/"+id+"/desk/undo"
	organiser.get(desk).want(t, http.StatusOK).says(t, "Last change:", "Registration opened", "olga", "Undo</button>")
	if page := arbiter.get(desk).want(t, http.StatusOK).page(); strings.Contains(page, "Undo</button>") {
		t.Error("an arbiter is offered to undo what only the organiser may do")
	}
	act := url.Values{"act": {"3"}, "tab": {"entries"}}
	arbiter.form(undo, act).want(t, http.StatusForbidden)
	if to := organiser.form(undo, act).want(t, http.StatusSeeOther).
		header.Get("Location"); to != "/tournaments/"+id+"/desk?said=undone&tab=entries" {
		t.Errorf("led to %q", to)
	}
	if status := organiser.get("/tournaments/" + id).text("status"); status != "draft" {
		t.Errorf("after undoing: %s", status)
	}
	organiser.form(undo, act).want(t, http.StatusConflict).says(t, "That is not possible now.", `role="alert"`)
	if page := organiser.get(desk+"?said=undone").says(t, "Undone.").page(); strings.Contains(page, "Last change:") {
		t.Error("an undone act can be undone again")
	}
	for _, bad := range []url.Values{{}, {"act": {"x"}, "tab": {"entries"}}, {"act": {"2"}, "tab": {"nothing"}}} {
		organiser.form(undo, bad).want(t, http.StatusBadRequest)
	}
}
