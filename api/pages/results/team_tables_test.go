package results_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestScheveningen: the round is seated when it is published, no captain files a line-up, and the games of all against
// all are on the page, on paper, in REST and in the table.
func TestScheveningen(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_scheveningen", 0, 3, ""), 2, apitest.WithPages)
	anyone := x.Anonymous()
	seen := anyone.Get(x.Path).Want(t, http.StatusOK)
	if seen.Number("rounds") != 3 || seen.Text("teams", "primary") != "GP" || seen.Text("teams", "secondary") != "none" {
		t.Errorf("%s", seen.Raw)
	}
	match := x.Path + "/rounds/1/matches/1"
	if venue := anyone.Get(x.Path+"/rounds/1").Want(t, http.StatusOK).Text("pairings", 0, "venue"); venue != "hall" {
		t.Errorf("a match in the hall is played at %q", venue)
	}
	boards := anyone.Get(match).Want(t, http.StatusOK)
	for board, seat := range []float64{1, 1, 2} {
		if got := boards.Number("boards", board, "seat_one"); got != seat {
			t.Errorf("board %d: side %v has seat 1, want %v", board+1, got, seat)
		}
	}
	white, _ := x.Sides(match)
	x.Captains[white].Send(http.MethodPut, match+"/lineup", map[string]any{"players": x.Members[white][:3]}, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusConflict).Has(t, "follow from the table")
	x.Olga.Post(match+"/lineup/reopen", `{"minutes":5}`).Want(t, http.StatusConflict)
	page := "/" + x.Path + "/matches/1/1"
	x.Captains[white].Get(page).Want(t, http.StatusOK).Lacks(t, `name="board1"`)
	x.Olga.Get(page).Want(t, http.StatusOK).Lacks(t, `name="minutes"`)
	x.Captains[white].Get("/"+x.Path+"/team").Want(t, http.StatusOK).Lacks(t, `name="board1"`)
	for round := 1; round <= 3; round++ {
		if round > 1 {
			x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
		}
		for board, result := range []string{"1-0", "1/2-1/2", "+--"} {
			x.BoardResult(fmt.Sprint(x.Path, "/rounds/", round, "/matches/1"), board+1, result)
		}
	}
	x.Olga.Get("/"+x.Path+"/desk?tab=results").Want(t, http.StatusOK).Has(t, strings.TrimPrefix(x.Path, "/")+"/matches/3/1").Lacks(t, `name="result"`)
	table := anyone.Get(x.Path+"/crosstable").Want(t, http.StatusOK)
	if n := len(table.List("players")); n != 6 {
		t.Fatalf("%d players: %s", n, table.Raw)
	}
	met := make(map[string]bool)
	for i := range 6 {
		if len(table.List("players", i, "meetings")) != 3 {
			t.Errorf("player %d: %s", i+1, table.Raw)
		}
		for j := range 3 {
			met[table.Text("players", i, "player", "id")+" "+table.Text("players", i, "meetings", j, "opponent", "id")] = true
		}
	}
	if len(met) != 18 || table.Text("players", 0, "points") != "2" || table.Number("players", 0, "games") != 3 {
		t.Errorf("%d meetings: %s", len(met), table.Raw)
	}
	csv := string(anyone.Get(x.Path+"/export?format=csv&table=crosstable").Want(t, http.StatusOK).Raw)
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 8 || strings.Count(lines[1], ",") != 6 {
		t.Errorf("%s", csv)
	}
	for _, path := range []string{"/crosstable", "/print/crosstable"} {
		anyone.Get("/"+x.Path+path).Want(t, http.StatusOK).Says(t, "Team 1 against Team 2", "Team 2 against Team 1",
			"Player second1", "Player second2", "½", "A raised 1").Has(t, "1<sup>1</sup>")
	}
	anyone.Get("/"+x.Path+"/print/crosstable/head.css").Want(t, http.StatusOK).Has(t, "font-size")
	anyone.Get("/"+x.Path+"/rounds/2/explain").Want(t, http.StatusOK).Says(t, "The same two teams meet in every round")
	anyone.Get("/"+x.Path+"?tab=standings").Want(t, http.StatusOK)
	anyone.Get("/"+x.Path+"/print/boards").Want(t, http.StatusOK)
	anyone.Get(x.Path+"/export?format=trf").Want(t, http.StatusOK).Has(t, "192 FIDE_TEAM_SCHEVENINGEN_GP", "300 ")
	x.Olga.Post(x.Path+"/finish", nil).Want(t, http.StatusOK)
}

// TestTheScoreOfTeamsIsShownOnce: MPvGP is a column of the standings already.
func TestTheScoreOfTeamsIsShownOnce(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_round_robin", 0, 2, ""), 2, apitest.WithPages)
	match := x.Path + "/rounds/1/matches/1"
	x.FinalLineUps(match)
	x.BoardResult(match, 1, "1-0")
	x.BoardResult(match, 2, "1-0")
	for _, path := range []string{"?tab=standings", "/print/standings"} {
		page := x.Anonymous().Get("/"+x.Path+path).Want(t, http.StatusOK).Lacks(t, ">MPvGP<").Has(t, ">EDEB<", ">EMMSB<")
		if path != "/print/standings" {
			page.Has(t, "/standings/1#c2", "/standings/1#c3").Lacks(t, "/standings/1#c1\"")
		}
	}
	x.Anonymous().Get("/"+x.Path+"?tab=info").Want(t, http.StatusOK).Says(t, "The other score")
}

// TestColoursBeginWithW: as settings of teams, by REST and by the form; an absence is worth no more than a loss.
func TestColoursBeginWithW(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_round_robin", 0, 2, ""), 2, apitest.WithPages)
	for rest, field := range map[string]string{
		`,"colours":"BW"`: "/teams/colours",
		`,"game_points":{"win":1,"draw":0.5,"loss":0,"absence":0.5}`: "/teams/game_points",
	} {
		x.Olga.Post("/tournaments", apitest.HallTeams("team_round_robin", 0, 2, rest)).
			Want(t, http.StatusUnprocessableEntity).Has(t, field)
	}
	x.Captains[0].Get("/"+x.Path+"/team").Want(t, http.StatusOK).
		Says(t, "the players below an empty board move up when you file")
}
