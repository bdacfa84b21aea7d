package api_test

import (
	"net/http"
	"testing"

	"quatuor/engine/table"
)

// TestBotsInGames creates games with bots over REST: they start at once, are marked wherever the game is shown, and are
// not rated; seats that are two things at once, and games of bots alone, are refused.
func TestBotsInGames(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages = true })
	ada := s.register("ada")
	seat := func(key string, value any) map[string]any { return map[string]any{key: value} }
	body := func(seats ...any) map[string]any {
		return map[string]any{"variant": "quivive/melee", "time_control": "300+3", "seats": seats}
	}
	made := ada.post("/games", body(seat("player_id", ada.player), seat("bot", 2), seat("bot", 3))).
		want(t, http.StatusCreated)
	if made.text("status") != "running" || made.number("seats", 1, "bot") != 2 ||
		made.text("seats", 2, "player", "name") != "Bot (level 3)" ||
		made.at("seats", 0, "bot") != nil || made.at("rated") != false {
		t.Errorf("the game is %s", made.raw)
	}
	list := ada.get("/players/"+ada.player+"/games").want(t, http.StatusOK)
	if list.number("items", 0, "seats", 2, "bot") != 3 ||
		list.text("items", 0, "seats", 1, "player", "name") != "Bot (level 2)" {
		t.Errorf("the list is %s", list.raw)
	}
	id := made.text("id")
	ada.get("/games/"+id+"/record").want(t, http.StatusOK).has(t, "Bot (level 2)", "Bot (level 3)")

	rated := body(seat("player_id", ada.player), seat("bot", 2), seat("bot", 3))
	rated["rated"] = true
	ada.post("/games", rated).refused(t, http.StatusUnprocessableEntity, "invalid-setup").has(t, "/rated")
	both := map[string]any{"player_id": ada.player, "bot": 1}
	ada.post("/games", body(both, seat("bot", 1), seat("bot", 1))).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/seats/0")
	ada.post("/games", body(seat("player_id", ada.player), seat("bot", 4), seat("bot", 1))).want(t, http.StatusBadRequest)
	olga := s.withRole("olga", "organiser")
	olga.post("/games", body(seat("bot", 1), seat("bot", 1), seat("bot", 1))).
		refused(t, http.StatusUnprocessableEntity, "invalid-setup").has(t, "beside the bots")
}

// TestGamesWithBotsAtOnce lets an account have five games with bots that are not over, at whatever door it opens them.
func TestGamesWithBotsAtOnce(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages = true })
	ada, bob := s.register("ada"), s.register("bob")
	with := func(p person, headers ...header) *answer {
		return p.post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300+3", "seats": []any{
				map[string]any{"player_id": p.player}, map[string]any{"bot": 1},
			},
		}, headers...)
	}
	key := header{"Idempotency-Key", "fifth"}
	var last string
	for i := range 5 {
		made := with(ada, []header{key}[:i/4]...).want(t, http.StatusCreated)
		last = made.text("id")
	}
	with(ada).refused(t, http.StatusConflict, "too-many-bot-games").has(t, "5 games with bots", "finish one")
	if again := with(ada, key).want(t, http.StatusCreated); again.text("id") != last {
		t.Errorf("a request sent again makes %s, not %s", again.text("id"), last)
	}
	with(bob).want(t, http.StatusCreated)
	form := []string{
		"variant", "quixo/duel:2", "rest", table.BotID(1), "time_control", "300+3", "first", "me", "key", "1234567890abcdef",
	}
	v := s.visits("ada")
	for _, in := range languages() {
		v.post("/me/language", "language", in.Language()).want(t, http.StatusSeeOther)
		v.post("/play", form...).want(t, http.StatusUnprocessableEntity).
			says(t, textOf(t, in, "challenge.wrong.too_many_bot_games", "Limit", 5))
	}
	ada.post("/games/"+last+"/resign", map[string]any{"seat": 1}).want(t, http.StatusOK)
	with(ada).want(t, http.StatusCreated)
	ada.post("/games/"+last+"/rematch", nil).refused(t, http.StatusConflict, "too-many-bot-games")
}
