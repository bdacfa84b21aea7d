package api_test

import (
	"net/http"
	"sync"
	"testing"

	"quatuor/tournament/account"
)

// together sends requests at the same time and counts their statuses.
func together(requests ...func() *answer) map[int]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	counts := map[int]int{}
	for _, send := range requests {
		all.Go(func() {
			<-start
			a := send()
			mu.Lock()
			defer mu.Unlock()
			counts[a.status]++
		})
	}
	close(start)
	all.Wait()
	return counts
}

func times(n int, send func() *answer) []func() *answer {
	out := make([]func() *answer, n)
	for i := range out {
		out[i] = send
	}
	return out
}

func TestMovesAtTheSameTime(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	same := together(times(10, func() *answer { return ada.post("/games/"+id+"/moves", move(1, 1, "c1-c5")) })...)
	if same[http.StatusOK] != 10 {
		t.Errorf("the same move ten times: %v", same)
	}
	var different []func() *answer
	for _, token := range []string{"a1-a5", "a1-e1", "a5-a1", "a5-e5", "e1-a1", "e1-e5", "e5-a5", "e5-e1"} {
		different = append(different, func() *answer { return bob.post("/games/"+id+"/moves", move(2, 2, token)) })
	}
	if got := together(different...); got[http.StatusOK] != 1 || got[http.StatusConflict] != len(different)-1 {
		t.Errorf("different moves for one turn: %v", got)
	}
	if g := s.anonymous().get("/games/" + id); g.number("plies") != 2 {
		t.Errorf("%s", g.raw)
	}
	over := together(append(times(5, func() *answer { return ada.post("/games/"+id+"/resign", `{"seat":1}`) }),
		times(5, func() *answer { return bob.post("/games/"+id+"/resign", `{"seat":2}`) })...)...)
	if over[http.StatusOK] != 5 || over[http.StatusConflict] != 5 { // the seat that resigned first, and the same again
		t.Errorf("resigning together: %v", over)
	}
}

func TestOrganisingAtTheSameTime(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	patched := together(times(8, func() *answer {
		return olga.send(http.MethodPatch, path, `{"name":"Other cup"}`, made.etag())
	})...)
	if patched[http.StatusOK] != 1 || patched[http.StatusPreconditionFailed] != 7 {
		t.Errorf("editing one version together: %v", patched)
	}
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	entered := together(times(6, func() *answer {
		return ada.post(path+"/entries", map[string]any{"player_id": ada.player})
	})...)
	if entered[http.StatusCreated] != 1 || entered[http.StatusUnprocessableEntity] != 5 {
		t.Errorf("entering together: %v", entered)
	}
	bob.post(path+"/entries", map[string]any{"player_id": bob.player}).want(t, http.StatusCreated)
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	rounds := together(times(6, func() *answer { return olga.post(path+"/rounds", nil) })...)
	if rounds[http.StatusCreated] != 1 || rounds[http.StatusConflict] != 5 {
		t.Errorf("pairing together: %v", rounds)
	}
	if games := s.anonymous().get("/games").want(t, http.StatusOK); len(games.list("items")) != 1 {
		t.Errorf("%s", games.raw)
	}
	keyed := together(times(6, func() *answer { return olga.post("/players", `{"name":"Cleo"}`, key("k")) })...)
	if keyed[http.StatusCreated]+keyed[http.StatusConflict] != 6 || keyed[http.StatusCreated] < 1 {
		t.Errorf("one key together: %v", keyed)
	}
	if found := s.anonymous().get("/players?name=cleo").want(t, http.StatusOK); len(found.list("items")) != 1 {
		t.Errorf("%s", found.raw)
	}
}

func TestRefreshingAtTheSameTimeEndsTheSession(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	got := together(times(5, func() *answer {
		return s.anonymous().post("/sessions/refresh", map[string]any{"refresh_token": ada.refresh})
	})...)
	if got[http.StatusOK] > 1 || got[http.StatusUnauthorized] < 4 {
		t.Errorf("%v", got)
	}
	ada.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
}
