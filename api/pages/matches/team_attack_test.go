package matches_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"quatuor/api/apitest"
)

// TestARoundPairedAgainAsksForNewLineUps: a line-up filed, and marked as final, for a round that was deleted does not
// count when the same teams meet again in it, and stays with the teams; a deletion that is taken back brings it back.
func TestARoundPairedAgainAsksForNewLineUps(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, ""), 2)
	match := x.Matches(1)[0]
	white, black := x.Sides(match)
	file := func(side int, players ...string) *apitest.Answer {
		t.Helper()
		return x.Captains[side].Send(http.MethodPut, match+"/lineup", map[string]any{"players": players},
			apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusOK)
	}
	drop := func() {
		t.Helper()
		x.Olga.Send(http.MethodDelete, x.Path+"/rounds/1", nil, apitest.Header{"If-Match", "*"}).Want(t, http.StatusNoContent)
		x.Pass(time.Second)
	}
	old := x.Members[white][4]
	file(white, old, x.Members[white][1])
	x.Captains[white].Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	drop()
	x.Olga.Post(x.Path+"/undo", map[string]any{"act": x.Olga.Get(x.Path + "/history").Number("undoable")}).
		Want(t, http.StatusOK)
	if own := x.Captains[white].Get(match+"/lineup").Want(t, http.StatusOK); own.Number("version") != 2 ||
		own.At("final") != true {
		t.Errorf("after the undo: %s", own.Raw)
	}
	drop()
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
	if own := x.Captains[white].Get(match+"/lineup").Want(t, http.StatusOK); own.Number("version") != 0 ||
		own.At("final") != false {
		t.Errorf("the captain has filed: %s", own.Lacks(t, old).Raw)
	}
	x.Olga.Get(match).Want(t, http.StatusOK).Has(t, `"filed":[false,false]`)
	x.Captains[black].Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	x.Anonymous().Get(match).Want(t, http.StatusOK).Lacks(t, `"boards"`)
	if own := file(white, x.Members[white][2], x.Members[white][3]); own.Number("version") != 3 {
		t.Errorf("%s", own.Raw)
	}
	x.Captains[white].Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	x.Anonymous().Get(match).Want(t, http.StatusOK).Has(t, `"boards"`).Lacks(t, old)
}

// TestRefusalsOfLineUpsSayWhy: by REST and by the form, a line-up of a stranger names both squads, a short line-up's
// names the side that forfeits, a late line-up's names the time that it was due, and an arbiter reads on the match's
// page why an act is refused.
func TestRefusalsOfLineUpsSayWhy(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, `,"minimum":2,"order":"fixed"`), 2,
		apitest.WithPages)
	match, page := x.Matches(1)[0], x.Path+"/matches/1/1"
	white, black := x.Sides(match)
	captain, m := x.Captains[white], x.Members[white]
	own, other := fmt.Sprint("Team ", white+1), fmt.Sprint("Team ", black+1)
	file := func(players ...string) *apitest.Answer {
		return captain.Send(http.MethodPut, match+"/lineup", map[string]any{"players": players},
			apitest.Header{"If-Match", "*"})
	}
	form := func(what url.Values) *apitest.Answer {
		what.Set("seen", captain.Get("/"+page).Want(t, http.StatusOK).Value("seen"))
		return captain.PostForm(page+"/lineup", what)
	}
	stranger := "board 2: Player captain" + fmt.Sprint(black+1) + " is in the squad of " + other + ", and not in that of " + own
	file(m[0], x.Members[black][0]).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, stranger)
	form(url.Values{"board1": {m[0]}, "board2": {x.Members[black][0]}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, stranger)
	short := own + " forfeits the match with fewer than 2 boards manned, and this line-up mans 1"
	file(m[0]).Want(t, http.StatusOK).Has(t, short)
	form(url.Values{"board1": {m[1]}, "board2": {""}}).Want(t, http.StatusSeeOther)
	captain.Get("/"+page).Want(t, http.StatusOK).Says(t, short)
	captain.Get("/"+x.Path+"/team").Want(t, http.StatusOK).Says(t, short)
	for _, path := range []string{"/" + page, match} {
		x.Captains[black].Get(path).Want(t, http.StatusOK).Lacks(t, "forfeits the match")
		x.Olga.Get(path).Want(t, http.StatusOK).Lacks(t, "forfeits the match")
	}
	file(m[0], m[1]).Want(t, http.StatusOK).Lacks(t, "warning")
	x.Olga.PostForm(page+"/reopen", url.Values{"minutes": {"1"}}).Want(t, http.StatusConflict).
		Says(t, "are open longer than that")
	x.Olga.PostForm(page+"/reopen", url.Values{"minutes": {"many"}}).Want(t, http.StatusUnprocessableEntity).Says(t, "write 1 to 1440")
	late := url.Values{"board1": {m[1]}, "board2": {m[2]}, "seen": {captain.Get("/" + page).Value("seen")}}
	x.Pass(11 * time.Minute)
	for _, back := range []string{"", x.Entries[white]} {
		late.Set("team", back)
		captain.PostForm(page+"/lineup", late).Want(t, http.StatusConflict).Says(t, "line-ups of round 1 were due at")
	}
	if err := x.RevealLineUps(t.Context()); err != nil {
		t.Fatal(err)
	}
	enter := func(board string, what url.Values) *apitest.Answer {
		what.Set("seen", x.Olga.Get("/"+page).Want(t, http.StatusOK).Value("seen"))
		return x.Olga.PostForm(page+"/boards/"+board, what)
	}
	enter("2", url.Values{"entry": {x.Entries[white]}, "player": {m[0]}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, "the substitute sits on board 1 already")
	enter("2", url.Values{"result": {"2-0"}}).Want(t, http.StatusUnprocessableEntity).Says(t, "is not a result; write 1-0")
	enter("2", url.Values{"result": {"1-0"}}).Want(t, http.StatusSeeOther)
	enter("2", url.Values{"entry": {x.Entries[white]}, "player": {m[4]}}).Want(t, http.StatusConflict).Says(t, "a move was made on board 2")
}

// TestThePageOfATeamCountsPenalties: its sum is that of the standings, and the page shows the deduction.
func TestThePageOfATeamCountsPenalties(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, ""), 2, apitest.WithPages)
	match := x.Matches(1)[0]
	x.FinalLineUps(match)
	white, _ := x.Sides(match)
	x.BoardResult(match, 1, "1-0")
	x.BoardResult(match, 2, "1-0")
	x.Olga.Send(http.MethodPut, x.Path+"/bonuses", map[string]any{"items": []any{
		map[string]any{"entry_id": x.Entries[white], "mp": -1, "gp": -0.5, "after_round": 1, "reason": "Phone"},
	}}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	table := x.Olga.Get(x.Path+"/standings").Want(t, http.StatusOK)
	if table.Text("rows", 0, "match_points") != "1" || table.Text("rows", 0, "game_points") != "1.5" {
		t.Errorf("%s", table.Raw)
	}
	x.Captains[white].Get("/"+x.Path+"/team").Want(t, http.StatusOK).
		Has(t, `Phone</th><td class="number">-½</td><td class="number">-1</td>`, `<td class="number">1½</td><td class="number"><strong>1</strong>`)
}

// TestRegulationsOfTeamsChangeUntilTheFirstRoundIsPaired: what matches are worth, and with it the points, as all others;
// not the number of boards, as the teams have their numbers from it, and nothing once the round is paired.
func TestRegulationsOfTeamsChangeUntilTheFirstRoundIsPaired(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, ""), 2)
	patch := func(regulations string) *apitest.Answer {
		return x.Olga.Send(http.MethodPatch, x.Path, `{"teams":`+regulations+`}`, apitest.Header{"If-Match", "*"})
	}
	const three = `{"match_points":{"win":3,"draw":1,"loss":0},"pab":{"mp":3,"gp":2}}`
	patch(three).Refused(t, http.StatusConflict, "wrong-state")
	x.Olga.Send(http.MethodDelete, x.Path+"/rounds/1", nil, apitest.Header{"If-Match", "*"}).Want(t, http.StatusNoContent)
	if now := patch(three).Want(t, http.StatusOK); now.Number("points", "win") != 3 || now.Number("points", "bye") != 3 {
		t.Errorf("%s", now.Raw)
	}
	patch(`{"deadline_minutes":1,"order":"fixed","boards":[{"time_control":"60+1"},{"game":"quits/duel"}]}`).
		Want(t, http.StatusOK)
	patch(`{"boards":[{},{},{}]}`).Refused(t, http.StatusConflict, "wrong-state").
		Has(t, "teams cannot change after the start")
	patch(`{"boards":[{},{"time_control":"soon"}]}`).Refused(t, http.StatusUnprocessableEntity, "invalid")
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
	match := x.Matches(1)[0]
	x.FinalLineUps(match)
	x.BoardResult(match, 1, "1-0")
	x.BoardResult(match, 2, "1/2-1/2")
	if table := x.Olga.Get(x.Path+"/standings").Want(t, http.StatusOK); table.Text("rows", 0, "match_points") != "3" {
		t.Errorf("%s", table.Raw)
	}
}
