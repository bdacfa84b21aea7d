package api_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestTwoLegs: a knock-out of teams in two legs, with line-ups for each, and pages, history and REST that say who goes
// on and why.
func TestTwoLegs(t *testing.T) {
	x := newLeague(t, hallOf("team_knockout", 0, 2, `,"legs":2`), 2, withRealPages)
	anyone := x.anonymous()
	seen := anyone.get(x.path).want(t, http.StatusOK)
	if seen.number("rounds") != 2 || seen.number("teams", "legs") != 2 {
		t.Fatalf("%s", seen.raw)
	}
	match := func(leg int) string { return fmt.Sprint(x.path, "/rounds/", leg, "/matches/1") }
	white, black := x.sides(match(1))
	x.final(match(1))
	x.board(match(1), 1, "1-0")
	x.board(match(1), 2, "1/2-1/2")
	first := anyone.get(match(1)).want(t, http.StatusOK).lacks(t, "goes_on", "decision")
	if first.number("leg") != 1 || first.text("result") != "1-0" {
		t.Errorf("%s", first.raw)
	}
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
	if w, b := x.sides(match(2)); w != black || b != white {
		t.Errorf("the colours are not exchanged: %d and %d after %d and %d", w, b, white, black)
	}
	anyone.get("/"+x.path+"/matches/1/1").want(t, http.StatusOK).says(t, "the first of two legs", "Leg 2").has(t, "/matches/2/1")
	anyone.get(match(2)).lacks(t, `"boards"`)
	captain := x.captains[white]
	captain.send(http.MethodPut, match(2)+"/lineup", map[string]any{"players": []string{x.members[white][2], x.members[white][3]}},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	anyone.get(match(2)).lacks(t, x.members[white][2])
	x.final(match(2))
	x.board(match(2), 1, "1-0")
	x.board(match(2), 2, "1-0")
	second := anyone.get(match(2)).want(t, http.StatusOK).has(t, x.members[white][2])
	if second.number("leg") != 2 || second.text("goes_on") != x.entries[black] || second.text("decision") != "2.5 to 1.5 game points" {
		t.Errorf("%s", second.raw)
	}
	anyone.get("/"+x.path+"/matches/2/1").want(t, http.StatusOK).says(t, "the second of two legs", "½ : 1½",
		fmt.Sprint("Team ", black+1, " goes on:"), "2.5 to 1.5 game points")
	anyone.get("/"+x.path+"?tab=round").want(t, http.StatusOK).says(t, "Final, leg 2", "2.5 to 1.5 game points")
	anyone.get("/"+x.path+"/history").want(t, http.StatusOK).says(t, "goes on: 2.5 to 1.5 game points")
	anyone.get("/"+x.path+"/rounds/2/explain").want(t, http.StatusOK).says(t, "It is the second leg")
	bracket := anyone.get(x.path+"/bracket").want(t, http.StatusOK)
	if len(bracket.list("rounds")) != 1 || bracket.text("winner", "id") != x.entries[black] ||
		bracket.number("rounds", 0, "matches", 0, "paired_in") != 2 || bracket.number("rounds", 0, "matches", 0, "round") != 1 {
		t.Errorf("%s", bracket.raw)
	}
	if round := anyone.get(x.path+"/rounds/2").want(t, http.StatusOK); round.text("name") != "Final" || round.number("leg") != 2 {
		t.Errorf("%s", round.raw)
	}
	x.olga.get("/"+x.path+"/desk").want(t, http.StatusOK)
	for _, print := range []string{"bracket", "matches", "standings", "pairings"} {
		anyone.get("/"+x.path+"/print/"+print).want(t, http.StatusOK)
	}
	// The first leg is corrected: 2–0, so that the other team goes on.
	x.board(match(1), 2, "1-0")
	if again := anyone.get(match(2)).want(t, http.StatusOK); again.text("goes_on") == x.entries[black] && again.text("decision") == "" {
		t.Errorf("%s", again.raw)
	}
	x.board(match(2), 2, "1/2-1/2")
	if again := anyone.get(match(2)).want(t, http.StatusOK); again.text("goes_on") != x.entries[white] ||
		again.text("decision") != "1.5 to 2.5 game points" {
		t.Errorf("%s", again.raw)
	}
	x.olga.post(x.path+"/finish", nil).want(t, http.StatusOK)
	if table := anyone.get(x.path+"/standings").want(t, http.StatusOK); table.text("rows", 0, "entry", "id") != x.entries[white] {
		t.Errorf("%s", table.raw)
	}
	x.olga.post("/tournaments", hallOf("team_knockout", 0, 2, `,"legs":3`)).want(t, http.StatusBadRequest).has(t, "/teams/legs")
	for body, field := range map[string]string{
		hallOf("team_swiss", 3, 2, `,"legs":2`):       "/teams",
		hallOf("team_round_robin", 0, 2, `,"legs":2`): "/teams",
	} {
		x.olga.post("/tournaments", body).want(t, http.StatusUnprocessableEntity).has(t, field)
	}
}
