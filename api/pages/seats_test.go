package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/engine/table"
)

// openedBy sends the form for an open game and returns the address of its page.
func (w *town) openedBy(who string, form url.Values) string {
	w.t.Helper()
	key := formKey.FindStringSubmatch(w.page("/play", who))
	if key == nil {
		w.t.Fatal("there is no form")
	}
	form.Set("key", key[1])
	form.Set("time_control", "300+3")
	form.Set("first", "me")
	answer := w.post("/play", who, form)
	where := answer.Header().Get("Location")
	if answer.Code != http.StatusSeeOther || !strings.HasPrefix(where, "/play/") {
		w.t.Fatalf("%d to %q\n%s", answer.Code, where, answer.Body)
	}
	return where
}

// TestATableFillsUpOnThePages opens a game for four, lets three sit down, one of them leave with a word, and the last
// one start it.
func TestATableFillsUpOnThePages(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2", "p3", "p4", "p5")
	page := w.openedBy("p1", url.Values{"variant": {"quixo/teams:4"}, "rest": {"open"}})
	for _, as := range []string{"p1", "p2"} {
		if list := w.page("/play", as); !strings.Contains(list, `href="`+page+`"`) ||
			!strings.Contains(list, "3 free seats") {
			t.Errorf("%s does not see who waits", as)
		}
	}
	own := w.page(page, "p1")
	if !strings.Contains(own, "<svg") || !strings.Contains(own, "http://example.com"+page) ||
		!strings.Contains(own, "Cancel the game") || strings.Contains(own, "Sit down<") {
		t.Error("who opened the game is not shown link, code and a way to cancel it")
	}
	if anonymous := w.page(page, ""); !strings.Contains(anonymous, "/login?next="+page) ||
		strings.Contains(anonymous, "/leave") {
		t.Error("a visitor is not led to the login")
	}
	sit := func(who, seat, want string) {
		t.Helper()
		if answer := w.post(page+"/sit", who, url.Values{"seat": {seat}}); answer.Code != http.StatusSeeOther ||
			answer.Header().Get("Location") != want {
			t.Errorf("%s sits down: %d to %q\n%s", who, answer.Code, answer.Header().Get("Location"), answer.Body)
		}
	}
	sit("p2", "", page)
	sit("p3", "4", page)
	if answer := w.post(page+"/sit", "p4", url.Values{"seat": {"4"}}); answer.Code != http.StatusConflict ||
		!strings.Contains(answer.Body.String(), "Another player was faster") {
		t.Errorf("a seat that is taken: %d", answer.Code)
	}
	long := w.post(page+"/leave", "p3", url.Values{"word": {strings.Repeat("x", 201)}})
	if long.Code != http.StatusUnprocessableEntity || !strings.Contains(long.Body.String(), "at most 200") {
		t.Errorf("a long word: %d", long.Code)
	}
	left := w.post(page+"/leave", "p3", url.Values{"word": {"<b>Back soon</b>"}})
	if left.Code != http.StatusSeeOther || left.Header().Get("Location") != "/play?said=left" {
		t.Errorf("leaving: %d to %s", left.Code, left.Header().Get("Location"))
	}
	sit("p4", "", page)
	sit("p5", "", "/games/"+strings.TrimPrefix(page, "/play/"))
	if over := w.get(page, "p2"); over.Code != http.StatusSeeOther ||
		over.Header().Get("Location") != "/games/"+strings.TrimPrefix(page, "/play/") {
		t.Errorf("the page of a game that has begun: %d", over.Code)
	}
	if list := w.page("/play", "p3"); strings.Contains(list, page) {
		t.Error("a game that has begun is listed")
	}
}

// TestAPrivateGameOnThePages: a private game is visible only with the whole link.
func TestAPrivateGameOnThePages(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2", "p3")
	page := w.openedBy("p1", url.Values{"variant": {"quivive/melee:3"}, "rest": {"link"}})
	s, err := w.Snapshot(t.Context(), strings.TrimPrefix(page, "/play/"))
	if err != nil || s.Game.Code == "" {
		t.Fatal(err, s.Game)
	}
	code := s.Game.Code
	if !strings.Contains(w.page(page, "p1"), page+"?code="+code) {
		t.Error("who opened it is not shown the link")
	}
	for _, as := range []string{"p2", ""} {
		if seen := w.page(page, as); strings.Contains(seen, code) || strings.Contains(seen, "Sit down<") ||
			strings.Contains(w.page("/play", "p2"), page) {
			t.Errorf("%q is shown more than the terms", as)
		}
	}
	if answer := w.post(page+"/sit", "p2", url.Values{"code": {"guess"}}); answer.Code != http.StatusForbidden {
		t.Errorf("with a wrong code: %d", answer.Code)
	}
	if invited := w.page(page+"?code="+code, "p2"); !strings.Contains(invited, `name="code" value="`+code+`"`) ||
		!strings.Contains(invited, "Sit down<") {
		t.Error("with the link there is no way to sit down")
	}
	if answer := w.post(page+"/sit", "p2", url.Values{"code": {code}}); answer.Code != http.StatusSeeOther {
		t.Errorf("with the code: %d", answer.Code)
	}
	cancelled := w.post(page+"/leave", "p1", url.Values{"word": {"No time <today>"}})
	if cancelled.Header().Get("Location") != "/play?said=cancelled" {
		t.Errorf("cancelling: %d", cancelled.Code)
	}
	if over := w.page(page, "p2"); !strings.Contains(over, "No time &lt;today&gt;") {
		t.Error("the word is not shown, or not escaped")
	}
	if answer := w.post(page+"/sit", "p3", url.Values{"code": {code}}); answer.Code != http.StatusConflict {
		t.Errorf("sitting down in a cancelled game: %d", answer.Code)
	}
}

// TestAnInvitationIsDeclinedWithAWord declines a challenge on its page.
func TestAnInvitationIsDeclinedWithAWord(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2")
	key := formKey.FindStringSubmatch(w.page("/play?with=p2", "p1"))[1]
	made := w.post("/play", "p1", url.Values{
		"with": {"p2"}, "key": {key}, "variant": {"quixo/duel:2"}, "time_control": {"none"}, "first": {"lot"},
	})
	id := strings.TrimPrefix(made.Header().Get("Location"), "/games/")
	if asked := w.page("/play/"+id, "p2"); !strings.Contains(asked, "Accept<") ||
		!strings.Contains(asked, `name="block"`) {
		t.Error("the challenge cannot be answered")
	}
	if stranger := w.page("/play/"+id, "p3"); strings.Contains(stranger, "Accept<") ||
		strings.Contains(stranger, "/leave") {
		t.Error("a stranger can answer")
	}
	if answer := w.post("/play/"+id+"/sit", "p3", url.Values{}); answer.Code != http.StatusConflict {
		t.Errorf("a stranger accepts: %d", answer.Code)
	}
	if answer := w.post("/play/"+id+"/leave", "p3", url.Values{}); answer.Code != http.StatusForbidden {
		t.Errorf("a stranger declines: %d", answer.Code)
	}
	answer := w.post("/play/"+id+"/leave", "p2", url.Values{"word": {"Not today"}, "block": {"1"}})
	s, err := w.Snapshot(t.Context(), id)
	if answer.Code != http.StatusSeeOther || err != nil || s.Game.Status != table.Aborted ||
		!strings.HasSuffix(s.Lines[0].Text, ": Not today") {
		t.Errorf("%d, %+v, %v", answer.Code, s, err)
	}
}
