package api_test

import (
	"fmt"
	"net/http"
	"net/url"
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
	if own := x.captains[white].get(match+"/lineup").want(t, http.StatusOK); own.number("version") != 2 || own.at("final") != true {
		t.Errorf("after the undo: %s", own.raw)
	}
	drop()
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
	if own := x.captains[white].get(match+"/lineup").want(t, http.StatusOK); own.number("version") != 0 || own.at("final") != false {
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

// TestRefusalsOfLineUpsSayWhy: by REST and by the form, a line-up of a stranger names both squads, one that is short says
// who forfeits, one that is late says when it was due, and what an arbiter cannot do is said on the page of the match.
func TestRefusalsOfLineUpsSayWhy(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, `,"minimum":2,"order":"fixed"`), 2, withRealPages)
	match, page := x.matches(1)[0], x.path+"/matches/1/1"
	white, black := x.sides(match)
	captain, m := x.captains[white], x.members[white]
	own, other := fmt.Sprint("Team ", white+1), fmt.Sprint("Team ", black+1)
	file := func(players ...string) *answer {
		return captain.send(http.MethodPut, match+"/lineup", map[string]any{"players": players}, header{"If-Match", "*"})
	}
	form := func(what url.Values) *answer {
		what.Set("seen", captain.get("/"+page).want(t, http.StatusOK).value("seen"))
		return captain.form(page+"/lineup", what)
	}
	stranger := "board 2: Player captain" + fmt.Sprint(black+1) + " is in the squad of " + other + ", and not in that of " + own
	file(m[0], x.members[black][0]).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, stranger)
	form(url.Values{"board1": {m[0]}, "board2": {x.members[black][0]}}).want(t, http.StatusUnprocessableEntity).says(t, stranger)
	short := own + " forfeits the match with fewer than 2 boards manned, and this line-up mans 1"
	file(m[0]).want(t, http.StatusOK).has(t, short)
	form(url.Values{"board1": {m[1]}, "board2": {""}}).want(t, http.StatusSeeOther)
	captain.get("/"+page).want(t, http.StatusOK).says(t, short)
	captain.get("/"+x.path+"/team").want(t, http.StatusOK).says(t, short)
	for _, path := range []string{"/" + page, match} {
		x.captains[black].get(path).want(t, http.StatusOK).lacks(t, "forfeits the match")
		x.olga.get(path).want(t, http.StatusOK).lacks(t, "forfeits the match")
	}
	file(m[0], m[1]).want(t, http.StatusOK).lacks(t, "warning")
	x.olga.form(page+"/reopen", url.Values{"minutes": {"1"}}).want(t, http.StatusConflict).says(t, "are open longer than that")
	x.olga.form(page+"/reopen", url.Values{"minutes": {"many"}}).want(t, http.StatusUnprocessableEntity).says(t, "write 1 to 1440")
	late := url.Values{"board1": {m[1]}, "board2": {m[2]}, "seen": {captain.get("/" + page).value("seen")}}
	x.pass(11 * time.Minute)
	for _, back := range []string{"", x.entries[white]} {
		late.Set("team", back)
		captain.form(page+"/lineup", late).want(t, http.StatusConflict).says(t, "line-ups of round 1 were due at")
	}
	if err := x.reveal(t.Context()); err != nil {
		t.Fatal(err)
	}
	enter := func(board string, what url.Values) *answer {
		what.Set("seen", x.olga.get("/"+page).want(t, http.StatusOK).value("seen"))
		return x.olga.form(page+"/boards/"+board, what)
	}
	enter("2", url.Values{"entry": {x.entries[white]}, "player": {m[0]}}).want(t, http.StatusUnprocessableEntity).
		says(t, "the substitute sits on board 1 already")
	enter("2", url.Values{"result": {"2-0"}}).want(t, http.StatusUnprocessableEntity).says(t, "is not a result; write 1-0")
	enter("2", url.Values{"result": {"1-0"}}).want(t, http.StatusSeeOther)
	enter("2", url.Values{"entry": {x.entries[white]}, "player": {m[4]}}).want(t, http.StatusConflict).says(t, "a move was made on board 2")
}

// TestThePageOfATeamCountsPenalties: its sum is that of the standings, and says what was taken off.
func TestThePageOfATeamCountsPenalties(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, ""), 2, withRealPages)
	match := x.matches(1)[0]
	x.final(match)
	white, _ := x.sides(match)
	x.board(match, 1, "1-0")
	x.board(match, 2, "1-0")
	x.olga.send(http.MethodPut, x.path+"/bonuses", map[string]any{"items": []any{
		map[string]any{"entry_id": x.entries[white], "mp": -1, "gp": -0.5, "after_round": 1, "reason": "Phone"},
	}}, header{"If-Match", "*"}).want(t, http.StatusOK)
	table := x.olga.get(x.path+"/standings").want(t, http.StatusOK)
	if table.text("rows", 0, "match_points") != "1" || table.text("rows", 0, "game_points") != "1.5" {
		t.Errorf("%s", table.raw)
	}
	x.captains[white].get("/"+x.path+"/team").want(t, http.StatusOK).
		has(t, `Phone</th><td class="number">-½</td><td class="number">-1</td>`, `<td class="number">1½</td><td class="number"><strong>1</strong>`)
}

// TestRegulationsOfTeamsChangeUntilTheFirstRoundIsPaired: what matches are worth, and with it the points, as all others;
// not the number of boards, from which the teams have their numbers, and nothing once the round is paired.
func TestRegulationsOfTeamsChangeUntilTheFirstRoundIsPaired(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, ""), 2)
	patch := func(regulations string) *answer {
		return x.olga.send(http.MethodPatch, x.path, `{"teams":`+regulations+`}`, header{"If-Match", "*"})
	}
	const three = `{"match_points":{"win":3,"draw":1,"loss":0},"pab":{"mp":3,"gp":2}}`
	patch(three).refused(t, http.StatusConflict, "wrong-state")
	x.olga.send(http.MethodDelete, x.path+"/rounds/1", nil, header{"If-Match", "*"}).want(t, http.StatusNoContent)
	if now := patch(three).want(t, http.StatusOK); now.number("points", "win") != 3 || now.number("points", "bye") != 3 {
		t.Errorf("%s", now.raw)
	}
	patch(`{"deadline_minutes":1,"order":"fixed","boards":[{"time_control":"60+1"},{"game":"quits/duel"}]}`).want(t, http.StatusOK)
	patch(`{"boards":[{},{},{}]}`).refused(t, http.StatusConflict, "wrong-state").has(t, "teams cannot change after the start")
	patch(`{"boards":[{},{"time_control":"soon"}]}`).refused(t, http.StatusUnprocessableEntity, "invalid")
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
	match := x.matches(1)[0]
	x.final(match)
	x.board(match, 1, "1-0")
	x.board(match, 2, "1/2-1/2")
	if table := x.olga.get(x.path+"/standings").want(t, http.StatusOK); table.text("rows", 0, "match_points") != "3" {
		t.Errorf("%s", table.raw)
	}
}
