package rest_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestClocksOfARoundStartLater publishes a round with clocks that start as soon as both players are there, or after a
// time.
func TestClocksOfARoundStartLater(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob, cyd, dan := s.Register("ada"), s.Register("bob"), s.Register("cyd"), s.Register("dan")
	path := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{ada, bob, cyd, dan} {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated)
	publish := path + "/rounds/1/publish"
	olga.Post(publish, `{"together":true}`).Refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.Post(publish, `{"start_in_ms":86400001}`).Want(t, http.StatusBadRequest)
	ada.Post(publish, `{"start_in_ms":1}`).Refused(t, http.StatusForbidden, "forbidden")
	round := olga.Post(publish, `{"start_in_ms":600000,"together":true}`).Want(t, http.StatusOK).
		Has(t, `"together":true`, `"starts_at"`)
	game, seated := apitest.BoardOne(t, round, ada, bob, cyd, dan)
	waiting := s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).Has(t, `"waiting"`, `"starts_at"`).
		Lacks(t, "accept_until")
	if waiting.Text("starts_at") != round.Text("starts_at") ||
		waiting.List("seats")[0].(map[string]any)["accepted"] != false {
		t.Errorf("%s", waiting.Raw)
	}
	seated[0].Post("/games/"+game+"/moves", apitest.Move(1, 1, "a1-a5")).Refused(t, http.StatusConflict, "not-started")
	seated[0].Post("/games/"+game+"/accept", nil).Want(t, http.StatusOK).Has(t, `"waiting"`)
	seated[0].Post("/games/"+game+"/decline", nil).Want(t, http.StatusConflict)
	seated[1].Post("/games/"+game+"/accept", nil).Want(t, http.StatusOK).Has(t, `"running"`)

	other := round.Text("pairings", 1, "game_id")
	ada.Post("/games/"+other+"/start", nil).Refused(t, http.StatusForbidden, "forbidden")
	s.Anonymous().Post("/games/"+other+"/start", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Anonymous().Get("/games/"+other).Want(t, http.StatusOK).Has(t, `"waiting"`)
	s.Pass(11 * time.Minute)
	began := olga.Post("/games/"+other+"/start", nil).Want(t, http.StatusOK).Has(t, `"running"`)
	if began.Text("started_at") != round.Text("starts_at") {
		t.Errorf("it started at %s, not at its time: %s", began.Text("started_at"), began.Raw)
	}
}
