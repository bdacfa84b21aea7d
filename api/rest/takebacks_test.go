package rest_test

import (
	"net/http"
	"sync"
	"testing"

	"quatuor/api/apitest"
)

func TestTakebacksOverTheAPI(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	game := "/games/" + apitest.FriendlyGame(t, ada, bob, "")
	ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK).Has(t, `"takebacks":true`)
	ask := func(p apitest.Person, what string) *apitest.Answer {
		return p.Post(game+"/takeback-offer", map[string]any{"action": what})
	}
	ask(eve, "offer").Refused(t, http.StatusForbidden, "not-your-seat")
	ask(s.Anonymous(), "offer").Refused(t, http.StatusUnauthorized, "unauthorized")
	ask(bob, "accept").Refused(t, http.StatusConflict, "no-offer")
	ask(bob, "offer").Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	ask(ada, "offer").Want(t, http.StatusOK).Has(t, `"takeback_offer":1`)
	ask(ada, "accept").Refused(t, http.StatusConflict, "no-offer")
	after := ask(bob, "accept").Want(t, http.StatusOK).Lacks(t, "takeback_offer\":")
	if after.Number("plies") != 0 || after.Number("turn") != 3 {
		t.Errorf("%s", after.Raw)
	}
	if again := ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK); again.Number("plies") != 0 {
		t.Errorf("a request that is repeated makes the move again that was taken back: %s", again.Raw)
	}
	ada.Post(game+"/moves", apitest.Move(1, 1, "a1-a5")).Refused(t, http.StatusConflict, "stale-turn")
	ada.Post(game+"/moves", apitest.Move(1, 3, "a1-a5")).Want(t, http.StatusOK)
	recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).Has(t, "1:!takeback-offer", "!takeback=1 {[%by 2]", "1. a1-a5"))

	for _, other := range []string{
		apitest.FriendlyGame(t, ada, bob, `,"takebacks":false`),
		apitest.FriendlyGame(t, ada, bob, `,"rated":true`),
	} {
		game = "/games/" + other
		ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK).Lacks(t, "takebacks")
		ask(ada, "offer").Refused(t, http.StatusConflict, "no-takebacks")
	}
}

func TestARematchOverTheAPI(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	game := "/games/" + apitest.FriendlyGame(t, ada, bob, `,"options":{"repetition":"5"}`)
	ada.Post(game+"/rematch", nil).Refused(t, http.StatusConflict, "not-over")
	s.Anonymous().Get(game+"/rematch").Refused(t, http.StatusNotFound, "not-found")
	apitest.Play(t, game[len("/games/"):], ada, 1, "c1-c5")
	bob.Post(game+"/resign", nil).Want(t, http.StatusOK)
	eve.Post(game+"/rematch", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	s.Anonymous().Post(game+"/rematch", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	offered := ada.Post(game+"/rematch", nil).Want(t, http.StatusOK)
	if offered.Text("status") != "waiting" || offered.Text("seats", 0, "player", "id") != bob.Player || offered.Text("options", "repetition") != "5" {
		t.Errorf("%s", offered.Raw)
	}
	bob.Post("/games/"+offered.Text("id")+"/moves", apitest.Move(1, 1, "c1-c5")).
		Refused(t, http.StatusConflict, "not-started")
	s.Anonymous().Get(game+"/rematch").Want(t, http.StatusOK).Has(t, offered.Text("id"))
	var wg sync.WaitGroup
	for _, p := range []apitest.Person{bob, bob, ada} {
		wg.Go(func() { p.Post(game+"/rematch", nil) })
	}
	wg.Wait()
	if next := s.Anonymous().Get("/games?player=" + ada.Player); len(next.List("items")) != 2 || next.Text("items", 0, "status") != "running" {
		t.Errorf("%s", next.Raw)
	}
	other := "/games/" + apitest.FriendlyGame(t, bob, ada, "")
	bob.Post(other+"/resign", nil).Want(t, http.StatusOK)
	waits := bob.Post(other+"/rematch", nil).Want(t, http.StatusOK).Text("id")
	ada.Post("/games/"+waits+"/abort", nil).Want(t, http.StatusOK)
	bob.Post(other+"/rematch", nil).Refused(t, http.StatusConflict, "rematch-declined")
}

// TestAbortAndMoveAtOnce: once both have moved, a game cannot be broken off, however the requests arrive.
func TestAbortAndMoveAtOnce(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	phone := bob.Again()
	for range 12 {
		id := apitest.FriendlyGame(t, ada, bob, "")
		apitest.Play(t, id, ada, 1, "c1-c5")
		var wg sync.WaitGroup
		var moved, other, aborted *apitest.Answer
		wg.Go(func() { moved = bob.Post("/games/"+id+"/moves", apitest.Move(2, 2, "a1-e1")) })
		wg.Go(func() { other = phone.Post("/games/"+id+"/moves", apitest.Move(2, 2, "a1-a5")) })
		wg.Go(func() { aborted = ada.Post("/games/"+id+"/abort", nil) })
		wg.Wait()
		g := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK)
		done := 0
		for _, a := range []*apitest.Answer{moved, other, aborted} {
			if a.Status == http.StatusOK {
				done++
			}
		}
		if done != 1 || (g.Text("status") == "aborted") != (aborted.Status == http.StatusOK) {
			t.Errorf("moves %d and %d, abort %d: %s after %v plies", moved.Status, other.Status, aborted.Status, g.Text("status"), g.Number("plies"))
		}
	}
}
