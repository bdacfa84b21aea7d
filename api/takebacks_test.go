package api_test

import (
	"net/http"
	"sync"
	"testing"
)

func friendly(t *testing.T, one, two person, more string) string {
	t.Helper()
	return one.post("/games",
		`{"variant":"quixo/duel","time_control":"300+3","start":"now","seats":[{"player_id":"`+one.player+
			`"},{"player_id":"`+two.player+`"}]`+more+`}`).want(t, http.StatusCreated).text("id")
}

func TestTakebacksOverTheAPI(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	game := "/games/" + friendly(t, ada, bob, "")
	ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK).has(t, `"takebacks":true`)
	ask := func(p person, what string) *answer {
		return p.post(game+"/takeback-offer", map[string]any{"action": what})
	}
	ask(eve, "offer").refused(t, http.StatusForbidden, "not-your-seat")
	ask(s.anonymous(), "offer").refused(t, http.StatusUnauthorized, "unauthorized")
	ask(bob, "accept").refused(t, http.StatusConflict, "no-offer")
	ask(bob, "offer").refused(t, http.StatusUnprocessableEntity, "illegal-move")
	ask(ada, "offer").want(t, http.StatusOK).has(t, `"takeback_offer":1`)
	ask(ada, "accept").refused(t, http.StatusConflict, "no-offer")
	after := ask(bob, "accept").want(t, http.StatusOK).lacks(t, "takeback_offer\":")
	if after.number("plies") != 0 || after.number("turn") != 3 {
		t.Errorf("%s", after.raw)
	}
	if again := ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK); again.number("plies") != 0 {
		t.Errorf("a request that is repeated makes the move again that was taken back: %s", again.raw)
	}
	ada.post(game+"/moves", move(1, 1, "a1-a5")).refused(t, http.StatusConflict, "stale-turn")
	ada.post(game+"/moves", move(1, 3, "a1-a5")).want(t, http.StatusOK)
	recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).has(t, "1:!takeback-offer", "!takeback=1 {[%by 2]", "1. a1-a5"))

	for _, other := range []string{friendly(t, ada, bob, `,"takebacks":false`), friendly(t, ada, bob, `,"rated":true`)} {
		game = "/games/" + other
		ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK).lacks(t, "takebacks")
		ask(ada, "offer").refused(t, http.StatusConflict, "no-takebacks")
	}
}

func TestARematchOverTheAPI(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	game := "/games/" + friendly(t, ada, bob, `,"options":{"repetition":"5"}`)
	ada.post(game+"/rematch", nil).refused(t, http.StatusConflict, "not-over")
	s.anonymous().get(game+"/rematch").refused(t, http.StatusNotFound, "not-found")
	play(t, game[len("/games/"):], ada, 1, "c1-c5")
	bob.post(game+"/resign", nil).want(t, http.StatusOK)
	eve.post(game+"/rematch", nil).refused(t, http.StatusForbidden, "not-your-seat")
	s.anonymous().post(game+"/rematch", nil).refused(t, http.StatusUnauthorized, "unauthorized")
	offered := ada.post(game+"/rematch", nil).want(t, http.StatusOK)
	if offered.text("status") != "waiting" || offered.text("seats", 0, "player", "id") != bob.player || offered.text("options", "repetition") != "5" {
		t.Errorf("%s", offered.raw)
	}
	bob.post("/games/"+offered.text("id")+"/moves", move(1, 1, "c1-c5")).refused(t, http.StatusConflict, "not-started")
	s.anonymous().get(game+"/rematch").want(t, http.StatusOK).has(t, offered.text("id"))
	var wg sync.WaitGroup
	for _, p := range []person{bob, bob, ada} {
		wg.Go(func() { p.post(game+"/rematch", nil) })
	}
	wg.Wait()
	if next := s.anonymous().get("/games?player=" + ada.player); len(next.list("items")) != 2 || next.text("items", 0, "status") != "running" {
		t.Errorf("%s", next.raw)
	}
	other := "/games/" + friendly(t, bob, ada, "")
	bob.post(other+"/resign", nil).want(t, http.StatusOK)
	waits := bob.post(other+"/rematch", nil).want(t, http.StatusOK).text("id")
	ada.post("/games/"+waits+"/abort", nil).want(t, http.StatusOK)
	bob.post(other+"/rematch", nil).refused(t, http.StatusConflict, "rematch-declined")
}

// TestAbortAndMoveAtOnce: once both have moved, a game cannot be broken off, however the requests arrive.
func TestAbortAndMoveAtOnce(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	phone := bob.again()
	for range 12 {
		id := friendly(t, ada, bob, "")
		play(t, id, ada, 1, "c1-c5")
		var wg sync.WaitGroup
		var moved, other, aborted *answer
		wg.Go(func() { moved = bob.post("/games/"+id+"/moves", move(2, 2, "a1-e1")) })
		wg.Go(func() { other = phone.post("/games/"+id+"/moves", move(2, 2, "a1-a5")) })
		wg.Go(func() { aborted = ada.post("/games/"+id+"/abort", nil) })
		wg.Wait()
		g := s.anonymous().get("/games/"+id).want(t, http.StatusOK)
		done := 0
		for _, a := range []*answer{moved, other, aborted} {
			if a.status == http.StatusOK {
				done++
			}
		}
		if done != 1 || (g.text("status") == "aborted") != (aborted.status == http.StatusOK) {
			t.Errorf("moves %d and %d, abort %d: %s after %v plies", moved.status, other.status, aborted.status, g.text("status"), g.number("plies"))
		}
	}
}
