package api_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestNoShowsDoNotBlockARound has a player not come: the game is forfeited, is no game and not rated, and the player is
// out of the next round.
func TestNoShowsDoNotBlockARound(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	made := olga.post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"double_round_robin","time_control":"3600","rated":true,
		"tie_breaks":["WIN"],"play":{"no_show_ms":60000,"no_shows":1}}`).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	if made.number("play", "no_show_ms") != 60_000 || made.at("play", "takebacks") != false {
		t.Errorf("%s", made.raw)
	}
	olga.send(http.MethodPatch, path, `{"play":{"delay_ms":-1}}`, made.etag()).want(t, http.StatusBadRequest)
	olga.send(http.MethodPatch, path, `{"play":{"takebacks":true}}`, made.etag()).want(t, http.StatusOK).
		has(t, `"no_show_ms":60000`, `"takebacks":true`)
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range []person{ada, bob} {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	id, seated := boardOne(t, round, ada, bob)
	play(t, id, seated[0], 1, "c1-c5")
	s.pass(time.Minute + time.Second)
	over := seated[1].post("/games/"+id+"/moves", move(2, 2, "a1-e1")).refused(t, http.StatusConflict, "flag-fallen")
	if over.status != http.StatusConflict {
		t.Errorf("%s", over.raw)
	}
	s.anonymous().get("/games/"+id).want(t, http.StatusOK).has(t, `"reason":"forfeit"`, "no first move in time")
	s.anonymous().get(path+"/rounds/1").want(t, http.StatusOK).has(t, `"result":"+--"`)
	if changes := s.anonymous().get("/games/" + id + "/rating-changes"); len(changes.list("items")) != 0 {
		t.Errorf("a game that was none is rated: %s", changes.raw)
	}
	s.anonymous().get(path+"/entries").want(t, http.StatusOK).has(t, `"withdrawn"`)
	next := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	if next.text("pairings", 0, "result") == "" {
		t.Errorf("the next round does not go on without the one who did not come: %s", next.raw)
	}
	recordsIn(t, s.anonymous().get("/games/"+id+"/record").want(t, http.StatusOK))
}
