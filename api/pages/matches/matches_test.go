package matches_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestMatchesOfTeams: settings and entries, line-ups with their refusals, the reveal, boards, standings and the report.
func TestMatchesOfTeams(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.FourBoards, 4)
	anyone := x.Anonymous()
	x.Olga.Send(http.MethodPatch, x.Path, `{"name":"League of four"}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	if seen := anyone.Get(x.Path); seen.Number("teams", "minimum") != 2 || seen.Text("teams", "colours") != "WBWB" {
		t.Errorf("%s", seen.Raw)
	}
	match := x.Path + "/rounds/1/matches/1"
	white, black := x.Sides(match)
	lineUp := match + "/lineup"
	own := x.Captains[white].Get(lineUp).Want(t, http.StatusOK)
	if own.Number("version") != 0 || len(own.List("players")) != 4 {
		t.Errorf("%s", own.Raw)
	}
	m := x.Members[white]
	players := func(ids ...string) map[string]any { return map[string]any{"players": ids} }
	good := players(m[4], m[1], m[2], m[3])
	for i, p := range x.Captains {
		if i != white && i != black {
			p.Send(http.MethodPut, lineUp, good, apitest.Header{"If-Match", "*"}).Want(t, http.StatusNotFound)
			p.Get(lineUp).Want(t, http.StatusNotFound)
		}
	}
	x.Olga.Send(http.MethodPut, lineUp, good, apitest.Header{"If-Match", "*"}).Want(t, http.StatusNotFound)
	anyone.Send(http.MethodPut, lineUp, good, apitest.Header{"If-Match", "*"}).Want(t, http.StatusUnauthorized)
	x.Second[white].Get(lineUp).Want(t, http.StatusNotFound)
	captain := x.Captains[white]
	captain.Send(http.MethodPut, lineUp, good).Want(t, http.StatusPreconditionRequired)
	captain.Send(http.MethodPut, lineUp, players(m[0], m[0]), own.IfMatch()).Want(t, http.StatusUnprocessableEntity)
	captain.Send(http.MethodPut, lineUp, players(m[0], x.Members[black][0]), own.IfMatch()).Want(t, http.StatusUnprocessableEntity)
	if short := captain.Send(http.MethodPut, lineUp, players(m[0]), own.IfMatch()).Want(t, http.StatusOK); short.Text("warning") == "" {
		t.Errorf("no warning: %s", short.Raw)
	}
	captain.Send(http.MethodPut, lineUp, good, own.IfMatch()).Want(t, http.StatusPreconditionFailed)
	filed := captain.Send(http.MethodPut, lineUp, good, captain.Get(lineUp).IfMatch()).Want(t, http.StatusOK)
	if filed.Number("version") != 2 {
		t.Errorf("%s", filed.Raw)
	}
	if staff := x.Olga.Get(match); staff.At("filed", 0) != true || staff.At("filed", 1) != false {
		t.Errorf("%s", staff.Raw)
	}
	anyone.Get(match).Want(t, http.StatusOK).Lacks(t, `"filed"`, m[4])
	x.Olga.Send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusConflict)
	captain.Post(lineUp+"/final", nil).Want(t, http.StatusOK)
	anyone.Get(match).Want(t, http.StatusOK).Lacks(t, `"boards"`)
	x.Captains[black].Post(lineUp+"/final", nil).Want(t, http.StatusOK)
	revealed := anyone.Get(match).Want(t, http.StatusOK)
	if revealed.Text("boards", 0, "players", 0, "player", "id") != m[4] || len(revealed.List("line_ups")) != 4 ||
		revealed.Text("boards", 0, "game_id") == "" || revealed.Text("line_ups", 0, "by") != "" {
		t.Errorf("%s", revealed.Raw)
	}
	captain.Send(http.MethodPut, lineUp, good, apitest.Header{"If-Match", "*"}).Want(t, http.StatusConflict).Has(t, "were due at")
	game := anyone.Get("/games/"+revealed.Text("boards", 2, "game_id")).Want(t, http.StatusOK)
	if game.Text("variant") != "quivive/duel" {
		t.Errorf("%s", game.Raw)
	}
	// A substitute, then the results by hand, the same board twice.
	captain.Send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusForbidden)
	x.Olga.Send(http.MethodPut, match+"/boards/1", `{"reason":"x"}`, revealed.IfMatch()).
		Want(t, http.StatusUnprocessableEntity)
	substitute := map[string]any{"substitute": map[string]any{"entry_id": x.Entries[white], "player_id": m[0]}}
	swapped := x.Olga.Send(http.MethodPut, match+"/boards/1", substitute, revealed.IfMatch()).Want(t, http.StatusOK)
	if swapped.Text("boards", 0, "players", 0, "player", "id") != m[0] {
		t.Errorf("%s", swapped.Raw)
	}
	x.Olga.Send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, revealed.IfMatch()).
		Want(t, http.StatusPreconditionFailed)
	for i, result := range []string{"1-0", "1/2-1/2", "0-1", "1-0", "+--"} {
		x.Olga.Send(http.MethodPut, fmt.Sprint(match, "/boards/", i%4+1), map[string]any{"result": result},
			apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusOK)
	}
	if over := anyone.Get(match); over.Text("result") != "1-0" || over.Number("scores", 0, "gp") != 2.5 || over.Number("scores", 0, "mp") != 2 {
		t.Errorf("%s", over.Raw)
	}
	x.Olga.Send(http.MethodPut, x.Path+"/rounds/1/pairings/1/result", `{"result":"0-1"}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusConflict).Has(t, "follows from its boards")
	x.Pass(11 * time.Minute)
	x.Olga.Get("/games")
	if err := x.RevealLineUps(t.Context()); err != nil ||
		len(anyone.Get(x.Path+"/rounds/1/matches/2").List("boards")) != 4 {
		t.Errorf("the second match is not revealed (%v)", err)
	}
	for i := range 4 {
		x.Olga.Send(http.MethodPut, fmt.Sprint(x.Path, "/rounds/1/matches/2/boards/", i+1), `{"result":"0-1"}`, apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusOK)
	}
	table := anyone.Get(x.Path+"/standings").Want(t, http.StatusOK)
	if table.Text("rows", 0, "match_points") != "2" || table.Text("rows", 0, "game_points") != "4" || len(table.List("columns")) != 4 {
		t.Errorf("%s", table.Raw)
	}
	anyone.Get(x.Path+"/crosstable").Want(t, http.StatusOK)
	anyone.Get(x.Path + "/standings/explain?entry=" + table.Text("rows", 0, "entry", "id"))
	if boards := anyone.Get(x.Path+"/boards").Want(t, http.StatusOK); boards.Number("items", 0, "board") != 1 || len(boards.List("items")) < 16 {
		t.Errorf("%s", boards.Raw)
	}
	anyone.Get(x.Path+"/export?format=trf").Want(t, http.StatusOK).Has(t, "192 FIDE_TEAM_TYPEA_MP_GP", "352 WBWB", "310 ")
	for _, format := range []string{"csv", "json", "record"} {
		anyone.Get(x.Path+"/export?format="+format).Want(t, http.StatusOK)
	}
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
}

// TestSettingsOfTeamsAreRefused: what contradicts itself, and what other formats have not.
func TestSettingsOfTeamsAreRefused(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	with := func(format, rest string) string {
		return `{"name":"x","variant":"quixo/duel","time_control":"300+3","format":"` + format + `"` + rest + `}`
	}
	for body, field := range map[string]string{
		with("team_swiss", ``):                                                                 "/teams",
		with("swiss", `,"teams":{"boards":[{},{}]}`):                                           "/teams",
		with("team_swiss", `,"teams":{"boards":[{},{"game":"quixo/teams"}]}`):                  "/teams/boards",
		with("team_swiss", `,"teams":{"boards":[{},{"time_control":"soon"}]}`):                 "/teams/boards",
		with("team_swiss", `,"teams":{"boards":[{},{}],"colours":"WBW"}`):                      "/teams/colours",
		with("team_swiss", `,"teams":{"boards":[{},{}],"order":"height"}`):                     "/teams/order",
		with("team_swiss", `,"teams":{"boards":[{},{}],"tiebreak_clock":"60+1"}`):              "/teams",
		with("team_knockout", `,"teams":{"boards":[{},{}],"tiebreak_clock":"soon"}`):           "/teams/tiebreak_clock",
		with("team_knockout", `,"teams":{"boards":[{},{}],"knockout_breaks":["COIN"]}`):        "/teams/knockout_breaks",
		with("team_knockout", `,"teams":{"boards":[{},{}]},"pairing":{"replays":2}`):           "/pairing",
		with("team_swiss", `,"teams":{"boards":[{},{}]},"points":{"win":3}`):                   "/points",
		with("team_swiss", `,"teams":{"boards":[{},{}]},"tie_breaks":["KS"]`):                  "/tie_breaks",
		with("team_round_robin", `,"teams":{"boards":[{},{}]},"pairing":{"adjourned":"draw"}`): "/pairing/adjourned",
	} {
		olga.Post("/tournaments", body).Want(t, http.StatusUnprocessableEntity).Has(t, field)
	}
	x := olga.Post("/tournaments", with("team_round_robin", `,"teams":{"boards":[{},{}],"match_points":{"win":3,"draw":1,"loss":0}}`)).
		Want(t, http.StatusCreated)
	if x.Number("points", "win") != 3 || x.Text("tie_breaks", 1) != "EDEB" {
		t.Errorf("%s", x.Raw)
	}
	path := "/tournaments/" + x.Text("id")
	patched := olga.Send(http.MethodPatch, path, `{"teams":{"boards":[{},{},{}],"match_points":{"win":2,"draw":1,"loss":0}}}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	if patched.Text("teams", "colours") != "WBW" || patched.Number("points", "win") != 2 {
		t.Errorf("%s", patched.Raw)
	}
	olga.Send(http.MethodPatch, path, `{"format":"swiss"}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK).
		Lacks(t, `"teams"`)
	olga.Send(http.MethodPatch, path, `{"format":"team_knockout"}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusUnprocessableEntity)
}

// TestMatchPages: a captain files the line-up by the form, staff enter results and a substitute, and all read the match.
func TestMatchPages(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.FourBoards, 4, apitest.WithPages)
	match := x.Path + "/rounds/1/matches/1"
	page := x.Path + "/matches/1/1"
	white, black := x.Sides(match)
	anyone, m := x.Anonymous(), x.Members[white]
	for _, p := range []apitest.Person{anyone, x.Olga, x.Second[white]} {
		p.Get("/"+page).Want(t, http.StatusOK).Lacks(t, `name="board1"`)
	}
	x.Olga.Get("/"+page).Says(t, "not filed")
	anyone.Get("/"+x.Path+"?tab=round").Want(t, http.StatusOK).Says(t, "line-ups")
	form := x.Captains[white].Get("/"+page).Want(t, http.StatusOK).Says(t, "None is filed")
	twice := url.Values{"seen": {form.Value("seen")}, "board1": {m[1]}, "board2": {m[1]}}
	x.Captains[white].PostForm(page+"/lineup", twice).Want(t, http.StatusUnprocessableEntity).Says(t, "second"+fmt.Sprint(white+1)+" is on board 1 and on board 2")
	fields := url.Values{"do": {"final"}, "seen": {form.Value("seen")}, "board1": {m[4]}, "board2": {m[1]}, "board3": {m[2]}, "board4": {""}}
	x.Second[white].PostForm(page+"/lineup", fields).Want(t, http.StatusNotFound)
	x.Captains[white].PostForm(page+"/lineup", fields).Want(t, http.StatusSeeOther)
	x.Captains[white].PostForm(page+"/lineup", fields).Want(t, http.StatusSeeOther).LedTo(t, page, "match_changed")
	x.Captains[white].Get("/"+page).Says(t, "Version 1 is filed", "it is final")
	anyone.Get("/"+page).Lacks(t, m[4])
	x.Captains[black].Post(match+"/lineup/final", nil).Want(t, http.StatusOK)
	anyone.Get("/"+page).Want(t, http.StatusOK).Has(t, "/players/"+m[4]).Lacks(t, `name="result"`)
	form = x.Olga.Get("/"+page).Want(t, http.StatusOK)
	x.Olga.PostForm(page+"/boards/1", url.Values{"seen": {form.Value("seen")}, "result": {"1/2-1/2"}}).Want(t, http.StatusSeeOther).LedTo(t, page, "match_entered")
	x.Olga.PostForm(page+"/boards/2", url.Values{"seen": {form.Value("seen")}, "result": {"1-0"}}).Want(t, http.StatusSeeOther).LedTo(t, page, "match_changed")
	form = x.Olga.Get("/"+page).Want(t, http.StatusOK)
	x.Olga.PostForm(page+"/boards/2",
		url.Values{"seen": {form.Value("seen")}, "entry": {x.Entries[white]}, "player": {m[0]}}).
		Want(t, http.StatusSeeOther).LedTo(t, page, "match_entered")
	anyone.Get("/"+page).Want(t, http.StatusOK).Has(t, "/players/"+m[0]).Lacks(t, "/players/"+m[1]+`"`)
	x.Captains[white].PostForm(page+"/boards/2", url.Values{"seen": {"x"}, "result": {"1-0"}}).
		Want(t, http.StatusForbidden)
	anyone.Get("/"+x.Path+"?tab=round").Want(t, http.StatusOK).Says(t, "½ : 1½")
	for _, tab := range []string{"round", "standings", "players", "crosstable", "games", "info"} {
		anyone.Get("/"+x.Path+"?tab="+tab).Want(t, http.StatusOK)
	}
	for _, tab := range []string{"entries", "round", "results", "settings", "arbiter"} {
		x.Olga.Get("/"+x.Path+"/desk?tab="+tab).Want(t, http.StatusOK)
	}
	anyone.Get("/"+x.Path+"/standings/1").Want(t, http.StatusOK)
	anyone.Get("/"+x.Path+"/players/1").Want(t, http.StatusOK)
	anyone.Get("/"+x.Path+"/rounds/1/explain").Want(t, http.StatusOK)
	anyone.Get("/"+x.Path+"/wall").Want(t, http.StatusOK)
	x.Captains[white].Get("//").Want(t, http.StatusOK)
	for _, print := range []string{"pairings", "names", "standings", "crosstable", "scorecards"} {
		anyone.Get("/"+x.Path+"/print/"+print).Want(t, http.StatusOK)
	}
	anyone.Get("/"+x.Path+"/print/boards").Want(t, http.StatusOK).Says(t, "Board 4 · Qui’win")
	cards := anyone.Get("/"+x.Path+"/print/matches").Want(t, http.StatusOK).Says(t, "Round 1, match 2", "Player second"+fmt.Sprint(black+1), "½ – ½")
	if blank := strings.Count(string(cards.Raw), `<span class="blank">`); blank != 1+1+1+4+1 {
		t.Errorf("%d blank lines: %s", blank, cards.Raw)
	}
}
