package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"quatuor/tournament/account"
)

// TestPlacesOfATournament: pages say how many are left; a registration beyond them is refused at both doors; the
// organiser may enter more.
func TestPlacesOfATournament(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob, cleo := s.register("ada"), s.register("bob"), s.register("cleo")
	id := olga.draft("Small Cup")
	at := "/tournaments/" + id
	patch := func(body string) *answer { return olga.send(http.MethodPatch, at, body, anyTag) }
	patch(`{"max_entries":10001}`).refused(t, http.StatusBadRequest, "malformed").has(t, "/max_entries")
	if n := patch(`{"max_entries":2}`).want(t, http.StatusOK).number("max_entries"); n != 2 {
		t.Errorf("%v places", n)
	}
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	says := func(path string, as person, texts ...string) {
		t.Helper()
		as.get("/"+path, header{"Accept-Language", "en"}).want(t, http.StatusOK).says(t, texts...)
	}
	register := func(p person) *answer { return p.form(at+"/register", url.Values{}) }
	says(at, ada, "Take part", "2 places left.", "0 of 2 entries")
	says("/", s.anonymous(), "2 places left.", "Take part in Small Cup")
	register(ada).to(t, at+"?said=part_in")
	says(at, bob, "1 place left.")
	bob.post(at+"/entries", map[string]any{"player_id": bob.player}).want(t, http.StatusCreated)
	says(at, cleo, "All places are taken.", "2 of 2 entries")
	cleo.get("/"+at).want(t, http.StatusOK).lacks(t, at+"/register")
	says("/", s.anonymous(), "All places are taken.")
	s.anonymous().get("//").want(t, http.StatusOK).lacks(t, "Take part in Small Cup")

	register(cleo).to(t, at+"?said=part_full")
	says(at+"?said=part_full", cleo, "Please speak to the organiser.")
	cleo.post(at+"/entries", map[string]any{"player_id": cleo.player}).
		refused(t, http.StatusConflict, "tournament-full").has(t, "all 2 places are taken")
	says("/problems/tournament-full", cleo, "Tournament full")
	olga.post(at+"/entries", map[string]any{"player_id": cleo.player}).want(t, http.StatusCreated)
	says(at, ada, "3 of 2 entries")
	says(at+"/desk?tab=entries", olga, "3 of 2 entries")
	if patch(`{"max_entries":0,"rounds":1}`).want(t, http.StatusOK).at("max_entries") != nil {
		t.Error("without a limit one is shown")
	}
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	patch(`{"max_entries":8}`).refused(t, http.StatusConflict, "wrong-state")
}

// TestLastPlaceIsTakenOnce by several who register at the same time.
func TestLastPlaceIsTakenOnce(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	id := olga.draft("Race")
	at := "/tournaments/" + id
	olga.send(http.MethodPatch, at, `{"max_entries":3}`, anyTag).want(t, http.StatusOK)
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	players, answers := make([]person, 8), make([]*answer, 8)
	for i := range players {
		players[i] = s.register(fmt.Sprint("racer", i))
	}
	var all sync.WaitGroup
	for i, p := range players {
		all.Go(func() { answers[i] = p.post(at+"/entries", map[string]any{"player_id": p.player}) })
	}
	all.Wait()
	in := 0
	for _, a := range answers {
		if a.status == http.StatusCreated {
			in++
			continue
		}
		a.refused(t, http.StatusConflict, "tournament-full")
	}
	if n := olga.get(at).number("entries"); in != 3 || n != 3 {
		t.Errorf("%d were told that they are in, %v are", in, n)
	}
}
