package rest_test

import (
	"net/http"
	"sync"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// together sends requests at the same time and counts their statuses.
func together(requests ...func() *apitest.Answer) map[int]int {
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
			counts[a.Status]++
		})
	}
	close(start)
	all.Wait()
	return counts
}

func times(n int, send func() *apitest.Answer) []func() *apitest.Answer {
	out := make([]func() *apitest.Answer, n)
	for i := range out {
		out[i] = send
	}
	return out
}

func TestMovesAtTheSameTime(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	same := together(times(10, func() *apitest.Answer {
		return ada.Post("/games/"+id+"/moves",
			apitest.Move(1, 1, "c1-c5"))
	})...)
	if same[http.StatusOK] != 10 {
		t.Errorf("the same move ten times: %v", same)
	}
	var different []func() *apitest.Answer
	for _, token := range []string{"a1-a5", "a1-e1", "a5-a1", "a5-e5", "e1-a1", "e1-e5", "e5-a5", "e5-e1"} {
		different = append(different, func() *apitest.Answer {
			return bob.Post("/games/"+id+"/moves",
				apitest.Move(2, 2, token))
		})
	}
	if got := together(different...); got[http.StatusOK] != 1 || got[http.StatusConflict] != len(different)-1 {
		t.Errorf("different moves for one turn: %v", got)
	}
	if g := s.Anonymous().Get("/games/" + id); g.Number("plies") != 2 {
		t.Errorf("%s", g.Raw)
	}
	over := together(append(times(5, func() *apitest.Answer { return ada.Post("/games/"+id+"/resign", `{"seat":1}`) }),
		times(5, func() *apitest.Answer { return bob.Post("/games/"+id+"/resign", `{"seat":2}`) })...)...)
	if over[http.StatusOK] != 5 || over[http.StatusConflict] != 5 { // the seat that resigned first, and the same again
		t.Errorf("resigning together: %v", over)
	}
}

func TestOrganisingAtTheSameTime(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	made := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	patched := together(times(8, func() *apitest.Answer {
		return olga.Send(http.MethodPatch, path, `{"name":"Other cup"}`, made.IfMatch())
	})...)
	if patched[http.StatusOK] != 1 || patched[http.StatusPreconditionFailed] != 7 {
		t.Errorf("editing one version together: %v", patched)
	}
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	entered := together(times(6, func() *apitest.Answer {
		return ada.Post(path+"/entries", map[string]any{"player_id": ada.Player})
	})...)
	if entered[http.StatusCreated] != 1 || entered[http.StatusUnprocessableEntity] != 5 {
		t.Errorf("entering together: %v", entered)
	}
	bob.Post(path+"/entries", map[string]any{"player_id": bob.Player}).Want(t, http.StatusCreated)
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	rounds := together(times(6, func() *apitest.Answer { return olga.Post(path+"/rounds", nil) })...)
	if rounds[http.StatusCreated] != 1 || rounds[http.StatusConflict] != 5 {
		t.Errorf("pairing together: %v", rounds)
	}
	if games := s.Anonymous().Get("/games").Want(t, http.StatusOK); len(games.List("items")) != 1 {
		t.Errorf("%s", games.Raw)
	}
	keyed := together(times(6, func() *apitest.Answer {
		return olga.Post("/players", `{"name":"Cleo"}`,
			apitest.Key("k"))
	})...)
	if keyed[http.StatusCreated]+keyed[http.StatusConflict] != 6 || keyed[http.StatusCreated] < 1 {
		t.Errorf("one key together: %v", keyed)
	}
	if found := s.Anonymous().Get("/players?name=cleo").Want(t, http.StatusOK); len(found.List("items")) != 1 {
		t.Errorf("%s", found.Raw)
	}
}

func TestRefreshingAtTheSameTimeEndsTheSession(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	got := together(times(5, func() *apitest.Answer {
		return s.Anonymous().Post("/sessions/refresh", map[string]any{"refresh_token": ada.Refresh})
	})...)
	if got[http.StatusOK] > 1 || got[http.StatusUnauthorized] < 4 {
		t.Errorf("%v", got)
	}
	ada.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
}
