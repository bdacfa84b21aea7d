package rest_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestNoShowsDoNotBlockARound has a player not come: the game is forfeited, is no game and not rated, and the player is
// out of the next round.
func TestNoShowsDoNotBlockARound(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	made := olga.Post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"double_round_robin","time_control":"3600","rated":true,
		"tie_breaks":["WIN"],"play":{"no_show_ms":60000,"no_shows":1}}`).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	if made.Number("play", "no_show_ms") != 60_000 || made.At("play", "takebacks") != false {
		t.Errorf("%s", made.Raw)
	}
	olga.Send(http.MethodPatch, path, `{"play":{"delay_ms":-1}}`, made.IfMatch()).Want(t, http.StatusBadRequest)
	olga.Send(http.MethodPatch, path, `{"play":{"takebacks":true}}`, made.IfMatch()).Want(t, http.StatusOK).
		Has(t, `"no_show_ms":60000`, `"takebacks":true`)
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{ada, bob} {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	s.Pass(time.Minute + time.Second)
	over := seated[1].Post("/games/"+id+"/moves", apitest.Move(2, 2, "a1-e1")).
		Refused(t, http.StatusConflict, "flag-fallen")
	if over.Status != http.StatusConflict {
		t.Errorf("%s", over.Raw)
	}
	s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"reason":"forfeit"`, "no first move in time")
	s.Anonymous().Get(path+"/rounds/1").Want(t, http.StatusOK).Has(t, `"result":"+--"`)
	if changes := s.Anonymous().Get("/games/" + id + "/rating-changes"); len(changes.List("items")) != 0 {
		t.Errorf("a game that was none is rated: %s", changes.Raw)
	}
	s.Anonymous().Get(path+"/entries").Want(t, http.StatusOK).Has(t, `"withdrawn"`)
	next := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	if next.Text("pairings", 0, "result") == "" {
		t.Errorf("the next round does not go on without the one who did not come: %s", next.Raw)
	}
	recordsIn(t, s.Anonymous().Get("/games/"+id+"/record").Want(t, http.StatusOK))
}
