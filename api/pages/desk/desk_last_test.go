package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestTheLineAboutTheLastAct checks the line about the latest act: it appears on every tab for the staff of the
// tournament, and offers to undo only acts that the reader may undo.
func TestTheLineAboutTheLastAct(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, arno, paul := s.WithRole("olga", account.RoleOrganiser), s.Register("arno"), s.Register("paul")
	id := olga.Draft("Thursday")
	at, last := "/tournaments/"+id, "//tournaments/"+id+"/desk?tab=entries"
	olga.Send(http.MethodPut, at+"/arbiters", map[string]any{"logins": []string{"arno"}}, apitest.AnyVersion).
		Want(t, http.StatusOK)
	paul.Get(last).Want(t, http.StatusNotFound) // of a draft others learn nothing
	olga.Get("//tournaments/"+id+"/desk?tab=nothing").Want(t, http.StatusNotFound)
	entry := olga.Post(at+"/entries", map[string]any{"name": "Anna"}).Want(t, http.StatusCreated).Text("id")
	olga.Get(last).Want(t, http.StatusOK).Says(t, "Anna", `name="act"`, "Undo", `name="tab" value="entries"`)
	arno.Get(last).Want(t, http.StatusOK).Lacks(t, "Undo") // an entry is the organiser's
	olga.PostForm(at+"/desk/check-in", url.Values{"do": {"open"}}).Want(t, http.StatusSeeOther)
	olga.PostForm(at+"/desk/presence", url.Values{"in": {entry}}).Want(t, http.StatusSeeOther)
	arno.Get(last).Want(t, http.StatusOK).Says(t, "Undo", "olga")
	for _, tab := range []string{"entries", "prizes", "settings"} {
		page := olga.Get("//tournaments/"+id+"/desk?tab="+tab).Want(t, http.StatusOK).Page()
		if strings.Count(page, "data-live=") != 1 || !strings.Contains(page, `data-part="desk-last"`) {
			t.Errorf("the tab %s does not follow the tournament", tab)
		}
	}
}

// TestPlayersCallTheArbiterToTheirGame on its page and over the API: the players of the game alone, while it is played
// in the present round, a single call at a time.
func TestPlayersCallTheArbiterToTheirGame(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob, eve := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob"),
		s.Register("eve")
	at := "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Server night", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3",
	}).Want(t, http.StatusCreated).Text("id")
	for _, p := range []apitest.Person{ada, bob} {
		olga.Post(at+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	game := olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated).Text("pairings", 0, "game_id")
	page, call := "//games/"+game, "/games/"+game+"/call"
	said := func(p apitest.Person, word string) string {
		to := p.PostForm(call, url.Values{"word": {word}}).Want(t, http.StatusSeeOther).Header.Get("Location")
		_, said, _ := strings.Cut(to, "said=")
		return said
	}
	calls := func() *apitest.Answer { return olga.Get(at+"/calls").Want(t, http.StatusOK) }
	ada.Get(page).Want(t, http.StatusOK).Says(t, "Call the arbiter")
	for _, p := range []apitest.Person{eve, olga, s.Anonymous()} {
		p.Get(page).Want(t, http.StatusOK).Lacks(t, "Call the arbiter")
	}
	eve.PostForm(call, url.Values{"word": {"me too"}}).Want(t, http.StatusForbidden)
	olga.PostForm(call, url.Values{"word": {"me too"}}).Want(t, http.StatusForbidden)
	eve.Post(call, `{"word":"me too"}`).Refused(t, http.StatusForbidden, "not-your-seat")
	if to := s.Anonymous().PostForm(call, url.Values{}).Want(t, http.StatusSeeOther).
		Header.Get("Location"); to != "/login?next=/games/"+game {
		t.Errorf("led to %s", to)
	}
	ada.PostForm("/games/nothing/call", url.Values{}).Want(t, http.StatusNotFound)
	if n := len(calls().List("items")); n != 0 {
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
	if len(got.List("items")) != 1 || got.Text("items", 0, "kind") != "help" || got.Number("items", 0, "board") != 1 {
		t.Fatalf("%s", got.Raw)
	}
	olga.Get("/"+at+"/desk?tab=arbiter").Want(t, http.StatusOK).Says(t, got.Text("items", 0, "word"))
	ada.Get(page).Want(t, http.StatusOK).Lacks(t, `action="`+call)
	olga.PostForm(at+"/desk/calls", url.Values{
		"call": {got.Text("items", 0, "id")}, "status": {"settled"},
		"tab": {"arbiter"},
	}).Want(t, http.StatusSeeOther)
	if got := said(ada, "once more"); got != "called_before" {
		t.Errorf("right after it was settled: %s", got)
	}
	if got := said(bob, "my turn"); got != "called" {
		t.Errorf("the other player: %s", got)
	}
	s.Pass(time.Minute)
	bob.Post("/games/"+game+"/resign", `{}`).Want(t, http.StatusOK)
	settle(t, s, olga, at)
	if got := said(ada, "it is over"); got != "call_late" {
		t.Errorf("after the game: %s", got)
	}
	ada.Get(page).Want(t, http.StatusOK).Lacks(t, "Call the arbiter")
}

// settle waits until board 1 of round 1 has its result.
func settle(t *testing.T, s *apitest.Service, by apitest.Person, tournament string) {
	t.Helper()
	for range 2000 {
		if by.Get(tournament+"/rounds/1").Want(t, http.StatusOK).At("pairings", 0, "result") != nil {
			return
		}
	}
	t.Fatal("the board has no result")
}
