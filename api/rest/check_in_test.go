package rest_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestCheckInOverREST opens and closes a check-in, lets players check themselves in while it is open, and pairs those
// that are present.
func TestCheckInOverREST(t *testing.T) {
	s := apitest.New(t)
	organiser, anna, bert, cleo := s.WithRole("olga", account.RoleOrganiser), s.Register("anna"), s.Register("bert"),
		s.Register("cleo")
	id := organiser.Draft("Thursday")
	at := "/tournaments/" + id
	organiser.Send(http.MethodPatch, at, map[string]any{"rounds": 2}, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	organiser.Post(at+"/open", nil).Want(t, http.StatusOK)
	entries := map[string]string{}
	for _, p := range []apitest.Person{anna, bert, cleo} {
		entries[p.Player] = organiser.Post(at+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated).
			Text("id")
	}
	presence := func(p apitest.Person) string { return at + "/entries/" + entries[p.Player] + "/presence" }
	anna.Send(http.MethodPut, presence(anna), nil).Refused(t, http.StatusConflict, "wrong-state")
	anna.Post(at+"/check-in/open", nil).Refused(t, http.StatusForbidden, "forbidden")
	organiser.Post(at+"/check-in/close", nil).Refused(t, http.StatusConflict, "wrong-state")
	if stage := organiser.Post(at+"/check-in/open", nil).Want(t, http.StatusOK).Text("check_in"); stage != "open" {
		t.Errorf("the check-in is %q", stage)
	}
	anna.Send(http.MethodPut, presence(bert), nil).Refused(t, http.StatusForbidden, "forbidden")
	s.Anonymous().Send(http.MethodPut, presence(bert), nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	for range 2 { // it may come twice
		if here, _ := anna.Send(http.MethodPut, presence(anna), nil).Want(t, http.StatusOK).At("present").(bool); !here {
			t.Error("anna is not checked in")
		}
	}
	if seen := bert.Get(at+"/entries/"+entries[anna.Player]).Want(t, http.StatusOK).At("present"); seen != nil {
		t.Errorf("others see who is there: %v", seen)
	}
	organiser.Send(http.MethodPut, presence(bert), nil).Want(t, http.StatusOK)
	organiser.Post(at+"/start", nil).Refused(t, http.StatusConflict, "wrong-state")
	organiser.Post(at+"/check-in/close", nil).Want(t, http.StatusOK)
	cleo.Send(http.MethodPut, presence(cleo), nil).Refused(t, http.StatusConflict, "wrong-state")
	organiser.Post(at+"/start", nil).Want(t, http.StatusOK)
	round := organiser.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
	byes := 0
	for i := range round.List("pairings") {
		if bye := round.Text("pairings", i, "bye"); bye != "" {
			byes++
			if bye != "ZPB" || round.Text("pairings", i, "seats", 0) != entries[cleo.Player] {
				t.Errorf("board %d has the bye %s", i+1, bye)
			}
		}
	}
	if byes != 1 {
		t.Errorf("%d byes", byes)
	}
	organiser.Send(http.MethodPut, presence(cleo), nil).Want(t, http.StatusOK) // late
	organiser.Send(http.MethodDelete, presence(anna), nil).Want(t, http.StatusOK)
	organiser.Post(at+"/check-in/open", map[string]any{"anew": true}).Want(t, http.StatusOK)
	if seen := organiser.Get(at + "/entries/" + entries[cleo.Player]).At("present"); seen != nil {
		t.Errorf("after opening anew cleo is there: %v", seen)
	}
	if stage := organiser.Send(http.MethodDelete, at+"/check-in", nil).Want(t, http.StatusOK).
		At("check_in"); stage != nil {
		t.Errorf("without a check-in it is %v", stage)
	}
	history := organiser.Get(at + "/history?limit=100")
	kinds := map[string]int{}
	for i := range history.List("items") {
		kinds[history.Text("items", i, "kind")]++
	}
	for kind, n := range map[string]int{
		"check_in_open": 2, "check_in_close": 1, "check_in_cancel": 1, "entry_present": 3,
		"entry_absent": 1,
	} {
		if kinds[kind] != n {
			t.Errorf("%d acts %s, want %d", kinds[kind], kind, n)
		}
	}
}
