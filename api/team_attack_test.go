package api_test

import (
	"net/http"
	"testing"
	"time"
)

// TestARoundPairedAgainAsksForNewLineUps: what was filed, and said to be final, for a round that was deleted counts for
// nobody when the same teams meet again in it, and stays with the teams; a deletion that is taken back brings it back.
func TestARoundPairedAgainAsksForNewLineUps(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, ""), 2)
	match := x.matches(1)[0]
	white, black := x.sides(match)
	file := func(side int, players ...string) *answer {
		t.Helper()
		return x.captains[side].send(http.MethodPut, match+"/lineup", map[string]any{"players": players}, header{"If-Match", "*"}).
			want(t, http.StatusOK)
	}
	drop := func() {
		t.Helper()
		x.olga.send(http.MethodDelete, x.path+"/rounds/1", nil, header{"If-Match", "*"}).want(t, http.StatusNoContent)
		x.pass(time.Second)
	}
	old := x.members[white][4]
	file(white, old, x.members[white][1])
	x.captains[white].post(match+"/lineup/final", nil).want(t, http.StatusOK)
	drop()
	x.olga.post(x.path+"/undo", map[string]any{"act": x.olga.get(x.path + "/history").number("undoable")}).want(t, http.StatusOK)
	if own := x.captains[white].get(match + "/lineup").want(t, http.StatusOK); own.number("version") != 2 || own.at("final") != true {
		t.Errorf("after the undo: %s", own.raw)
	}
	drop()
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
	if own := x.captains[white].get(match + "/lineup").want(t, http.StatusOK); own.number("version") != 0 || own.at("final") != false {
		t.Errorf("the captain has filed: %s", own.lacks(t, old).raw)
	}
	x.olga.get(match).want(t, http.StatusOK).has(t, `"filed":[false,false]`)
	x.captains[black].post(match+"/lineup/final", nil).want(t, http.StatusOK)
	x.anonymous().get(match).want(t, http.StatusOK).lacks(t, `"boards"`)
	if own := file(white, x.members[white][2], x.members[white][3]); own.number("version") != 3 {
		t.Errorf("%s", own.raw)
	}
	x.captains[white].post(match+"/lineup/final", nil).want(t, http.StatusOK)
	x.anonymous().get(match).want(t, http.StatusOK).has(t, `"boards"`).lacks(t, old)
}
