package api_test

import (
	"net/http"
	"testing"
)

// TestBotsInGames creates games with bots over REST: they start at once, are marked wherever the game is shown, and are not
// rated; seats that are two things at once, and games of bots alone, are refused.
func TestBotsInGames(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages = true })
	ada := s.register("ada")
	seat := func(key string, value any) map[string]any { return map[string]any{key: value} }
	body := func(seats ...any) map[string]any {
		return map[string]any{"variant": "quivive/melee", "time_control": "300+3", "seats": seats}
	}
	made := ada.post("/games", body(seat("player_id", ada.player), seat("bot", 2), seat("bot", 3))).want(t, http.StatusCreated)
	if made.text("status") != "running" || made.number("seats", 1, "bot") != 2 || made.text("seats", 2, "player", "name") != "Bot (level 3)" ||
		made.at("seats", 0, "bot") != nil || made.at("rated") != false {
		t.Errorf("the game is %s", made.raw)
	}
	list := ada.get("/players/"+ada.player+"/games").want(t, http.StatusOK)
	if list.number("items", 0, "seats", 2, "bot") != 3 || list.text("items", 0, "seats", 1, "player", "name") != "Bot (level 2)" {
		t.Errorf("the list is %s", list.raw)
	}
	id := made.text("id")
	ada.get("/games/"+id+"/record").want(t, http.StatusOK).has(t, "Bot (level 2)", "Bot (level 3)")

	rated := body(seat("player_id", ada.player), seat("bot", 2), seat("bot", 3))
	rated["rated"] = true
	ada.post("/games", rated).refused(t, http.StatusUnprocessableEntity, "invalid-setup").has(t, "/rated")
	both := map[string]any{"player_id": ada.player, "bot": 1}
	ada.post("/games", body(both, seat("bot", 1), seat("bot", 1))).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/seats/0")
	ada.post("/games", body(seat("player_id", ada.player), seat("bot", 4), seat("bot", 1))).want(t, http.StatusBadRequest)
	olga := s.withRole("olga", "organiser")
	olga.post("/games", body(seat("bot", 1), seat("bot", 1), seat("bot", 1))).refused(t, http.StatusUnprocessableEntity, "invalid-setup").has(t, "beside the bots")
}
