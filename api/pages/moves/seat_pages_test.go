package moves_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

// openedBy sends the form for an open game and returns the address of its page.
func openedBy(f *apitest.Fixture, who string, form url.Values) string {
	f.T.Helper()
	form.Set("key", keyOfForm(f, "/play", who))
	form.Set("time_control", "300+3")
	form.Set("first", "me")
	where := f.Post("/play", who, form).Want(f.T, http.StatusSeeOther).Header.Get("Location")
	if !strings.HasPrefix(where, "/play/") {
		f.T.Fatalf("to %q", where)
	}
	return where
}

// TestATableFillsUpOnThePages opens a game for four, lets three sit down, a player leave with a word, and the last
// player start it.
func TestATableFillsUpOnThePages(t *testing.T) {
	f := apitest.NewFixture(t)
	page := openedBy(f, "p1", url.Values{"variant": {"quixo/teams:4"}, "rest": {"open"}})
	for _, as := range []string{"p1", "p2"} {
		f.Get("/play", as).Want(t, http.StatusOK).Has(t, `href="`+page+`"`, "3 free seats")
	}
	f.Get(page, "p1").Want(t, http.StatusOK).Has(t, "<svg", "http://example.com"+page, "Cancel the game").
		Lacks(t, "Sit down<")
	f.Get(page, "").Want(t, http.StatusOK).Has(t, "/login?next="+page).Lacks(t, "/leave")
	sit := func(who, seat string) *apitest.Answer { return f.Post(page+"/sit", who, url.Values{"seat": {seat}}) }
	leave := func(word string) *apitest.Answer { return f.Post(page+"/leave", "p3", url.Values{"word": {word}}) }
	sit("p2", "").RedirectsTo(t, page)
	sit("p3", "4").RedirectsTo(t, page)
	sit("p4", "4").Want(t, http.StatusConflict).Has(t, "Another player was faster")
	leave(strings.Repeat("x", 201)).Want(t, http.StatusUnprocessableEntity).Has(t, "at most 200")
	leave("<b>Back soon</b>").RedirectsTo(t, "/play?said=left")
	sit("p4", "").RedirectsTo(t, page)
	game := "/games/" + strings.TrimPrefix(page, "/play/")
	sit("p5", "").RedirectsTo(t, game)
	f.Get(page, "p2").RedirectsTo(t, game)
	f.Get("/play", "p3").Want(t, http.StatusOK).Lacks(t, page)
}

// TestAPrivateGameOnThePages: a private game is visible only with the whole link.
func TestAPrivateGameOnThePages(t *testing.T) {
	f := apitest.NewFixture(t)
	page := openedBy(f, "p1", url.Values{"variant": {"quivive/melee:3"}, "rest": {"link"}})
	code := f.Game(strings.TrimPrefix(page, "/play/")).Game.Code
	if code == "" {
		t.Fatal("it has no code")
	}
	f.Get(page, "p1").Want(t, http.StatusOK).Has(t, page+"?code="+code)
	for _, as := range []string{"p2", ""} {
		f.Get(page, as).Want(t, http.StatusOK).Lacks(t, code, "Sit down<")
	}
	f.Get("/play", "p2").Want(t, http.StatusOK).Lacks(t, page)
	sit := func(who, code string) *apitest.Answer { return f.Post(page+"/sit", who, url.Values{"code": {code}}) }
	sit("p2", "guess").Want(t, http.StatusForbidden)
	f.Get(page+"?code="+code, "p2").Want(t, http.StatusOK).Has(t, `name="code" value="`+code+`"`, "Sit down<")
	sit("p2", code).Want(t, http.StatusSeeOther)
	f.Post(page+"/leave", "p1", url.Values{"word": {"No time <today>"}}).RedirectsTo(t, "/play?said=cancelled")
	f.Get(page, "p2").Want(t, http.StatusOK).Has(t, "No time &lt;today&gt;")
	sit("p3", code).Want(t, http.StatusConflict)
}

// TestAnInvitationIsDeclinedWithAWord declines a challenge on its page.
func TestAnInvitationIsDeclinedWithAWord(t *testing.T) {
	f := apitest.NewFixture(t)
	made := f.Post("/play", "p1", url.Values{
		"with": {"p2"}, "key": {keyOfForm(f, "/play?with=p2", "p1")}, "variant": {"quixo/duel:2"}, "time_control": {"none"}, "first": {"lot"},
	})
	id := strings.TrimPrefix(made.Header.Get("Location"), "/games/")
	f.Get("/play/"+id, "p2").Want(t, http.StatusOK).Has(t, "Accept<", `name="block"`)
	f.Get("/play/"+id, "p3").Want(t, http.StatusOK).Lacks(t, "Accept<", "/leave")
	f.Post("/play/"+id+"/sit", "p3", url.Values{}).Want(t, http.StatusConflict)
	f.Post("/play/"+id+"/leave", "p3", url.Values{}).Want(t, http.StatusForbidden)
	f.Post("/play/"+id+"/leave", "p2", url.Values{"word": {"Not today"}, "block": {"1"}}).Want(t, http.StatusSeeOther)
	if s := f.Game(id); s.Game.Status != table.Aborted || !strings.HasSuffix(s.Lines[0].Text, ": Not today") {
		t.Errorf("%+v", s)
	}
}
