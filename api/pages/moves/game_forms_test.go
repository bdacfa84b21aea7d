package moves_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

// gameStates are the possible states of a game when a form arrives, with functions that create them.
var gameStates = map[string]func(t *testing.T, root, one, two apitest.Person) string{
	"open": func(t *testing.T, _, one, _ apitest.Person) string {
		t.Helper()
		seats := `[{"player_id":"` + one.Player + `"},{"open":true}]`
		return one.Post("/games", `{"variant":"quixo/duel","time_control":"300+3","seats":`+seats+`}`).
			Want(t, http.StatusCreated).Text("id")
	},
	"waiting": func(t *testing.T, _, one, two apitest.Person) string {
		t.Helper()
		two.Send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).Want(t, http.StatusOK)
		return apitest.FriendlyGame(t, one, two, "")
	},
	"running": func(t *testing.T, _, one, two apitest.Person) string {
		t.Helper()
		game := apitest.FriendlyGame(t, one, two, "")
		apitest.Play(t, game, one, 1, "c1-c5")
		return game
	},
	"paused": func(t *testing.T, root, one, two apitest.Person) string {
		t.Helper()
		game := apitest.FriendlyGame(t, one, two, "")
		root.Post("/games/"+game+"/pause", `{"reason":"the fire alarm"}`).Want(t, http.StatusOK)
		return game
	},
	"finished": func(t *testing.T, _, one, two apitest.Person) string {
		t.Helper()
		game := apitest.FriendlyGame(t, one, two, "")
		apitest.Play(t, game, one, 1, "c1-c5")
		two.Post("/games/"+game+"/resign", nil).Want(t, http.StatusOK)
		return game
	},
	"aborted": func(t *testing.T, _, one, two apitest.Person) string {
		t.Helper()
		game := apitest.FriendlyGame(t, one, two, "")
		one.Post("/games/"+game+"/abort", nil).Want(t, http.StatusOK)
		return game
	},
}

// gameForms are all forms that act on a game, as the routes have them, with every answer that they take.
func gameForms(t *testing.T, s *apitest.Service) map[string][]url.Values {
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
	for _, route := range s.Server.Routes() {
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
	s := apitest.New(t, apitest.WithPages)
	root, stranger := s.WithRole("root", account.RoleAdmin), s.Register("eve")
	players := 0
	for state, reach := range gameStates {
		var one, two apitest.Person
		game := ""
		for path, forms := range gameForms(t, s) {
			for _, form := range forms {
				for _, who := range []string{"player", "other", "stranger", "arbiter"} {
					if game == "" {
						players += 2
						one, two = s.Register(fmt.Sprint("p", players)), s.Register(fmt.Sprint("p", players+1))
						game = reach(t, root, one, two)
					}
					people := map[string]apitest.Person{"player": one, "other": two, "stranger": stranger, "arbiter": root}
					before := root.Get("/games/"+game).Want(t, http.StatusOK)
					answer := people[who].PostForm(strings.Replace(path, ":id", game, 1), form, apitest.Header{"Accept", "text/html"})
					if answer.Status >= http.StatusInternalServerError || answer.Status < http.StatusOK {
						t.Errorf("%s, %s with %v by the %s is answered %d", state, path, form, who, answer.Status)
					}
					after := root.Get("/games/"+game).Want(t, http.StatusOK)
					if before.Text("status") != after.Text("status") || len(before.List("events")) != len(after.List("events")) {
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
	s := apitest.New(t, apitest.WithPages)
	one, two := s.Register("ada"), s.Register("bob")
	game := gameStates["running"](t, apitest.Person{}, one, two)
	over := sentence.Of(sentence.Errorf("%w: it is %s", table.ErrNotOver, table.Running))
	for _, in := range apitest.Languages() {
		text := apitest.TextOf(t, in, "play.refused_other", "Why", apitest.SentenceIn(t, in, over))
		one.PostForm("/games/"+game+"/rematch", nil, apitest.Header{"Accept", "text/html"}, apitest.InLanguage(in)).
			Want(t, http.StatusConflict).Says(t, text)
		one.PostForm("/games/"+game+"/rematch", nil, apitest.Header{"Accept", "application/json"}, apitest.InLanguage(in)).
			Want(t, http.StatusConflict).Says(t, text)
	}
}
