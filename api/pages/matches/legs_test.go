package matches_test

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/api/apitest"
)

// TestTwoLegs: a knock-out of teams in two legs, with line-ups for each, and pages, history and REST that name the
// winner and the reason.
func TestTwoLegs(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_knockout", 0, 2, `,"legs":2`), 2, apitest.WithPages)
	anyone := x.Anonymous()
	seen := anyone.Get(x.Path).Want(t, http.StatusOK)
	if seen.Number("rounds") != 2 || seen.Number("teams", "legs") != 2 {
		t.Fatalf("%s", seen.Raw)
	}
	match := func(leg int) string { return fmt.Sprint(x.Path, "/rounds/", leg, "/matches/1") }
	white, black := x.Sides(match(1))
	x.FinalLineUps(match(1))
	x.BoardResult(match(1), 1, "1-0")
	x.BoardResult(match(1), 2, "1/2-1/2")
	first := anyone.Get(match(1)).Want(t, http.StatusOK).Lacks(t, "goes_on", "decision")
	if first.Number("leg") != 1 || first.Text("result") != "1-0" {
		t.Errorf("%s", first.Raw)
	}
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
	if w, b := x.Sides(match(2)); w != black || b != white {
		t.Errorf("the colours are not exchanged: %d and %d after %d and %d", w, b, white, black)
	}
	anyone.Get("/"+x.Path+"/matches/1/1").Want(t, http.StatusOK).Says(t, "the first of two legs", "Leg 2").
		Has(t, "/matches/2/1")
	anyone.Get(match(2)).Lacks(t, `"boards"`)
	captain := x.Captains[white]
	captain.Send(http.MethodPut, match(2)+"/lineup",
		map[string]any{"players": []string{x.Members[white][2], x.Members[white][3]}},
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	anyone.Get(match(2)).Lacks(t, x.Members[white][2])
	x.FinalLineUps(match(2))
	x.BoardResult(match(2), 1, "1-0")
	x.BoardResult(match(2), 2, "1-0")
	second := anyone.Get(match(2)).Want(t, http.StatusOK).Has(t, x.Members[white][2])
	if second.Number("leg") != 2 || second.Text("goes_on") != x.Entries[black] || second.Text("decision") != "2.5 to 1.5 game points" {
		t.Errorf("%s", second.Raw)
	}
	anyone.Get("/"+x.Path+"/matches/2/1").Want(t, http.StatusOK).Says(t, "the second of two legs", "½ : 1½",
		fmt.Sprint("Team ", black+1, " goes on:"), "2.5 to 1.5 game points")
	anyone.Get("/"+x.Path+"?tab=round").Want(t, http.StatusOK).Says(t, "Final, leg 2", "2.5 to 1.5 game points")
	anyone.Get("/"+x.Path+"/history").Want(t, http.StatusOK).Says(t, "goes on: 2.5 to 1.5 game points")
	anyone.Get("/"+x.Path+"/rounds/2/explain").Want(t, http.StatusOK).Says(t, "It is the second leg")
	bracket := anyone.Get(x.Path+"/bracket").Want(t, http.StatusOK)
	if len(bracket.List("rounds")) != 1 || bracket.Text("winner", "id") != x.Entries[black] ||
		bracket.Number("rounds", 0, "matches", 0, "paired_in") != 2 ||
		bracket.Number("rounds", 0, "matches", 0, "round") != 1 {
		t.Errorf("%s", bracket.Raw)
	}
	if round := anyone.Get(x.Path+"/rounds/2").Want(t, http.StatusOK); round.Text("name") != "Final" ||
		round.Number("leg") != 2 {
		t.Errorf("%s", round.Raw)
	}
	x.Olga.Get("/"+x.Path+"/desk").Want(t, http.StatusOK)
	for _, print := range []string{"bracket", "matches", "standings", "pairings"} {
		anyone.Get("/"+x.Path+"/print/"+print).Want(t, http.StatusOK)
	}
	// The first leg is corrected: 2–0, so that the other team goes on.
	x.BoardResult(match(1), 2, "1-0")
	if again := anyone.Get(match(2)).Want(t, http.StatusOK); again.Text("goes_on") == x.Entries[black] && again.Text("decision") == "" {
		t.Errorf("%s", again.Raw)
	}
	x.BoardResult(match(2), 2, "1/2-1/2")
	if again := anyone.Get(match(2)).Want(t, http.StatusOK); again.Text("goes_on") != x.Entries[white] ||
		again.Text("decision") != "1.5 to 2.5 game points" {
		t.Errorf("%s", again.Raw)
	}
	x.Olga.Post(x.Path+"/finish", nil).Want(t, http.StatusOK)
	if table := anyone.Get(x.Path+"/standings").
		Want(t, http.StatusOK); table.Text("rows", 0, "entry", "id") != x.Entries[white] {
		t.Errorf("%s", table.Raw)
	}
	x.Olga.Post("/tournaments", apitest.HallTeams("team_knockout", 0, 2, `,"legs":3`)).Want(t, http.StatusBadRequest).
		Has(t, "/teams/legs")
	for body, field := range map[string]string{
		apitest.HallTeams("team_swiss", 3, 2, `,"legs":2`):       "/teams",
		apitest.HallTeams("team_round_robin", 0, 2, `,"legs":2`): "/teams",
	} {
		x.Olga.Post("/tournaments", body).Want(t, http.StatusUnprocessableEntity).Has(t, field)
	}
}
