package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

// gameStates are the states in which a form may find a game, with what brings it there.
var gameStates = map[string]func(t *testing.T, root, one, two person) string{
	"open": func(t *testing.T, _, one, _ person) string {
		t.Helper()
		seats := `[{"player_id":"` + one.player + `"},{"open":true}]`
		return one.post("/games", `{"variant":"quixo/duel","time_control":"300+3","seats":`+seats+`}`).
			want(t, http.StatusCreated).text("id")
	},
	"waiting": func(t *testing.T, _, one, two person) string {
		t.Helper()
		two.send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).want(t, http.StatusOK)
		return friendly(t, one, two, "")
	},
	"running": func(t *testing.T, _, one, two person) string {
		t.Helper()
		game := friendly(t, one, two, "")
		play(t, game, one, 1, "c1-c5")
		return game
	},
	"paused": func(t *testing.T, root, one, two person) string {
		t.Helper()
		game := friendly(t, one, two, "")
		root.post("/games/"+game+"/pause", `{"reason":"the fire alarm"}`).want(t, http.StatusOK)
		return game
	},
	"finished": func(t *testing.T, _, one, two person) string {
		t.Helper()
		game := friendly(t, one, two, "")
		play(t, game, one, 1, "c1-c5")
		two.post("/games/"+game+"/resign", nil).want(t, http.StatusOK)
		return game
	},
	"aborted": func(t *testing.T, _, one, two person) string {
		t.Helper()
		game := friendly(t, one, two, "")
		one.post("/games/"+game+"/abort", nil).want(t, http.StatusOK)
		return game
	},
}

// gameForms are all forms that act on a game, as the routes have them, with every answer that they take.
func gameForms(t *testing.T, s *service) map[string][]url.Values {
	t.Helper()
	answers := []url.Values{{}, {"answer": {"accept"}}, {"answer": {"decline"}}}
	reason := func(more ...string) url.Values {
		form := url.Values{"reason": {"by the arbiter"}}
		for i := 0; i+1 < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		return form
	}
	known := map[string][]url.Values{
		"/games/:id/berserk": {{}}, "/games/:id/draw": answers, "/games/:id/back": answers, "/games/:id/resign": {{}}, "/games/:id/rematch": {{}},
		"/games/:id/move": {
			{"turn": {"1"}, "move": {"c1-c5"}},
			{"turn": {"2"}, "move": {"a1-a5"}},
			{"turn": {"9"}, "move": {"?"}},
		},
		"/games/:id/accept": {{}}, "/games/:id/decline": {{}}, "/games/:id/call": {{}},
		"/play/:id/sit":            {{}, {"seat": {"2"}}, {"seat": {"99"}}},
		"/play/:id/leave":          {{}, {"word": {"not today"}}, {"block": {"1"}}},
		"/games/:id/arbiter/start": {reason()}, "/games/:id/arbiter/pause": {reason()},
		"/games/:id/arbiter/resume": {reason()},
		"/games/:id/arbiter/clock": {
			reason("seat", "1", "time", "5:00", "how", "add"),
			reason("seat", "9", "time", "5:00", "how", "set"),
		},
		"/games/:id/arbiter/takeback": {reason("turn", "2", "plies", "1"), reason("turn", "1", "plies", "99")},
		"/games/:id/arbiter/forfeit":  {reason("seat", "1"), reason("seat", "9")},
		"/games/:id/arbiter/decide":   {reason("result", "1-0"), {}},
	}
	for _, route := range s.server.Routes() {
		path, isForm := strings.CutPrefix(route, "POST ")
		if !isForm || !strings.HasPrefix(path, "/games/:id/") && !strings.HasPrefix(path, "/play/:id/") {
			continue
		}
		if stem, many := strings.CutSuffix(path, ":act"); known[path] == nil && (!many || known[stem+"pause"] == nil) {
			t.Fatalf("the test has no form for %s", path)
		}
	}
	return known
}

// TestEveryFormOfAGameInEveryState sends each form that acts on a game in each state of a game, from players, a
// stranger and an administrator: what cannot be done is refused, and never a failure of the server.
func TestEveryFormOfAGameInEveryState(t *testing.T) {
	s := newService(t, withRealPages)
	root, stranger := s.withRole("root", account.RoleAdmin), s.register("eve")
	players := 0
	for state, reach := range gameStates {
		var one, two person
		game := ""
		for path, forms := range gameForms(t, s) {
			for _, form := range forms {
				for _, who := range []string{"player", "other", "stranger", "arbiter"} {
					if game == "" {
						players += 2
						one, two = s.register(fmt.Sprint("p", players)), s.register(fmt.Sprint("p", players+1))
						game = reach(t, root, one, two)
					}
					people := map[string]person{"player": one, "other": two, "stranger": stranger, "arbiter": root}
					before := root.get("/games/"+game).want(t, http.StatusOK)
					answer := people[who].form(strings.Replace(path, ":id", game, 1), form, header{"Accept", "text/html"})
					if answer.status >= http.StatusInternalServerError || answer.status < http.StatusOK {
						t.Errorf("%s, %s with %v by the %s is answered %d", state, path, form, who, answer.status)
					}
					after := root.get("/games/"+game).want(t, http.StatusOK)
					if before.text("status") != after.text("status") || len(before.list("events")) != len(after.list("events")) {
						game = "" // the next form finds another in this state
					}
				}
			}
		}
	}
	if players < 20 {
		t.Errorf("only %d players were needed: do the forms do anything?", players)
	}
}

// TestAFormThatComesTooEarlyIsExplained offers a rematch of a game that is still running.
func TestAFormThatComesTooEarlyIsExplained(t *testing.T) {
	s := newService(t, withRealPages)
	one, two := s.register("ada"), s.register("bob")
	game := gameStates["running"](t, person{}, one, two)
	over := sentence.Of(sentence.Errorf("%w: it is %s", table.ErrNotOver, table.Running))
	for _, in := range languages() {
		text := textOf(t, in, "play.refused_other", "Why", sentenceIn(t, in, over))
		one.form("/games/"+game+"/rematch", nil, header{"Accept", "text/html"}, inLanguage(in)).
			want(t, http.StatusConflict).says(t, text)
		one.form("/games/"+game+"/rematch", nil, header{"Accept", "application/json"}, inLanguage(in)).
			want(t, http.StatusConflict).says(t, text)
	}
}
