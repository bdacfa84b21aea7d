package desk_test

import (
	"net/http"
	"slices"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestAnEntryGetsItsPlayerLate over REST and at the desk: by staff, once, and not with a player that has an entry
// already or does not exist; what is played afterwards is rated.
func TestAnEntryGetsItsPlayerLate(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, paul := s.WithRole("olga", account.RoleOrganiser), s.Register("paul")
	known, other := apitest.MakePlayer(t, olga, "Known"), apitest.MakePlayer(t, olga, "Other")
	id := olga.Post("/tournaments", map[string]any{
		"name": "Hall", "variant": "quixo/duel", "format": "double_round_robin", "time_control": "900+10", "venue": "hall",
		"rated": true,
	}).Want(t, http.StatusCreated).Text("id")
	path := "/tournaments/" + id
	first := olga.Post(path+"/entries", map[string]any{"player_id": known}).Want(t, http.StatusCreated).Text("id")
	second := olga.Post(path+"/entries", map[string]any{"name": "Guest"}).Want(t, http.StatusCreated).Text("id")
	always := apitest.Header{"If-Match", "*"}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	bind := func(who apitest.Person, entry, player string) *apitest.Answer {
		return who.Send(http.MethodPatch, path+"/entries/"+entry, map[string]any{"members": []string{player}}, always)
	}
	result := func(round string) *apitest.Answer {
		olga.Send(http.MethodPut, path+"/rounds/"+round+"/pairings/1/result", `{"result":"1-0"}`, always).
			Want(t, http.StatusOK)
		return olga.Get(path+"/rounds/"+round+"/pairings/1/result").Want(t, http.StatusOK)
	}
	bind(paul, second, other).Want(t, http.StatusForbidden)
	bind(s.Anonymous(), second, other).Want(t, http.StatusUnauthorized)
	bind(olga, second, known).Want(t, http.StatusUnprocessableEntity)
	bind(olga, second, "00000000-0000-4000-9000-000000000000").Want(t, http.StatusUnprocessableEntity)
	bind(olga, first, other).Want(t, http.StatusConflict)
	olga.Get("//tournaments/"+id+"/desk?tab=entries&entry="+second).Want(t, http.StatusOK).
		Says(t, "from the next published round")

	done := make(chan int, 2) // two at the same time: the second is too late
	for _, player := range []string{other, apitest.MakePlayer(t, olga, "Third")} {
		go func() { done <- bind(olga, second, player).Status }()
	}
	if got := []int{<-done, <-done}; !slices.Contains(got, http.StatusOK) || !slices.Contains(got, http.StatusConflict) {
		t.Errorf("two at once: %v", got)
	}
	if olga.Get(path+"/history").Want(t, http.StatusOK).At("undoable") != nil {
		t.Error("the binding can be undone")
	}
	olga.Send(http.MethodPut, path+"/rounds/1/pairings/1/result", `{"result":"1-0","rated":true}`, always).
		Want(t, http.StatusUnprocessableEntity)
	if v := result("1"); v.At("hall_game_id") != nil {
		t.Errorf("the round before is rated: %s", v.Raw)
	}
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	result("2")
	if p := olga.Get(path+"/rounds/2").Want(t, http.StatusOK); p.At("pairings", 0, "hall_game_id") == nil {
		t.Errorf("the round after is not rated: %s", p.Raw)
	}
}
