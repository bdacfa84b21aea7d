package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/engine/table"
)

// openedBy sends the form for an open game and returns the address of its page.
func (f *fixture) openedBy(who string, form url.Values) string {
	f.t.Helper()
	form.Set("key", f.formKey("/play", who))
	form.Set("time_control", "300+3")
	form.Set("first", "me")
	where := f.post("/play", who, form).want(f.t, http.StatusSeeOther).header.Get("Location")
	if !strings.HasPrefix(where, "/play/") {
		f.t.Fatalf("to %q", where)
	}
	return where
}

// TestATableFillsUpOnThePages opens a game for four, lets three sit down, one of them leave with a word, and the last
// one start it.
func TestATableFillsUpOnThePages(t *testing.T) {
	f := newFixture(t)
	page := f.openedBy("p1", url.Values{"variant": {"quixo/teams:4"}, "rest": {"open"}})
	for _, as := range []string{"p1", "p2"} {
		f.get("/play", as).want(t, http.StatusOK).has(t, `href="`+page+`"`, "3 free seats")
	}
	f.get(page, "p1").want(t, http.StatusOK).has(t, "<svg", "http://example.com"+page, "Cancel the game").
		lacks(t, "Sit down<")
	f.get(page, "").want(t, http.StatusOK).has(t, "/login?next="+page).lacks(t, "/leave")
	sit := func(who, seat string) *answer { return f.post(page+"/sit", who, url.Values{"seat": {seat}}) }
	leave := func(word string) *answer { return f.post(page+"/leave", "p3", url.Values{"word": {word}}) }
	sit("p2", "").to(t, page)
	sit("p3", "4").to(t, page)
	sit("p4", "4").want(t, http.StatusConflict).has(t, "Another player was faster")
	leave(strings.Repeat("x", 201)).want(t, http.StatusUnprocessableEntity).has(t, "at most 200")
	leave("<b>Back soon</b>").to(t, "/play?said=left")
	sit("p4", "").to(t, page)
	game := "/games/" + strings.TrimPrefix(page, "/play/")
	sit("p5", "").to(t, game)
	f.get(page, "p2").to(t, game)
	f.get("/play", "p3").want(t, http.StatusOK).lacks(t, page)
}

// TestAPrivateGameOnThePages: a private game is visible only with the whole link.
func TestAPrivateGameOnThePages(t *testing.T) {
	f := newFixture(t)
	page := f.openedBy("p1", url.Values{"variant": {"quivive/melee:3"}, "rest": {"link"}})
	code := f.game(strings.TrimPrefix(page, "/play/")).Game.Code
	if code == "" {
		t.Fatal("it has no code")
	}
	f.get(page, "p1").want(t, http.StatusOK).has(t, page+"?code="+code)
	for _, as := range []string{"p2", ""} {
		f.get(page, as).want(t, http.StatusOK).lacks(t, code, "Sit down<")
	}
	f.get("/play", "p2").want(t, http.StatusOK).lacks(t, page)
	sit := func(who, code string) *answer { return f.post(page+"/sit", who, url.Values{"code": {code}}) }
	sit("p2", "guess").want(t, http.StatusForbidden)
	f.get(page+"?code="+code, "p2").want(t, http.StatusOK).has(t, `name="code" value="`+code+`"`, "Sit down<")
	sit("p2", code).want(t, http.StatusSeeOther)
	f.post(page+"/leave", "p1", url.Values{"word": {"No time <today>"}}).to(t, "/play?said=cancelled")
	f.get(page, "p2").want(t, http.StatusOK).has(t, "No time &lt;today&gt;")
	sit("p3", code).want(t, http.StatusConflict)
}

// TestAnInvitationIsDeclinedWithAWord declines a challenge on its page.
func TestAnInvitationIsDeclinedWithAWord(t *testing.T) {
	f := newFixture(t)
	made := f.post("/play", "p1", url.Values{
		"with": {"p2"}, "key": {f.formKey("/play?with=p2", "p1")}, "variant": {"quixo/duel:2"}, "time_control": {"none"}, "first": {"lot"},
	})
	id := strings.TrimPrefix(made.header.Get("Location"), "/games/")
	f.get("/play/"+id, "p2").want(t, http.StatusOK).has(t, "Accept<", `name="block"`)
	f.get("/play/"+id, "p3").want(t, http.StatusOK).lacks(t, "Accept<", "/leave")
	f.post("/play/"+id+"/sit", "p3", url.Values{}).want(t, http.StatusConflict)
	f.post("/play/"+id+"/leave", "p3", url.Values{}).want(t, http.StatusForbidden)
	f.post("/play/"+id+"/leave", "p2", url.Values{"word": {"Not today"}, "block": {"1"}}).want(t, http.StatusSeeOther)
	if s := f.game(id); s.Game.Status != table.Aborted || !strings.HasSuffix(s.Lines[0].Text, ": Not today") {
		t.Errorf("%+v", s)
	}
}
