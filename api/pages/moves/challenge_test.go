package moves_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

var formKey = regexp.MustCompile(`name="key" value="([^"]+)"`)

// keyOfForm returns the key in the form of a page.
func keyOfForm(f *apitest.Fixture, path, as string) string {
	f.T.Helper()
	key := formKey.FindStringSubmatch(f.Page(path, as))
	if key == nil {
		f.T.Fatalf("%s has no form", path)
	}
	return key[1]
}

// TestAChallengeFromAPage finds an opponent, sends the challenge twice by the same form, and makes a single game that
// waits for the opponent.
func TestAChallengeFromAPage(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Get("/play?name=Babbage", "p1").Want(t, http.StatusOK).Has(t, `href="/play?with=p2#new"`)
	f.Get("/play?name=Lovelace", "p1").Want(t, http.StatusOK).Lacks(t, `href="/play?with=p1#new"`)
	form := url.Values{
		"with": {"p2"}, "key": {keyOfForm(f, "/play?with=p2", "p1")}, "variant": {"quixo/duel"},
		"time_control": {"300+3"}, "first": {"them"}, "rated": {"1"},
	}
	where := f.Post("/play", "p1", form).Want(t, http.StatusSeeOther).Header.Get("Location")
	f.Post("/play", "p1", form).RedirectsTo(t, where)
	id, found := strings.CutPrefix(where, "/games/")
	if !found {
		t.Fatalf("to %q", where)
	}
	if g := f.Game(id).Game; g.Status != table.Waiting || g.Players[0] != "p2" || !g.Rated || !g.Invites("p2") ||
		g.Invites("p1") {
		t.Errorf("%+v", g)
	}
}

// TestOneButtonOpensAGame sends the form of the button that opens a game against the computer, twice by the same key.
func TestOneButtonOpensAGame(t *testing.T) {
	f := apitest.NewFixture(t)
	page := string(f.Get("/play", "p1").Want(t, http.StatusOK).Has(t, `id="bot"`, "Play the computer").Raw)
	_, page, _ = strings.Cut(page, `id="bot"`)
	page, _, _ = strings.Cut(page, "</form>")
	form := url.Values{}
	for _, field := range regexp.MustCompile(`name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(field[1], strings.ReplaceAll(field[2], "&#43;", "+"))
	}
	where := f.Post("/play", "p1", form).Want(t, http.StatusSeeOther).Header.Get("Location")
	f.Post("/play", "p1", form).RedirectsTo(t, where)
	g := f.Game(strings.TrimPrefix(where, "/games/")).Game
	if g.Status != table.Running || g.Rated || g.Bots() == 0 {
		t.Errorf("%+v", g)
	}
	f.Get("/play", "p1").Has(t, "Wait for an opponent")
}

func TestChallengesThatAreRefused(t *testing.T) {
	f := apitest.NewFixture(t)
	form := func(name, value string) url.Values {
		f := url.Values{"with": {"p2"}, "key": {"k"}, "variant": {"quixo/duel"}, "time_control": {"300+3"}, "first": {"me"}}
		f.Set(name, value)
		return f
	}
	for name, test := range map[string]struct {
		form   url.Values
		status int
	}{
		"a player without account": {form("with", "new"), http.StatusUnprocessableEntity},
		"nobody":                   {form("with", ""), http.StatusUnprocessableEntity},
		"an unknown player":        {form("with", "none"), http.StatusUnprocessableEntity},
		"too many":                 {form("with", "p2,p3,p4,p5,p6"), http.StatusBadRequest},
		"more than seats":          {form("variant", "quixo/duel:1"), http.StatusUnprocessableEntity},
		"seats beyond all games":   {form("variant", "quixo/duel:99"), http.StatusBadRequest},
		"seats of another game":    {form("variant", "quixo/duel:3"), http.StatusUnprocessableEntity},
		"no such variant":          {form("variant", "chess"), http.StatusBadRequest},
		"a time control of words":  {form("time_control", "fast"), http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) { f.Post("/play", "p1", test.form).Want(t, test.status) })
	}
	f.Post("/play", "", form("first", "me")).RedirectsTo(t, "/login?next=/play")
}

// TestBotsTakeTheSeatsThatAreLeft: the form offers each level; a game with a bot starts at once, is not rated, and its
// page and the player's first page mark bots. With an invited person it waits for that person alone.
func TestBotsTakeTheSeatsThatAreLeft(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Get("/play", "p1").Has(t, `<option value="bot-1">`, `<option value="bot-2">`, `<option value="bot-3">`)
	form := func(key, with, rest string) url.Values {
		return url.Values{
			"with": {with}, "key": {key}, "variant": {"quivive/melee:3"},
			"time_control": {"300+3"}, "first": {"me"}, "rest": {rest},
		}
	}
	opened := func(form url.Values) table.Game {
		t.Helper()
		where := f.Post("/play", "p1", form).Want(t, http.StatusSeeOther).Header.Get("Location")
		return f.Game(strings.TrimPrefix(where, "/games/")).Game
	}
	game := opened(form("alone", "", "bot-2"))
	if game.Status != table.Running || game.Rated || strings.Join(game.Players, " ") != "p1 bot-2 bot-2" {
		t.Errorf("%+v", game)
	}
	for _, address := range []string{"/games/" + game.ID, "/"} {
		f.Get(address, "p1").Want(t, http.StatusOK).Has(t, "Bot (level 2)")
	}
	if game := opened(form("two", "p2", "bot-3")); game.Status != table.Waiting || !game.Invites("p2") ||
		game.Players[2] != "bot-3" {
		t.Errorf("%+v", game)
	}
	rated := form("rated", "", "bot-1")
	rated.Set("rated", "1")
	f.Post("/play", "p1", rated).Want(t, http.StatusUnprocessableEntity).
		Has(t, "A game with bots is not rated", `<option value="bot-1" selected>`)
}
