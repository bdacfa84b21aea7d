package api_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// value returns the value of the first hidden field with a name.
func (a *answer) value(name string) string {
	_, rest, _ := strings.Cut(string(a.raw), `name="`+name+`" value="`)
	text, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(text)
}

// TestMyTeam: the page of a captain's team, the line-up by numbers, and what members and others see.
func TestMyTeam(t *testing.T) {
	x := newLeague(t, fourGames, 4, withRealPages)
	match := x.path + "/rounds/1/matches/1"
	white, black := x.sides(match)
	page, m := "/"+x.path+"/team", x.members[white]
	x.anonymous().get(page).want(t, http.StatusSeeOther)
	x.olga.get(page).want(t, http.StatusNotFound)
	x.captains[white].get(page+"?team="+x.entries[black]).want(t, http.StatusNotFound)
	x.second[white].get(page).want(t, http.StatusOK).says(t, "The captain or a deputy files it").lacks(t, `name="board1"`, "is filed")
	form := x.captains[white].get(page).want(t, http.StatusOK).says(t, "None is filed", "line-ups are due")
	fields := url.Values{"do": {"final"}, "seen": {form.value("seen")}, "team": {x.entries[white]}, "board1": {m[1]}}
	file := func(numbers string) *answer {
		fields.Set("numbers", numbers)
		return x.captains[white].form(x.path+"/matches/1/1/lineup", fields)
	}
	file("5 6 1 2").want(t, http.StatusUnprocessableEntity).says(t, "is no number of a member").has(t, `value="5 6 1 2"`)
	file("5 5").want(t, http.StatusUnprocessableEntity).says(t, "is on board 1 and on board 2")
	file("5, 2; 3 0").want(t, http.StatusSeeOther)
	x.captains[white].get(page).says(t, "Version 1 is filed", "it is final")
	x.second[white].get(page).lacks(t, "is filed", m[4]+`" selected`)
	for _, p := range []person{x.captains[white], x.second[white]} {
		for _, at := range []string{"//", "/" + x.path, "//players/" + p.player} {
			p.get(at).want(t, http.StatusOK).has(t, html.EscapeString(x.path+"/team?team="+x.entries[white]))
		}
	}
	x.captains[black].post(match+"/lineup/final", nil).want(t, http.StatusOK)
	for _, p := range []person{x.captains[white], x.second[white], x.captains[black]} {
		p.get(page).want(t, http.StatusOK).has(t, "/players/"+m[4]).lacks(t, `name="board1"`)
	}
	for i := range 3 {
		x.olga.send(http.MethodPut, fmt.Sprint(match, "/boards/", i+1), `{"result":"1-0"}`, header{"If-Match", "*"}).want(t, http.StatusOK)
	}
	x.second[white].get(page).says(t, "3 : 1")
	x.anonymous().get("/"+x.path).want(t, http.StatusOK).says(t, "Quixo, Quits, Quivive, Qui’win")
	x.anonymous().get("/"+x.path+"?tab=games").want(t, http.StatusOK).has(t, `href="/games/`).says(t, "Board 1:")
	x.anonymous().get("/"+x.path+"/rounds/1/explain").want(t, http.StatusOK).says(t, "Match 1:", "“First team”").lacks(t, "Cross")
	x.anonymous().get("/"+x.path+"/history").want(t, http.StatusOK).says(t, "Round 1, match 1")
	for team, score := range map[int]string{white: "3 : 1", black: "1 : 3"} {
		number := x.olga.get(x.path+"/entries/"+x.entries[team]).want(t, http.StatusOK).number("number")
		x.anonymous().get(fmt.Sprint("/", x.path, "/players/", number)).want(t, http.StatusOK).says(t, score).has(t, "/matches/1/1\">")
	}
	desk := html.EscapeString(x.path + "/desk?tab=results&round=1")
	x.olga.get("/"+x.path+"/matches/1/1").want(t, http.StatusOK).has(t, desk)
	x.anonymous().get("/"+x.path+"/matches/1/1").want(t, http.StatusOK).lacks(t, desk)
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusConflict)
}

// TestSlipsOfMatches: players report boards in the hall, captains the whole match; who disagrees calls the arbiter.
func TestSlipsOfMatches(t *testing.T) {
	x := newLeague(t, strings.NewReplacer(`"rated":true`, `"rated":true,"venue":"hall"`, `team_swiss","rounds":3`, `team_round_robin"`).Replace(fourGames), 2,
		withRealPages)
	anyone, match, codesAt := x.anonymous(), x.path+"/rounds/1/matches/1", x.path+"/rounds/1/codes"
	if none := x.olga.get(codesAt).want(t, http.StatusOK).list("items"); len(none) > 0 {
		t.Fatalf("codes before the reveal: %v", none)
	}
	x.olga.get("/"+x.path+"/print/slips").want(t, http.StatusOK)
	for _, c := range x.captains {
		c.post(match+"/lineup/final", nil).want(t, http.StatusOK)
	}
	codes := x.olga.get(codesAt).want(t, http.StatusOK)
	if codes.number("items", 0, "board") != 1 || codes.number("items", 2, "team_board") != 2 || len(codes.list("items")) != 5 {
		t.Fatalf("%s", codes.raw)
	}
	x.olga.get("/"+x.path+"/print/slips").want(t, http.StatusOK).says(t, "Board 1.2", "Board 1.1–4")
	x.olga.get("/"+x.path+"/print/cards").want(t, http.StatusOK).says(t, "Board 1.4")
	x.olga.get("/"+x.path+"/desk/codes").want(t, http.StatusOK).says(t, "1.1–4")
	code := func(item, seat int) string { return "/results/" + codes.text("items", item, "codes", seat) }
	report := func(item, seat int, said string) *answer {
		saw := anyone.get(code(item, seat)).want(t, http.StatusOK).text("reports", seat, "saw")
		return anyone.post(code(item, seat), fmt.Sprintf(`{"saw":%q,%s}`, saw, said))
	}
	board := anyone.get(code(2, 0)).want(t, http.StatusOK)
	if board.number("team_board") != 2 || !strings.HasPrefix(board.text("players", 0), "Player second") || board.at("reportable") != true {
		t.Errorf("%s", board.raw)
	}
	report(2, 0, `"result":"1-0"`).want(t, http.StatusOK)
	report(2, 1, `"result":"0-1"`).want(t, http.StatusOK)
	if calls := x.olga.get(x.path + "/calls"); calls.number("items", 0, "team_board") != 2 || calls.text("items", 0, "kind") != "dispute" {
		t.Errorf("%s", calls.raw)
	}
	if done := report(2, 1, `"result":"1-0"`).want(t, http.StatusOK); done.text("result") != "1-0" {
		t.Errorf("%s", done.raw)
	}
	report(2, 1, `"result":"0-1"`).want(t, http.StatusConflict)
	report(0, 0, `"boards":[{"board":1,"result":"1-0"}]`).want(t, http.StatusUnprocessableEntity)
	report(0, 0, `"boards":[{"board":1,"result":"1-0"},{"board":1,"result":"1-0"},{"board":3,"result":"1-0"}]`).want(t, http.StatusUnprocessableEntity)
	report(0, 0, `"result":"1-0"`).want(t, http.StatusUnprocessableEntity)
	all := `"boards":[{"board":4,"result":"0-1"},{"board":1,"result":"1-0"},{"board":3,"result":"1/2-1/2"}]`
	if said := report(0, 0, all).want(t, http.StatusOK); len(said.list("open_boards")) != 3 || said.text("reports", 0, "boards", 2, "result") != "0-1" {
		t.Errorf("%s", said.raw)
	}
	led := x.captains[0].get("/"+x.path+"/slip?match=1").want(t, http.StatusSeeOther).header.Get("Location")
	anyone.get("/"+led).want(t, http.StatusOK).says(t, "1.1–4")
	for seat := range 2 {
		at := "/r/" + codes.text("items", 0, "codes", seat)
		form := anyone.get("/"+at).want(t, http.StatusOK)
		anyone.form(at, url.Values{"saw": {form.value("saw")}, "board1": {"1-0"}, "board3": {"1/2-1/2"}, "board4": {"0-1"}})
	}
	over := anyone.get(match).want(t, http.StatusOK)
	if over.text("result") != "1-0" || over.text("boards", 0, "source") != "players" || over.number("scores", 0, "gp") != 2.5 {
		t.Errorf("%s", over.raw)
	}
	anyone.get("//r/"+codes.text("items", 0, "codes", 0)).want(t, http.StatusOK).lacks(t, `name="board1"`)
	x.olga.post(x.path+"/undo", nil)
	x.olga.send(http.MethodPut, match+"/boards/1", `{"result":"0-1"}`, header{"If-Match", "*"}).want(t, http.StatusOK)
}
