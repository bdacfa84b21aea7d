package entries_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestPlacesOfATournament: pages show the number of places left; a registration beyond them is refused at both doors;
// the organiser may enter more.
func TestPlacesOfATournament(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob, cleo := s.Register("ada"), s.Register("bob"), s.Register("cleo")
	id := olga.Draft("Small Cup")
	at := "/tournaments/" + id
	patch := func(body string) *apitest.Answer { return olga.Send(http.MethodPatch, at, body, apitest.AnyVersion) }
	patch(`{"max_entries":10001}`).Refused(t, http.StatusBadRequest, "malformed").Has(t, "/max_entries")
	if n := patch(`{"max_entries":2}`).Want(t, http.StatusOK).Number("max_entries"); n != 2 {
		t.Errorf("%v places", n)
	}
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	says := func(path string, as apitest.Person, texts ...string) {
		t.Helper()
		as.Get("/"+path, apitest.Header{"Accept-Language", "en"}).Want(t, http.StatusOK).Says(t, texts...)
	}
	register := func(p apitest.Person) *apitest.Answer { return p.PostForm(at+"/register", url.Values{}) }
	says(at, ada, "Take part", "2 places left.", "0 of 2 entries")
	says("/", s.Anonymous(), "2 places left.", "Take part in Small Cup")
	register(ada).RedirectsTo(t, at+"?said=part_in")
	says(at, bob, "1 place left.")
	bob.Post(at+"/entries", map[string]any{"player_id": bob.Player}).Want(t, http.StatusCreated)
	says(at, cleo, "All places are taken.", "2 of 2 entries")
	cleo.Get("/"+at).Want(t, http.StatusOK).Lacks(t, at+"/register")
	says("/", s.Anonymous(), "All places are taken.")
	s.Anonymous().Get("//").Want(t, http.StatusOK).Lacks(t, "Take part in Small Cup")

	register(cleo).RedirectsTo(t, at+"?said=part_full")
	says(at+"?said=part_full", cleo, "Please speak to the organiser.")
	cleo.Post(at+"/entries", map[string]any{"player_id": cleo.Player}).
		Refused(t, http.StatusConflict, "tournament-full").Has(t, "all 2 places are taken")
	says("/problems/tournament-full", cleo, "Tournament full")
	olga.Post(at+"/entries", map[string]any{"player_id": cleo.Player}).Want(t, http.StatusCreated)
	says(at, ada, "3 of 2 entries")
	says(at+"/desk?tab=entries", olga, "3 of 2 entries")
	if patch(`{"max_entries":0,"rounds":1}`).Want(t, http.StatusOK).At("max_entries") != nil {
		t.Error("without a limit one is shown")
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	patch(`{"max_entries":8}`).Refused(t, http.StatusConflict, "wrong-state")
}

// TestLastPlaceIsTakenOnce: several players register for the last place at the same time.
func TestLastPlaceIsTakenOnce(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	id := olga.Draft("Race")
	at := "/tournaments/" + id
	olga.Send(http.MethodPatch, at, `{"max_entries":3}`, apitest.AnyVersion).Want(t, http.StatusOK)
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	players, answers := make([]apitest.Person, 8), make([]*apitest.Answer, 8)
	for i := range players {
		players[i] = s.Register(fmt.Sprint("racer", i))
	}
	var all sync.WaitGroup
	for i, p := range players {
		all.Go(func() { answers[i] = p.Post(at+"/entries", map[string]any{"player_id": p.Player}) })
	}
	all.Wait()
	in := 0
	for _, a := range answers {
		if a.Status == http.StatusCreated {
			in++
			continue
		}
		a.Refused(t, http.StatusConflict, "tournament-full")
	}
	if n := olga.Get(at).Number("entries"); in != 3 || n != 3 {
		t.Errorf("%d were told that they are in, %v are", in, n)
	}
}
