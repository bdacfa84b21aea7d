package api_test

import (
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// TestCheckInOverREST opens and closes a check-in, lets players check themselves in while it is open, and pairs the
// present ones.
func TestCheckInOverREST(t *testing.T) {
	s := newService(t)
	organiser, anna, bert, cleo := s.withRole("olga", account.RoleOrganiser), s.register("anna"), s.register("bert"),
		s.register("cleo")
	id := organiser.draft("Thursday")
	at := "/tournaments/" + id
	organiser.send(http.MethodPatch, at, map[string]any{"rounds": 2}, header{"If-Match", "*"}).want(t, http.StatusOK)
	organiser.post(at+"/open", nil).want(t, http.StatusOK)
	entries := map[string]string{}
	for _, p := range []person{anna, bert, cleo} {
		entries[p.player] = organiser.post(at+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated).
			text("id")
	}
	presence := func(p person) string { return at + "/entries/" + entries[p.player] + "/presence" }
	anna.send(http.MethodPut, presence(anna), nil).refused(t, http.StatusConflict, "wrong-state")
	anna.post(at+"/check-in/open", nil).refused(t, http.StatusForbidden, "forbidden")
	organiser.post(at+"/check-in/close", nil).refused(t, http.StatusConflict, "wrong-state")
	if stage := organiser.post(at+"/check-in/open", nil).want(t, http.StatusOK).text("check_in"); stage != "open" {
		t.Errorf("the check-in is %q", stage)
	}
	anna.send(http.MethodPut, presence(bert), nil).refused(t, http.StatusForbidden, "forbidden")
	s.anonymous().send(http.MethodPut, presence(bert), nil).refused(t, http.StatusUnauthorized, "unauthorized")
	for range 2 { // it may come twice
		if here, _ := anna.send(http.MethodPut, presence(anna), nil).want(t, http.StatusOK).at("present").(bool); !here {
			t.Error("anna is not checked in")
		}
	}
	if seen := bert.get(at+"/entries/"+entries[anna.player]).want(t, http.StatusOK).at("present"); seen != nil {
		t.Errorf("others see who is there: %v", seen)
	}
	organiser.send(http.MethodPut, presence(bert), nil).want(t, http.StatusOK)
	organiser.post(at+"/start", nil).refused(t, http.StatusConflict, "wrong-state")
	organiser.post(at+"/check-in/close", nil).want(t, http.StatusOK)
	cleo.send(http.MethodPut, presence(cleo), nil).refused(t, http.StatusConflict, "wrong-state")
	organiser.post(at+"/start", nil).want(t, http.StatusOK)
	round := organiser.post(at+"/rounds", nil).want(t, http.StatusCreated)
	byes := 0
	for i := range round.list("pairings") {
		if bye := round.text("pairings", i, "bye"); bye != "" {
			byes++
			if bye != "ZPB" || round.text("pairings", i, "seats", 0) != entries[cleo.player] {
				t.Errorf("board %d has the bye %s", i+1, bye)
			}
		}
	}
	if byes != 1 {
		t.Errorf("%d byes", byes)
	}
	organiser.send(http.MethodPut, presence(cleo), nil).want(t, http.StatusOK) // late
	organiser.send(http.MethodDelete, presence(anna), nil).want(t, http.StatusOK)
	organiser.post(at+"/check-in/open", map[string]any{"anew": true}).want(t, http.StatusOK)
	if seen := organiser.get(at + "/entries/" + entries[cleo.player]).at("present"); seen != nil {
		t.Errorf("after opening anew cleo is there: %v", seen)
	}
	if stage := organiser.send(http.MethodDelete, at+"/check-in", nil).want(t, http.StatusOK).
		at("check_in"); stage != nil {
		t.Errorf("without a check-in it is %v", stage)
	}
	history := organiser.get(at + "/history?limit=100")
	kinds := map[string]int{}
	for i := range history.list("items") {
		kinds[history.text("items", i, "kind")]++
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
