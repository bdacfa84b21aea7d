package pages

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/pages/lobby"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

func TestControlsOfChallengesAreValid(t *testing.T) {
	for _, text := range lobby.ChallengeControls {
		if _, err := clock.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

var formKey = regexp.MustCompile(`name="key" value="([^"]+)"`)

// withAccounts gives players of the town accounts of their own.
func (w *town) withAccounts(ids ...string) {
	for _, id := range ids {
		p := w.players[id]
		p.AccountID = id
		w.players[id] = p
	}
}

// TestAChallengeFromAPage finds an opponent, sends the challenge twice by the same form, and makes one game that waits
// for the opponent.
func TestAChallengeFromAPage(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2")
	if page := w.page("/play?name=Babbage", "p1"); !strings.Contains(page, `href="/play?with=p2#new"`) {
		t.Error("an opponent with an account is not found")
	}
	if page := w.page("/play?name=Lovelace", "p1"); strings.Contains(page, `href="/play?with=p1#new"`) {
		t.Error("a player can challenge herself")
	}
	key := formKey.FindStringSubmatch(w.page("/play?with=p2", "p1"))
	if key == nil {
		t.Fatal("there is no form")
	}
	form := url.Values{
		"with": {"p2"}, "key": {key[1]}, "variant": {"quixo/duel"},
		"time_control": {"300+3"}, "first": {"them"}, "rated": {"1"},
	}
	first := w.post("/play", "p1", form)
	again := w.post("/play", "p1", form)
	where := first.Header().Get("Location")
	if first.Code != http.StatusSeeOther || where != again.Header().Get("Location") ||
		!strings.HasPrefix(where, "/games/") {
		t.Fatalf("%d to %q, then %d to %q\n%s", first.Code, where, again.Code, again.Header().Get("Location"), first.Body)
	}
	s, err := w.Snapshot(t.Context(), strings.TrimPrefix(where, "/games/"))
	if err != nil || s.Game.Status != table.Waiting || s.Game.Players[0] != "p2" || !s.Game.Rated ||
		!s.Game.Invites("p2") || s.Game.Invites("p1") {
		t.Errorf("%+v, %v", s.Game, err)
	}
}

func TestChallengesThatAreRefused(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2")
	form := func(name, value string) url.Values {
		f := url.Values{"with": {"p2"}, "key": {"k"}, "variant": {"quixo/duel"}, "time_control": {"300+3"}, "first": {"me"}}
		f.Set(name, value)
		return f
	}
	for name, test := range map[string]struct {
		as     string
		form   url.Values
		status int
	}{
		"a player without account": {"p1", form("with", "p3"), http.StatusUnprocessableEntity},
		"nobody":                   {"p1", form("with", ""), http.StatusUnprocessableEntity},
		"an unknown player":        {"p1", form("with", "none"), http.StatusUnprocessableEntity},
		"too many":                 {"p1", form("with", "p2,p3,p4,p5,p6"), http.StatusBadRequest},
		"more than seats":          {"p1", form("variant", "quixo/duel:1"), http.StatusUnprocessableEntity},
		"seats beyond all games":   {"p1", form("variant", "quixo/duel:99"), http.StatusBadRequest},
		"seats of another game":    {"p1", form("variant", "quixo/duel:3"), http.StatusUnprocessableEntity},
		"no such variant":          {"p1", form("variant", "chess"), http.StatusBadRequest},
		"a time control of words":  {"p1", form("time_control", "fast"), http.StatusUnprocessableEntity},
	} {
		if answer := w.post("/play", test.as, test.form); answer.Code != test.status {
			t.Errorf("%s: %d, want %d\n%s", name, answer.Code, test.status, answer.Body)
		}
	}
	if answer := w.post("/play", "", form("first", "me")); answer.Code != http.StatusSeeOther ||
		answer.Header().Get("Location") != "/login?next=/play" {
		t.Errorf("without a login: %d", answer.Code)
	}
}

// TestBotsTakeTheSeatsThatAreLeft: the form offers each level; such a game starts at once, is not rated, and its page
// and the player's first page mark bots. With an invited person it waits for that person alone.
func TestBotsTakeTheSeatsThatAreLeft(t *testing.T) {
	w := newTown(t)
	w.withAccounts("p1", "p2")
	page := w.page("/play", "p1")
	for _, option := range []string{`<option value="bot-1">`, `<option value="bot-2">`, `<option value="bot-3">`} {
		if !strings.Contains(page, option) {
			t.Errorf("the form lacks %s", option)
		}
	}
	form := func(key, with, rest string) url.Values {
		return url.Values{
			"with": {with}, "key": {key}, "variant": {"quivive/melee:3"},
			"time_control": {"300+3"}, "first": {"me"}, "rest": {rest},
		}
	}
	opened := func(form url.Values) table.Game {
		t.Helper()
		answer := w.post("/play", "p1", form)
		s, err := w.Snapshot(t.Context(), strings.TrimPrefix(answer.Header().Get("Location"), "/games/"))
		if answer.Code != http.StatusSeeOther || err != nil {
			t.Fatalf("%d, %v\n%s", answer.Code, err, answer.Body)
		}
		return s.Game
	}
	game := opened(form("alone", "", "bot-2"))
	if game.Status != table.Running || game.Rated || strings.Join(game.Players, " ") != "p1 bot-2 bot-2" {
		t.Errorf("%+v", game)
	}
	for _, address := range []string{"/games/" + game.ID, "/"} {
		if !strings.Contains(w.page(address, "p1"), "Bot (level 2)") {
			t.Errorf("%s does not say who is a bot", address)
		}
	}
	if game := opened(form("two", "p2", "bot-3")); game.Status != table.Waiting || !game.Invites("p2") ||
		game.Players[2] != "bot-3" {
		t.Errorf("%+v", game)
	}
	rated := form("rated", "", "bot-1")
	rated.Set("rated", "1")
	answer := w.post("/play", "p1", rated)
	if text := answer.Body.String(); answer.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(text, "A game with bots is not rated") ||
		!strings.Contains(text, `<option value="bot-1" selected>`) {
		t.Errorf("rated: %d\n%s", answer.Code, text)
	}
}
