package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestTheLineAboutTheLastAct is for those who run the tournament; each is offered what they may undo, on every tab.
func TestTheLineAboutTheLastAct(t *testing.T) {
	s := newService(t, withRealPages)
	olga, arno, paul := s.withRole("olga", account.RoleOrganiser), s.register("arno"), s.register("paul")
	id := olga.draft("Thursday")
	at, last := "/tournaments/"+id, "//tournaments/"+id+"/desk?tab=entries"
	olga.send(http.MethodPut, at+"/arbiters", map[string]any{"logins": []string{"arno"}}, anyVersion).
		want(t, http.StatusOK)
	paul.get(last).want(t, http.StatusNotFound) // of a draft others learn nothing
	olga.get("//tournaments/"+id+"/desk?tab=nothing").want(t, http.StatusNotFound)
	entry := olga.post(at+"/entries", map[string]any{"name": "Anna"}).want(t, http.StatusCreated).text("id")
	olga.get(last).want(t, http.StatusOK).says(t, "Anna", `name="act"`, "Undo", `name="tab" value="entries"`)
	arno.get(last).want(t, http.StatusOK).lacks(t, "Undo") // an entry is the organiser's
	olga.form(at+"/desk/check-in", url.Values{"do": {"open"}}).want(t, http.StatusSeeOther)
	olga.form(at+"/desk/presence", url.Values{"in": {entry}}).want(t, http.StatusSeeOther)
	arno.get(last).want(t, http.StatusOK).says(t, "Undo", "olga")
	for _, tab := range []string{"entries", "prizes", "settings"} {
		page := olga.get("//tournaments/"+id+"/desk?tab="+tab).want(t, http.StatusOK).page()
		if strings.Count(page, "data-live=") != 1 || !strings.Contains(page, `data-part="desk-last"`) {
			t.Errorf("the tab %s does not follow the tournament", tab)
		}
	}
}

// TestPlayersCallTheArbiterToTheirGame on its page and over the API: the players of the game alone, while it is played
// in the present round, one call at a time.
func TestPlayersCallTheArbiterToTheirGame(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob, eve := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob"),
		s.register("eve")
	at := "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Server night", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3",
	}).want(t, http.StatusCreated).text("id")
	for _, p := range []person{ada, bob} {
		olga.post(at+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	game := olga.post(at+"/rounds", nil).want(t, http.StatusCreated).text("pairings", 0, "game_id")
	page, call := "//games/"+game, "/games/"+game+"/call"
	said := func(p person, word string) string {
		to := p.form(call, url.Values{"word": {word}}).want(t, http.StatusSeeOther).header.Get("Location")
		_, said, _ := strings.Cut(to, "said=")
		return said
	}
	calls := func() *answer { return olga.get(at+"/calls").want(t, http.StatusOK) }
	ada.get(page).want(t, http.StatusOK).says(t, "Call the arbiter")
	for _, p := range []person{eve, olga, s.anonymous()} {
		p.get(page).want(t, http.StatusOK).lacks(t, "Call the arbiter")
	}
	eve.form(call, url.Values{"word": {"me too"}}).want(t, http.StatusForbidden)
	olga.form(call, url.Values{"word": {"me too"}}).want(t, http.StatusForbidden)
	eve.post(call, `{"word":"me too"}`).refused(t, http.StatusForbidden, "not-your-seat")
	if to := s.anonymous().form(call, url.Values{}).want(t, http.StatusSeeOther).
		header.Get("Location"); to != "/login?next=/games/"+game {
		t.Errorf("led to %s", to)
	}
	ada.form("/games/nothing/call", url.Values{}).want(t, http.StatusNotFound)
	if n := len(calls().list("items")); n != 0 {
		t.Fatalf("%d calls of strangers", n)
	}
	if got := said(ada, strings.Repeat("long ", 1000)); got != "call_word" {
		t.Errorf("a long word: %s", got)
	}
	if got := said(ada, "the clock has stopped"); got != "called" {
		t.Errorf("said %s", got)
	}
	said(ada, "again")
	got := calls()
	if len(got.list("items")) != 1 || got.text("items", 0, "kind") != "help" || got.number("items", 0, "board") != 1 {
		t.Fatalf("%s", got.raw)
	}
	olga.get("/"+at+"/desk?tab=arbiter").want(t, http.StatusOK).says(t, got.text("items", 0, "word"))
	ada.get(page).want(t, http.StatusOK).lacks(t, `action="`+call)
	olga.form(at+"/desk/calls", url.Values{
		"call": {got.text("items", 0, "id")}, "status": {"settled"},
		"tab": {"arbiter"},
	}).want(t, http.StatusSeeOther)
	if got := said(ada, "once more"); got != "called_before" {
		t.Errorf("right after it was settled: %s", got)
	}
	if got := said(bob, "my turn"); got != "called" {
		t.Errorf("the other player: %s", got)
	}
	s.pass(time.Minute)
	bob.post("/games/"+game+"/resign", `{}`).want(t, http.StatusOK)
	s.settle(t, olga, at)
	if got := said(ada, "it is over"); got != "call_late" {
		t.Errorf("after the game: %s", got)
	}
	ada.get(page).want(t, http.StatusOK).lacks(t, "Call the arbiter")
}

// settle waits until board 1 of round 1 has its result.
func (s *service) settle(t *testing.T, by person, tournament string) {
	t.Helper()
	for range 2000 {
		if by.get(tournament+"/rounds/1").want(t, http.StatusOK).at("pairings", 0, "result") != nil {
			return
		}
	}
	t.Fatal("the board has no result")
}
