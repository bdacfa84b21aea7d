package api_test

import (
	"net/http"
	"slices"
	"testing"

	"quatuor/tournament/account"
)

// TestAnEntryGetsItsPlayerLate over REST and at the desk: by staff, once, and not with a player that has an entry
// already or does not exist; what is played afterwards is rated.
func TestAnEntryGetsItsPlayerLate(t *testing.T) {
	s := newService(t, withRealPages)
	olga, paul := s.withRole("olga", account.RoleOrganiser), s.register("paul")
	known, other := makePlayer(t, olga, "Known"), makePlayer(t, olga, "Other")
	id := olga.post("/tournaments", map[string]any{
		"name": "Hall", "variant": "quixo/duel", "format": "double_round_robin", "time_control": "900+10", "venue": "hall",
		"rated": true,
	}).want(t, http.StatusCreated).text("id")
	path := "/tournaments/" + id
	first := olga.post(path+"/entries", map[string]any{"player_id": known}).want(t, http.StatusCreated).text("id")
	second := olga.post(path+"/entries", map[string]any{"name": "Guest"}).want(t, http.StatusCreated).text("id")
	always := header{"If-Match", "*"}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	bind := func(who person, entry, player string) *answer {
		return who.send(http.MethodPatch, path+"/entries/"+entry, map[string]any{"members": []string{player}}, always)
	}
	result := func(round string) *answer {
		olga.send(http.MethodPut, path+"/rounds/"+round+"/pairings/1/result", `{"result":"1-0"}`, always).
			want(t, http.StatusOK)
		return olga.get(path+"/rounds/"+round+"/pairings/1/result").want(t, http.StatusOK)
	}
	bind(paul, second, other).want(t, http.StatusForbidden)
	bind(s.anonymous(), second, other).want(t, http.StatusUnauthorized)
	bind(olga, second, known).want(t, http.StatusUnprocessableEntity)
	bind(olga, second, "00000000-0000-4000-9000-000000000000").want(t, http.StatusUnprocessableEntity)
	bind(olga, first, other).want(t, http.StatusConflict)
	olga.get("//tournaments/"+id+"/desk?tab=entries&entry="+second).want(t, http.StatusOK).
		says(t, "from the next published round")

	done := make(chan int, 2) // two at once: one of them is too late
	for _, player := range []string{other, makePlayer(t, olga, "Third")} {
		go func() { done <- bind(olga, second, player).status }()
	}
	if got := []int{<-done, <-done}; !slices.Contains(got, http.StatusOK) || !slices.Contains(got, http.StatusConflict) {
		t.Errorf("two at once: %v", got)
	}
	if olga.get(path+"/history").want(t, http.StatusOK).at("undoable") != nil {
		t.Error("the binding can be undone")
	}
	olga.send(http.MethodPut, path+"/rounds/1/pairings/1/result", `{"result":"1-0","rated":true}`, always).
		want(t, http.StatusUnprocessableEntity)
	if v := result("1"); v.at("hall_game_id") != nil {
		t.Errorf("the round before is rated: %s", v.raw)
	}
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	result("2")
	if p := olga.get(path+"/rounds/2").want(t, http.StatusOK); p.at("pairings", 0, "hall_game_id") == nil {
		t.Errorf("the round after is not rated: %s", p.raw)
	}
}
