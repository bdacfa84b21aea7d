package moves_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestBotsInGames creates games with bots over REST: they start at once, are marked wherever the game is shown, and are
// not rated; seats that are two things at once, and games of bots alone, are refused.
func TestBotsInGames(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Pages = true })
	ada := s.Register("ada")
	seat := func(key string, value any) map[string]any { return map[string]any{key: value} }
	body := func(seats ...any) map[string]any {
		return map[string]any{"variant": "quivive/melee", "time_control": "300+3", "seats": seats}
	}
	made := ada.Post("/games", body(seat("player_id", ada.Player), seat("bot", 2), seat("bot", 3))).
		Want(t, http.StatusCreated)
	if made.Text("status") != "running" || made.Number("seats", 1, "bot") != 2 ||
		made.Text("seats", 2, "player", "name") != "Bot (level 3)" ||
		made.At("seats", 0, "bot") != nil || made.At("rated") != false {
		t.Errorf("the game is %s", made.Raw)
	}
	list := ada.Get("/players/"+ada.Player+"/games").Want(t, http.StatusOK)
	if list.Number("items", 0, "seats", 2, "bot") != 3 ||
		list.Text("items", 0, "seats", 1, "player", "name") != "Bot (level 2)" {
		t.Errorf("the list is %s", list.Raw)
	}
	id := made.Text("id")
	ada.Get("/games/"+id+"/record").Want(t, http.StatusOK).Has(t, "Bot (level 2)", "Bot (level 3)")

	rated := body(seat("player_id", ada.Player), seat("bot", 2), seat("bot", 3))
	rated["rated"] = true
	ada.Post("/games", rated).Refused(t, http.StatusUnprocessableEntity, "invalid-setup").Has(t, "/rated")
	both := map[string]any{"player_id": ada.Player, "bot": 1}
	ada.Post("/games", body(both, seat("bot", 1), seat("bot", 1))).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/seats/0")
	ada.Post("/games", body(seat("player_id", ada.Player), seat("bot", 4), seat("bot", 1))).Want(t, http.StatusBadRequest)
	olga := s.WithRole("olga", "organiser")
	olga.Post("/games", body(seat("bot", 1), seat("bot", 1), seat("bot", 1))).
		Refused(t, http.StatusUnprocessableEntity, "invalid-setup").Has(t, "beside the bots")
}

// TestGamesWithBotsAtOnce lets an account have five games with bots that are not over, at whatever door it opens them.
func TestGamesWithBotsAtOnce(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Pages = true })
	ada, bob := s.Register("ada"), s.Register("bob")
	with := func(p apitest.Person, headers ...apitest.Header) *apitest.Answer {
		return p.Post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300+3", "seats": []any{
				map[string]any{"player_id": p.Player}, map[string]any{"bot": 1},
			},
		}, headers...)
	}
	key := apitest.Header{"Idempotency-Key", "fifth"}
	var last string
	for i := range 5 {
		made := with(ada, []apitest.Header{key}[:i/4]...).Want(t, http.StatusCreated)
		last = made.Text("id")
	}
	with(ada).Refused(t, http.StatusConflict, "too-many-bot-games").Has(t, "5 games with bots", "finish one")
	if again := with(ada, key).Want(t, http.StatusCreated); again.Text("id") != last {
		t.Errorf("a request sent again makes %s, not %s", again.Text("id"), last)
	}
	with(bob).Want(t, http.StatusCreated)
	form := []string{
		"variant", "quixo/duel:2", "rest", table.BotID(1), "time_control", "300+3", "first", "me", "key", "1234567890abcdef",
	}
	v := s.LoggedIn("ada")
	for _, in := range apitest.Languages() {
		v.Post("/me/language", "language", in.Language()).Want(t, http.StatusSeeOther)
		v.Post("/play", form...).Want(t, http.StatusUnprocessableEntity).
			Says(t, apitest.TextOf(t, in, "challenge.wrong.too_many_bot_games", "Limit", 5))
	}
	ada.Post("/games/"+last+"/resign", map[string]any{"seat": 1}).Want(t, http.StatusOK)
	with(ada).Want(t, http.StatusCreated)
	ada.Post("/games/"+last+"/rematch", nil).Refused(t, http.StatusConflict, "too-many-bot-games")
}
