package api_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestClocksOfARoundStartLater publishes a round whose clocks start as soon as both players are there, or after a time.
func TestClocksOfARoundStartLater(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob, cyd, dan := s.register("ada"), s.register("bob"), s.register("cyd"), s.register("dan")
	path := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range []person{ada, bob, cyd, dan} {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	olga.post(path+"/rounds", `{"publish":false}`).want(t, http.StatusCreated)
	publish := path + "/rounds/1/publish"
	olga.post(publish, `{"together":true}`).refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.post(publish, `{"start_in_ms":86400001}`).want(t, http.StatusBadRequest)
	ada.post(publish, `{"start_in_ms":1}`).refused(t, http.StatusForbidden, "forbidden")
	round := olga.post(publish, `{"start_in_ms":600000,"together":true}`).want(t, http.StatusOK).
		has(t, `"together":true`, `"starts_at"`)
	game, seated := boardOne(t, round, ada, bob, cyd, dan)
	waiting := s.anonymous().get("/games/"+game).want(t, http.StatusOK).has(t, `"waiting"`, `"starts_at"`).
		lacks(t, "accept_until")
	if waiting.text("starts_at") != round.text("starts_at") ||
		waiting.list("seats")[0].(map[string]any)["accepted"] != false {
		t.Errorf("%s", waiting.raw)
	}
	seated[0].post("/games/"+game+"/moves", move(1, 1, "a1-a5")).refused(t, http.StatusConflict, "not-started")
	seated[0].post("/games/"+game+"/accept", nil).want(t, http.StatusOK).has(t, `"waiting"`)
	seated[0].post("/games/"+game+"/decline", nil).want(t, http.StatusConflict)
	seated[1].post("/games/"+game+"/accept", nil).want(t, http.StatusOK).has(t, `"running"`)

	other := round.text("pairings", 1, "game_id")
	ada.post("/games/"+other+"/start", nil).refused(t, http.StatusForbidden, "forbidden")
	s.anonymous().post("/games/"+other+"/start", nil).refused(t, http.StatusUnauthorized, "unauthorized")
	s.anonymous().get("/games/"+other).want(t, http.StatusOK).has(t, `"waiting"`)
	s.pass(11 * time.Minute)
	began := olga.post("/games/"+other+"/start", nil).want(t, http.StatusOK).has(t, `"running"`)
	if began.text("started_at") != round.text("starts_at") {
		t.Errorf("it started at %s, not at its time: %s", began.text("started_at"), began.raw)
	}
}
