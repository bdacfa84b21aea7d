package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// botAccount opens an account that says that it is a bot's, over the API.
func (s *service) botAccount(login string) person {
	if due, err := s.guard.NeedsSetup(s.t.Context()); err != nil || due {
		s.withRole("root-of-bots", account.RoleAdmin)
	}
	s.t.Helper()
	made := s.anonymous().post("/accounts", map[string]any{
		"login": login, "password": password, "player_name": "Deep " + login, "bot": true,
	}).want(s.t, http.StatusCreated)
	credentials := map[string]any{"login": login, "password": password}
	session := s.anonymous().post("/sessions", credentials).want(s.t, http.StatusCreated)
	p := person{s: s, token: session.text("access_token"), player: made.text("player_id")}
	p.send(http.MethodPatch, "/me", `{"open_to_challenges":true,"challenges_at_once":20}`).want(s.t, http.StatusOK)
	return p
}

// TestBotAccountsAreMarked wherever their player stands, and nobody else takes the mark.
func TestBotAccountsAreMarked(t *testing.T) {
	s := newService(t, withRealPages)
	bot, ada := s.botAccount("blue"), s.register("ada")
	s.anonymous().post("/accounts", map[string]any{"login": "none", "password": password, "bot": true}).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/player_name")
	bot.get("/me").want(t, http.StatusOK).has(t, `"name":"Deep blue (bot)"`, `"bot":true`)
	s.anonymous().get("/players/"+bot.player).want(t, http.StatusOK).has(t, `"name":"Deep blue (bot)"`, `"bot":true`)
	s.anonymous().get("/players/"+ada.player).want(t, http.StatusOK).lacks(t, "bot")
	id := friendly(t, ada, bot, "")
	game := s.anonymous().get("/games/"+id).want(t, http.StatusOK)
	if game.at("seats", 1, "player", "bot") != true || game.at("seats", 0, "player", "bot") != nil {
		t.Errorf("%s", game.raw)
	}
	for _, page := range []string{"//games/" + id, "//players/" + bot.player, "//players", "//games"} {
		s.anonymous().get(page, header{"Accept", "text/html"}).want(t, http.StatusOK).has(t, "Deep blue (bot)")
	}
	liar := s.anonymous().post("/accounts", map[string]any{
		"login": "liar", "password": password, "player_name": "Person (Bot)",
	}).want(t, http.StatusCreated).text("player_id")
	if name := s.anonymous().get("/players/" + liar).text("name"); name != "Person" {
		t.Errorf("a person is called %q", name)
	}
}

// TestBotAccountsAreRatedAmongThemselves and with people only in lists that take them.
func TestBotAccountsAreRatedAmongThemselves(t *testing.T) {
	s := newService(t)
	ada, blue, red := s.register("ada"), s.botAccount("blue"), s.botAccount("red")
	rated := func(one, two person) *answer {
		return one.post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300", "rated": true, "start": "now",
			"seats": []any{map[string]any{"player_id": one.player}, map[string]any{"player_id": two.player}},
		})
	}
	rated(ada, blue).refused(t, http.StatusUnprocessableEntity, "invalid-setup").has(t, "/rated")
	rated(blue, red).want(t, http.StatusCreated).has(t, `"rated":true`)
	open := ada.post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300", "rated": true,
		"seats": []any{map[string]any{"player_id": ada.player}, map[string]any{"open": true}},
	}).want(t, http.StatusCreated).text("id")
	blue.post("/games/"+open+"/sit", nil).refused(t, http.StatusUnprocessableEntity, "invalid-setup")
}

// TestBotAccountsInTournaments take part where the organiser admits bots, unrated with people.
func TestBotAccountsInTournaments(t *testing.T) {
	s := newService(t)
	olga, ada, blue := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.botAccount("blue")
	path := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	entry := map[string]any{"player_id": blue.player}
	blue.post(path+"/entries", entry).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "play.bots")
	olga.post(path+"/entries", entry).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "play.bots")
	olga.send(http.MethodPatch, path, `{"play":{"bots":true}}`, anyVersion).want(t, http.StatusOK)
	blue.post(path+"/entries", entry).want(t, http.StatusCreated)
	ada.post(path+"/entries", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	game := s.anonymous().get("/games/"+round.text("pairings", 0, "game_id")).want(t, http.StatusOK)
	game.has(t, `"rated":false`)
	if !strings.Contains(string(game.raw), "(bot)") {
		t.Errorf("%s", game.raw)
	}
}
