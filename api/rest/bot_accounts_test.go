package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// botAccount opens an account marked as a bot's, over the API.
func botAccount(s *apitest.Service, login string) apitest.Person {
	if due, err := s.Guard.NeedsSetup(s.T.Context()); err != nil || due {
		s.WithRole("root-of-bots", account.RoleAdmin)
	}
	s.T.Helper()
	made := s.Anonymous().Post("/accounts", map[string]any{
		"login": login, "password": apitest.Password, "player_name": "Deep " + login, "bot": true,
	}).Want(s.T, http.StatusCreated)
	credentials := map[string]any{"login": login, "password": apitest.Password}
	session := s.Anonymous().Post("/sessions", credentials).Want(s.T, http.StatusCreated)
	p := apitest.Person{Service: s, Token: session.Text("access_token"), Player: made.Text("player_id")}
	p.Send(http.MethodPatch, "/me", `{"open_to_challenges":true,"challenges_at_once":20}`).Want(s.T, http.StatusOK)
	return p
}

// TestBotAccountsAreMarked wherever their player is shown, and no other account takes the mark.
func TestBotAccountsAreMarked(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	bot, ada := botAccount(s, "blue"), s.Register("ada")
	s.Anonymous().Post("/accounts", map[string]any{"login": "none", "password": apitest.Password, "bot": true}).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/player_name")
	bot.Get("/me").Want(t, http.StatusOK).Has(t, `"name":"Deep blue (bot)"`, `"bot":true`)
	s.Anonymous().Get("/players/"+bot.Player).Want(t, http.StatusOK).Has(t, `"name":"Deep blue (bot)"`, `"bot":true`)
	s.Anonymous().Get("/players/"+ada.Player).Want(t, http.StatusOK).Lacks(t, "bot")
	id := apitest.FriendlyGame(t, ada, bot, "")
	game := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK)
	if game.At("seats", 1, "player", "bot") != true || game.At("seats", 0, "player", "bot") != nil {
		t.Errorf("%s", game.Raw)
	}
	for _, page := range []string{"//games/" + id, "//players/" + bot.Player, "//players", "//games"} {
		s.Anonymous().Get(page, apitest.Header{"Accept", "text/html"}).Want(t, http.StatusOK).Has(t, "Deep blue (bot)")
	}
	liar := s.Anonymous().Post("/accounts", map[string]any{
		"login": "liar", "password": apitest.Password, "player_name": "Person (Bot)",
	}).Want(t, http.StatusCreated).Text("player_id")
	if name := s.Anonymous().Get("/players/" + liar).Text("name"); name != "Person" {
		t.Errorf("a person is called %q", name)
	}
}

// TestBotAccountsAreRatedAmongThemselves and with people only in lists that take them.
func TestBotAccountsAreRatedAmongThemselves(t *testing.T) {
	s := apitest.New(t)
	ada, blue, red := s.Register("ada"), botAccount(s, "blue"), botAccount(s, "red")
	rated := func(one, two apitest.Person) *apitest.Answer {
		return one.Post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300", "rated": true, "start": "now",
			"seats": []any{map[string]any{"player_id": one.Player}, map[string]any{"player_id": two.Player}},
		})
	}
	rated(ada, blue).Refused(t, http.StatusUnprocessableEntity, "invalid-setup").Has(t, "/rated")
	rated(blue, red).Want(t, http.StatusCreated).Has(t, `"rated":true`)
	open := ada.Post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300", "rated": true,
		"seats": []any{map[string]any{"player_id": ada.Player}, map[string]any{"open": true}},
	}).Want(t, http.StatusCreated).Text("id")
	blue.Post("/games/"+open+"/sit", nil).Refused(t, http.StatusUnprocessableEntity, "invalid-setup")
}

// TestBotAccountsInTournaments take part where the organiser admits bots, unrated with people.
func TestBotAccountsInTournaments(t *testing.T) {
	s := apitest.New(t)
	olga, ada, blue := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), botAccount(s, "blue")
	path := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	entry := map[string]any{"player_id": blue.Player}
	blue.Post(path+"/entries", entry).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "play.bots")
	olga.Post(path+"/entries", entry).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "play.bots")
	olga.Send(http.MethodPatch, path, `{"play":{"bots":true}}`, apitest.AnyVersion).Want(t, http.StatusOK)
	blue.Post(path+"/entries", entry).Want(t, http.StatusCreated)
	ada.Post(path+"/entries", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	game := s.Anonymous().Get("/games/"+round.Text("pairings", 0, "game_id")).Want(t, http.StatusOK)
	game.Has(t, `"rated":false`)
	if !strings.Contains(string(game.Raw), "(bot)") {
		t.Errorf("%s", game.Raw)
	}
}
