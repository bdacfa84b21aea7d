package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestScheveningen: the round is seated when it is published, nobody files a line-up, and all players against all stand
// on the page, on paper, in REST and in the table.
func TestScheveningen(t *testing.T) {
	x := newLeague(t, hallOf("team_scheveningen", 0, 3, ""), 2, withRealPages)
	anyone := x.anonymous()
	seen := anyone.get(x.path).want(t, http.StatusOK)
	if seen.number("rounds") != 3 || seen.text("teams", "primary") != "GP" || seen.text("teams", "secondary") != "none" {
		t.Errorf("%s", seen.raw)
	}
	match := x.path + "/rounds/1/matches/1"
	if venue := anyone.get(x.path+"/rounds/1").want(t, http.StatusOK).text("pairings", 0, "venue"); venue != "hall" {
		t.Errorf("a match in the hall is played at %q", venue)
	}
	boards := anyone.get(match).want(t, http.StatusOK)
	for board, seat := range []float64{1, 1, 2} {
		if got := boards.number("boards", board, "seat_one"); got != seat {
			t.Errorf("board %d: side %v has seat 1, want %v", board+1, got, seat)
		}
	}
	white, _ := x.sides(match)
	x.captains[white].send(http.MethodPut, match+"/lineup", map[string]any{"players": x.members[white][:3]}, header{"If-Match", "*"}).
		want(t, http.StatusConflict).has(t, "follow from the table")
	x.olga.post(match+"/lineup/reopen", `{"minutes":5}`).want(t, http.StatusConflict)
	page := "/" + x.path + "/matches/1/1"
	x.captains[white].get(page).want(t, http.StatusOK).lacks(t, `name="board1"`)
	x.olga.get(page).want(t, http.StatusOK).lacks(t, `name="minutes"`)
	x.captains[white].get("/"+x.path+"/team").want(t, http.StatusOK).lacks(t, `name="board1"`)
	for round := 1; round <= 3; round++ {
		if round > 1 {
			x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
		}
		for board, result := range []string{"1-0", "1/2-1/2", "+--"} {
			x.board(fmt.Sprint(x.path, "/rounds/", round, "/matches/1"), board+1, result)
		}
	}
	x.olga.get("/"+x.path+"/desk?tab=results").want(t, http.StatusOK).has(t, strings.TrimPrefix(x.path, "/")+"/matches/3/1").lacks(t, `name="result"`)
	table := anyone.get(x.path+"/crosstable").want(t, http.StatusOK)
	if n := len(table.list("players")); n != 6 {
		t.Fatalf("%d players: %s", n, table.raw)
	}
	met := make(map[string]bool)
	for i := range 6 {
		if len(table.list("players", i, "meetings")) != 3 {
			t.Errorf("player %d: %s", i+1, table.raw)
		}
		for j := range 3 {
			met[table.text("players", i, "player", "id")+" "+table.text("players", i, "meetings", j, "opponent", "id")] = true
		}
	}
	if len(met) != 18 || table.text("players", 0, "points") != "2" || table.number("players", 0, "games") != 3 {
		t.Errorf("%d meetings: %s", len(met), table.raw)
	}
	csv := string(anyone.get(x.path+"/export?format=csv&table=crosstable").want(t, http.StatusOK).raw)
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 8 || strings.Count(lines[1], ",") != 6 {
		t.Errorf("%s", csv)
	}
	for _, path := range []string{"/crosstable", "/print/crosstable"} {
		anyone.get("/"+x.path+path).want(t, http.StatusOK).says(t, "Team 1 against Team 2", "Team 2 against Team 1",
			"Player second1", "Player second2", "½", "A raised 1").has(t, "1<sup>1</sup>")
	}
	anyone.get("/"+x.path+"/print/crosstable/head.css").want(t, http.StatusOK).has(t, "font-size")
	anyone.get("/"+x.path+"/rounds/2/explain").want(t, http.StatusOK).says(t, "The same two teams meet in every round")
	anyone.get("/"+x.path+"?tab=standings").want(t, http.StatusOK)
	anyone.get("/"+x.path+"/print/boards").want(t, http.StatusOK)
	anyone.get(x.path+"/export?format=trf").want(t, http.StatusOK).has(t, "192 FIDE_TEAM_SCHEVENINGEN_GP", "300 ")
	x.olga.post(x.path+"/finish", nil).want(t, http.StatusOK)
}

// TestTheScoreOfTeamsIsShownOnce: MPvGP is a column of the standings already.
func TestTheScoreOfTeamsIsShownOnce(t *testing.T) {
	x := newLeague(t, hallOf("team_round_robin", 0, 2, ""), 2, withRealPages)
	match := x.path + "/rounds/1/matches/1"
	x.final(match)
	x.board(match, 1, "1-0")
	x.board(match, 2, "1-0")
	for _, path := range []string{"?tab=standings", "/print/standings"} {
		page := x.anonymous().get("/"+x.path+path).want(t, http.StatusOK).lacks(t, ">MPvGP<").has(t, ">EDEB<", ">EMMSB<")
		if path != "/print/standings" {
			page.has(t, "/standings/1#c2", "/standings/1#c3").lacks(t, "/standings/1#c1\"")
		}
	}
	x.anonymous().get("/"+x.path+"?tab=info").want(t, http.StatusOK).says(t, "The other score")
}

// TestColoursBeginWithW: as settings of teams, by REST and by the form; an absence is worth no more than a loss.
func TestColoursBeginWithW(t *testing.T) {
	x := newLeague(t, hallOf("team_round_robin", 0, 2, ""), 2, withRealPages)
	for rest, field := range map[string]string{
		`,"colours":"BW"`: "/teams/colours",
		`,"game_points":{"win":1,"draw":0.5,"loss":0,"absence":0.5}`: "/teams/game_points",
	} {
		x.olga.post("/tournaments", hallOf("team_round_robin", 0, 2, rest)).want(t, http.StatusUnprocessableEntity).has(t, field)
	}
	x.captains[0].get("/"+x.path+"/team").want(t, http.StatusOK).says(t, "the players below an empty board move up when you file")
}
