package matches_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestMyTeam: the page of a captain's team, the line-up by numbers, and what members and others see.
func TestMyTeam(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.FourBoards, 4, apitest.WithPages)
	match := x.Path + "/rounds/1/matches/1"
	white, black := x.Sides(match)
	page, m := "/"+x.Path+"/team", x.Members[white]
	x.Anonymous().Get(page).Want(t, http.StatusSeeOther)
	x.Olga.Get(page).Want(t, http.StatusNotFound)
	x.Captains[white].Get(page+"?team="+x.Entries[black]).Want(t, http.StatusNotFound)
	x.Second[white].Get(page).Want(t, http.StatusOK).Says(t, "The captain or a deputy files it").Lacks(t, `name="board1"`, "is filed")
	form := x.Captains[white].Get(page).Want(t, http.StatusOK).Says(t, "None is filed", "line-ups are due")
	fields := url.Values{"do": {"final"}, "seen": {form.Value("seen")}, "team": {x.Entries[white]}, "board1": {m[1]}}
	file := func(numbers string) *apitest.Answer {
		fields.Set("numbers", numbers)
		return x.Captains[white].PostForm(x.Path+"/matches/1/1/lineup", fields)
	}
	file("5 6 1 2").Want(t, http.StatusUnprocessableEntity).Says(t, "is no number of a member").Has(t, `value="5 6 1 2"`)
	file("5 5").Want(t, http.StatusUnprocessableEntity).Says(t, "is on board 1 and on board 2")
	file("5, 2; 3 0").Want(t, http.StatusSeeOther)
	x.Captains[white].Get(page).Says(t, "Version 1 is filed", "it is final")
	x.Second[white].Get(page).Lacks(t, "is filed", m[4]+`" selected`)
	for _, p := range []apitest.Person{x.Captains[white], x.Second[white]} {
		for _, at := range []string{"//", "/" + x.Path, "//players/" + p.Player} {
			p.Get(at).Want(t, http.StatusOK).Has(t, html.EscapeString(x.Path+"/team?team="+x.Entries[white]))
		}
	}
	x.Captains[black].Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{x.Captains[white], x.Second[white], x.Captains[black]} {
		p.Get(page).Want(t, http.StatusOK).Has(t, "/players/"+m[4]).Lacks(t, `name="board1"`)
	}
	for i := range 3 {
		x.Olga.Send(http.MethodPut, fmt.Sprint(match, "/boards/", i+1), `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	}
	x.Second[white].Get(page).Says(t, "3 : 1")
	x.Anonymous().Get("/"+x.Path).Want(t, http.StatusOK).Says(t, "Quixo, Quits, Quivive, Qui’win")
	x.Anonymous().Get("/"+x.Path+"?tab=games").Want(t, http.StatusOK).Has(t, `href="/games/`).Says(t, "Board 1:")
	x.Anonymous().Get("/"+x.Path+"/rounds/1/explain").Want(t, http.StatusOK).Says(t, "Match 1:", "“First team”").
		Lacks(t, "Cross")
	x.Anonymous().Get("/"+x.Path+"/history").Want(t, http.StatusOK).Says(t, "Round 1, match 1")
	for team, score := range map[int]string{white: "3 : 1", black: "1 : 3"} {
		number := x.Olga.Get(x.Path+"/entries/"+x.Entries[team]).Want(t, http.StatusOK).Number("number")
		x.Anonymous().Get(fmt.Sprint("/", x.Path, "/players/", number)).Want(t, http.StatusOK).Says(t, score).
			Has(t, "/matches/1/1\">")
	}
	desk := html.EscapeString(x.Path + "/desk?tab=results&round=1")
	x.Olga.Get("/"+x.Path+"/matches/1/1").Want(t, http.StatusOK).Has(t, desk)
	x.Anonymous().Get("/"+x.Path+"/matches/1/1").Want(t, http.StatusOK).Lacks(t, desk)
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusConflict)
}

// TestSlipsOfMatches: players report boards in the hall, captains the whole match; who disagrees calls the arbiter.
func TestSlipsOfMatches(t *testing.T) {
	x := apitest.NewTeamLeague(t, strings.NewReplacer(`"rated":true`, `"rated":true,"venue":"hall"`, `team_swiss","rounds":3`, `team_round_robin"`).Replace(apitest.FourBoards), 2,
		apitest.WithPages)
	anyone, match, codesAt := x.Anonymous(), x.Path+"/rounds/1/matches/1", x.Path+"/rounds/1/codes"
	if none := x.Olga.Get(codesAt).Want(t, http.StatusOK).List("items"); len(none) > 0 {
		t.Fatalf("codes before the reveal: %v", none)
	}
	x.Olga.Get("/"+x.Path+"/print/slips").Want(t, http.StatusOK)
	for _, c := range x.Captains {
		c.Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	}
	codes := x.Olga.Get(codesAt).Want(t, http.StatusOK)
	if codes.Number("items", 0, "board") != 1 || codes.Number("items", 2, "team_board") != 2 ||
		len(codes.List("items")) != 5 {
		t.Fatalf("%s", codes.Raw)
	}
	x.Olga.Get("/"+x.Path+"/print/slips").Want(t, http.StatusOK).Says(t, "Board 1.2", "Board 1.1–4")
	x.Olga.Get("/"+x.Path+"/print/cards").Want(t, http.StatusOK).Says(t, "Board 1.4")
	x.Olga.Get("/"+x.Path+"/desk/codes").Want(t, http.StatusOK).Says(t, "1.1–4")
	code := func(item, seat int) string { return "/results/" + codes.Text("items", item, "codes", seat) }
	report := func(item, seat int, said string) *apitest.Answer {
		saw := anyone.Get(code(item, seat)).Want(t, http.StatusOK).Text("reports", seat, "saw")
		return anyone.Post(code(item, seat), fmt.Sprintf(`{"saw":%q,%s}`, saw, said))
	}
	board := anyone.Get(code(2, 0)).Want(t, http.StatusOK)
	if board.Number("team_board") != 2 || !strings.HasPrefix(board.Text("players", 0), "Player second") || board.At("reportable") != true {
		t.Errorf("%s", board.Raw)
	}
	report(2, 0, `"result":"1-0"`).Want(t, http.StatusOK)
	report(2, 1, `"result":"0-1"`).Want(t, http.StatusOK)
	if calls := x.Olga.Get(x.Path + "/calls"); calls.Number("items", 0, "team_board") != 2 || calls.Text("items", 0, "kind") != "dispute" {
		t.Errorf("%s", calls.Raw)
	}
	if done := report(2, 1, `"result":"1-0"`).Want(t, http.StatusOK); done.Text("result") != "1-0" {
		t.Errorf("%s", done.Raw)
	}
	report(2, 1, `"result":"0-1"`).Want(t, http.StatusConflict)
	report(0, 0, `"boards":[{"board":1,"result":"1-0"}]`).Want(t, http.StatusUnprocessableEntity)
	report(0, 0, `"boards":[{"board":1,"result":"1-0"},{"board":1,"result":"1-0"},{"board":3,"result":"1-0"}]`).Want(t, http.StatusUnprocessableEntity)
	report(0, 0, `"result":"1-0"`).Want(t, http.StatusUnprocessableEntity)
	all := `"boards":[{"board":4,"result":"0-1"},{"board":1,"result":"1-0"},{"board":3,"result":"1/2-1/2"}]`
	if said := report(0, 0, all).Want(t, http.StatusOK); len(said.List("open_boards")) != 3 || said.Text("reports", 0, "boards", 2, "result") != "0-1" {
		t.Errorf("%s", said.Raw)
	}
	led := x.Captains[0].Get("/"+x.Path+"/slip?match=1").Want(t, http.StatusSeeOther).Header.Get("Location")
	anyone.Get("/"+led).Want(t, http.StatusOK).Says(t, "1.1–4")
	for seat := range 2 {
		at := "/r/" + codes.Text("items", 0, "codes", seat)
		form := anyone.Get("/"+at).Want(t, http.StatusOK)
		anyone.PostForm(at, url.Values{
			"saw": {form.Value("saw")}, "board1": {"1-0"}, "board3": {"1/2-1/2"},
			"board4": {"0-1"},
		})
	}
	over := anyone.Get(match).Want(t, http.StatusOK)
	if over.Text("result") != "1-0" || over.Text("boards", 0, "source") != "players" ||
		over.Number("scores", 0, "gp") != 2.5 {
		t.Errorf("%s", over.Raw)
	}
	anyone.Get("//r/"+codes.Text("items", 0, "codes", 0)).Want(t, http.StatusOK).Lacks(t, `name="board1"`)
	x.Olga.Post(x.Path+"/undo", nil)
	x.Olga.Send(http.MethodPut, match+"/boards/1", `{"result":"0-1"}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
}
