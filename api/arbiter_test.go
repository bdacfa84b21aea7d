package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// boardOne returns the game on the first board of a round, and the players at its seats.
func boardOne(t *testing.T, round *answer, players ...person) (string, []person) {
	t.Helper()
	id := round.text("pairings", 0, "game_id")
	g := players[0].get("/games/"+id).want(t, http.StatusOK)
	seated := make([]person, len(g.list("seats")))
	for i := range seated {
		for _, p := range players {
			if p.player == g.text("seats", i, "player", "id") {
				seated[i] = p
			}
		}
	}
	return id, seated
}

func because(reason string, more ...any) map[string]any {
	body := map[string]any{"reason": reason}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return body
}

// TestArbitersActOnGames goes through all that an arbiter may do, and checks the record in the end.
func TestArbitersActOnGames(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	game := "/games/" + id
	white, black := seated[0], seated[1]
	s.pass(10 * time.Second)
	play(t, id, white, 1, "c1-c5")
	s.pass(5 * time.Second)
	olga.post(game+"/pause", because("The fire alarm.", "cause", "alarm")).want(t, http.StatusOK).
		has(t, `"paused"`, `"text":"alarm"`, "The fire alarm.")
	black.post(game+"/moves", move(2, 2, "a1-e1")).refused(t, http.StatusConflict, "paused")
	olga.post(game+"/clock", because("They left in a hurry.", "seat", 2, "add_ms", 60_000)).want(t, http.StatusOK).
		has(t, `"kind":"add"`, `"text":"60000"`)
	s.pass(5 * time.Minute)
	olga.post(game+"/resume", because("False alarm.")).want(t, http.StatusOK).has(t, `"running"`)
	olga.post(game+"/resume", because("Again.")).refused(t, http.StatusConflict, "not-paused")
	play(t, id, black, 2, "a1-e1")
	back := olga.post(game+"/takeback", because("The wrong cube.", "turn", 3)).want(t, http.StatusOK)
	if back.number("turn") != 4 || back.number("plies") != 1 || back.number("seats", 1, "remaining_ms") < 299_000 ||
		back.number("seats", 1, "remaining_ms") > 300_000 {
		t.Errorf("after the takeback: %s", back.raw)
	}
	olga.post(game+"/takeback", because("Twice.", "turn", 3)).refused(t, http.StatusConflict, "stale-turn")
	olga.post(game+"/takeback", because("Too far.", "turn", 4, "plies", 9)).
		refused(t, http.StatusUnprocessableEntity, "illegal-move")
	black.post(game+"/moves", move(2, 4, "e1-e5")).want(t, http.StatusOK)
	olga.post(game+"/clock", because("Set both?", "seat", 1)).refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.post(game+"/clock", because("Periods.", "seat", 1, "set_ms", 5, "periods", 2)).
		refused(t, http.StatusUnprocessableEntity, "clock").lacks(t, "state:")
	olga.post(game+"/adjudicate", because("x", "ranks", []int{2, 2})).refused(t, http.StatusUnprocessableEntity, "ranks")
	olga.post(game+"/adjudicate", because("   ", "ranks", []int{2, 1})).want(t, http.StatusBadRequest)
	over := olga.post(game+"/adjudicate", because("Nobody can win this.", "ranks", []int{1, 1})).want(t, http.StatusOK)
	if over.text("outcome", "reason") != "adjudication" || over.text("status") != "finished" {
		t.Errorf("%s", over.raw)
	}
	olga.post(game+"/takeback", because("Too late.", "turn", 5)).refused(t, http.StatusConflict, "game-over")
	after := s.anonymous().get(path+"/rounds/1").want(t, http.StatusOK)
	if after.text("pairings", 0, "result") != "1/2-1/2" {
		t.Errorf("%s", after.raw)
	}
	r := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).
		has(t, "!pause=alarm", "!resume=alarm", "2:!add=0:01:00", "!takeback=2", "\n!adjudication=1,1",
			"Nobody can win this."))
	if len(r) != 1 || len(r[0].Entries) != 8 {
		t.Errorf("the record has %d entries", len(r[0].Entries))
	}
	s.anonymous().get(game+"/record", header{"Accept", "application/json"}).want(t, http.StatusOK).
		has(t, `"kind":"takeback"`, `"text":"0:01:00"`)
}

// TestArbitersRights tries every act as each that may not.
func TestArbitersRights(t *testing.T) {
	s := newService(t)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	root, arno, eve := s.withRole("root", account.RoleAdmin), s.register("arno"), s.register("eve")
	ada, bob := s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	arbiters := olga.get(path+"/arbiters").want(t, http.StatusOK)
	id, _ := boardOne(t, round, ada, bob)
	casual := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	acts := map[string]map[string]any{
		"pause": because("x"), "clock": because("x", "seat", 1, "add_ms", 1), "resume": because("x"),
		"takeback": because("x", "turn", 1),
		"forfeit":  because("x", "seat", 1), "adjudicate": because("x", "ranks", []int{1, 2}),
	}
	for act, body := range acts {
		for name, p := range map[string]person{
			"player": ada, "stranger": eve, "other organiser": otto,
			"arbiter to be": arno,
		} {
			if a := p.post("/games/"+id+"/"+act, body); a.status != http.StatusForbidden {
				t.Errorf("%s by %s: %d", act, name, a.status)
			}
		}
		s.anonymous().post("/games/"+id+"/"+act, body).refused(t, http.StatusUnauthorized, "unauthorized")
		olga.post("/games/"+casual+"/"+act, body).refused(t, http.StatusForbidden, "forbidden")
		olga.post("/games/0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11/"+act, body).refused(t, http.StatusNotFound, "not-found")
		delete(body, "reason")
		olga.post("/games/"+id+"/"+act, body).want(t, http.StatusBadRequest)
	}
	olga.send(http.MethodPut, path+"/arbiters", map[string]any{"logins": []string{"arno"}}, arbiters.etag()).
		want(t, http.StatusOK)
	arno.tokenFor("play").post("/games/"+id+"/pause", because("x")).refused(t, http.StatusForbidden, "insufficient-scope")
	arno.post("/games/"+id+"/pause", because("x")).want(t, http.StatusOK)
	root.post("/games/"+id+"/resume", because("x")).want(t, http.StatusOK)
	root.post("/games/"+casual+"/forfeit", because("Left the hall.", "seat", 2)).want(t, http.StatusOK).
		has(t, `"reason":"forfeit"`)
	arno.post("/games/"+id+"/forfeit", because("Never came.", "seat", 2)).want(t, http.StatusOK)
	if r := s.anonymous().get(path + "/rounds/1"); r.text("pairings", 0, "result") != "+--" {
		t.Errorf("a forfeit before the first move is no game: %s", r.raw)
	}
}

// TestAnActThatIsRepeatedCountsOnce sends the same order several times under one key.
func TestAnActThatIsRepeatedCountsOnce(t *testing.T) {
	s := newService(t)
	root, ada, bob := s.withRole("root", account.RoleAdmin), s.register("ada"), s.register("bob")
	game := "/games/" + duel(t, ada, bob, "quixo/duel", "none").text("id")
	root.post(game+"/clock", because("x", "seat", 1, "add_ms", 1)).refused(t, http.StatusUnprocessableEntity, "clock")
	game = "/games/" + duel(t, ada, bob, "quixo/duel", "60").text("id")
	for range 3 {
		root.post(game+"/clock", because("Lamp.", "seat", 2, "add_ms", 5_000), header{"Idempotency-Key", "lamp"}).
			want(t, http.StatusOK)
	}
	if g := root.get(game); g.number("seats", 1, "remaining_ms") != 65_000 { // it does not run
		t.Errorf("%s", g.raw)
	}
	secret := duel(t, ada, bob, "quiwin/duel", "60")
	token := secret.text("legal", "1", 0)
	play(t, secret.text("id"), ada, 1, token)
	refused := root.post("/games/"+secret.text("id")+"/takeback", because("x", "turn", 1)).
		refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if !strings.Contains(refused.text("detail"), "drawn again") ||
		strings.Contains(string(refused.raw), fmt.Sprintf("%q", token)) {
		t.Errorf("%s", refused.raw)
	}
}
