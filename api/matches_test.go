package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// league is a tournament of teams over four boards.
type league struct {
	*service
	t        *testing.T
	olga     person
	path     string
	captains []person
	second   []person   // the second member of each team
	members  [][]string // by team
	entries  []string   // ids by team
}

const fourGames = `{"name":"League","variant":"quixo/duel","format":"team_swiss","rounds":3,"time_control":"300+3","rated":true,
	"teams":{"boards":[{},{"game":"quits/duel"},{"game":"quivive/duel","time_control":"600+5"},{"game":"quiwin/duel","rated":false}]}}`

// newLeague enters teams of five, starts the tournament and publishes its first round.
func newLeague(t *testing.T, settings string, n int, change ...func(*configuration)) *league {
	t.Helper()
	x := &league{service: newService(t, change...), t: t}
	x.olga = x.withRole("olga", account.RoleOrganiser)
	x.path = "/tournaments/" + x.olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
	for i := range n {
		captain := x.register(fmt.Sprint("captain", i+1))
		members := []string{captain.player}
		x.second = append(x.second, x.register(fmt.Sprint("second", i+1)))
		members = append(members, x.second[i].player)
		for k := range 3 {
			members = append(members, x.register(fmt.Sprintf("p%d-%d", i+1, k+3)).player)
		}
		entry := x.olga.post(x.path+"/entries", map[string]any{
			"name": fmt.Sprint("Team ", i+1), "members": members, "captain": captain.player,
		}).want(t, http.StatusCreated)
		x.captains, x.members, x.entries = append(x.captains, captain), append(x.members, members), append(x.entries, entry.text("id"))
	}
	x.olga.post(x.path+"/start", nil).want(t, http.StatusOK)
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
	return x
}

// sides returns the teams, from 0, of a match.
func (x *league) sides(match string) (white, black int) {
	x.t.Helper()
	m := x.olga.get(match).want(x.t, http.StatusOK)
	for i, id := range x.entries {
		switch id {
		case m.text("seats", 0, "id"):
			white = i
		case m.text("seats", 1, "id"):
			black = i
		}
	}
	return white, black
}

// TestMatchesOfTeams: settings and entries, line-ups with their refusals, the reveal, boards, standings and the report.
func TestMatchesOfTeams(t *testing.T) {
	x := newLeague(t, fourGames, 4)
	anyone := x.anonymous()
	x.olga.send(http.MethodPatch, x.path, `{"name":"League of four"}`, header{"If-Match", "*"}).want(t, http.StatusOK)
	if seen := anyone.get(x.path); seen.number("teams", "minimum") != 2 || seen.text("teams", "colours") != "WBWB" {
		t.Errorf("%s", seen.raw)
	}
	match := x.path + "/rounds/1/matches/1"
	white, black := x.sides(match)
	lineUp := match + "/lineup"
	own := x.captains[white].get(lineUp).want(t, http.StatusOK)
	if own.number("version") != 0 || len(own.list("players")) != 4 {
		t.Errorf("%s", own.raw)
	}
	m := x.members[white]
	players := func(ids ...string) map[string]any { return map[string]any{"players": ids} }
	good := players(m[4], m[1], m[2], m[3])
	for i, p := range x.captains {
		if i != white && i != black {
			p.send(http.MethodPut, lineUp, good, header{"If-Match", "*"}).want(t, http.StatusNotFound)
			p.get(lineUp).want(t, http.StatusNotFound)
		}
	}
	x.olga.send(http.MethodPut, lineUp, good, header{"If-Match", "*"}).want(t, http.StatusNotFound)
	anyone.send(http.MethodPut, lineUp, good, header{"If-Match", "*"}).want(t, http.StatusUnauthorized)
	x.second[white].get(lineUp).want(t, http.StatusNotFound)
	captain := x.captains[white]
	captain.send(http.MethodPut, lineUp, good).want(t, http.StatusPreconditionRequired)
	captain.send(http.MethodPut, lineUp, players(m[0], m[0]), own.etag()).want(t, http.StatusUnprocessableEntity)
	captain.send(http.MethodPut, lineUp, players(m[0], x.members[black][0]), own.etag()).want(t, http.StatusUnprocessableEntity)
	if short := captain.send(http.MethodPut, lineUp, players(m[0]), own.etag()).want(t, http.StatusOK); short.text("warning") == "" {
		t.Errorf("no warning: %s", short.raw)
	}
	captain.send(http.MethodPut, lineUp, good, own.etag()).want(t, http.StatusPreconditionFailed)
	filed := captain.send(http.MethodPut, lineUp, good, captain.get(lineUp).etag()).want(t, http.StatusOK)
	if filed.number("version") != 2 {
		t.Errorf("%s", filed.raw)
	}
	if staff := x.olga.get(match); staff.at("filed", 0) != true || staff.at("filed", 1) != false {
		t.Errorf("%s", staff.raw)
	}
	anyone.get(match).want(t, http.StatusOK).lacks(t, `"filed"`, m[4])
	x.olga.send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, header{"If-Match", "*"}).want(t, http.StatusConflict)
	captain.post(lineUp+"/final", nil).want(t, http.StatusOK)
	anyone.get(match).want(t, http.StatusOK).lacks(t, `"boards"`)
	x.captains[black].post(lineUp+"/final", nil).want(t, http.StatusOK)
	revealed := anyone.get(match).want(t, http.StatusOK)
	if revealed.text("boards", 0, "players", 0, "player", "id") != m[4] || len(revealed.list("line_ups")) != 4 ||
		revealed.text("boards", 0, "game_id") == "" || revealed.text("line_ups", 0, "by") != "" {
		t.Errorf("%s", revealed.raw)
	}
	captain.send(http.MethodPut, lineUp, good, header{"If-Match", "*"}).want(t, http.StatusConflict).has(t, "were due at")
	game := anyone.get("/games/"+revealed.text("boards", 2, "game_id")).want(t, http.StatusOK)
	if game.text("variant") != "quivive/duel" {
		t.Errorf("%s", game.raw)
	}
	// A substitute, then the results by hand, one of them twice.
	captain.send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, header{"If-Match", "*"}).want(t, http.StatusForbidden)
	x.olga.send(http.MethodPut, match+"/boards/1", `{"reason":"x"}`, revealed.etag()).want(t, http.StatusUnprocessableEntity)
	substitute := map[string]any{"substitute": map[string]any{"entry_id": x.entries[white], "player_id": m[0]}}
	swapped := x.olga.send(http.MethodPut, match+"/boards/1", substitute, revealed.etag()).want(t, http.StatusOK)
	if swapped.text("boards", 0, "players", 0, "player", "id") != m[0] {
		t.Errorf("%s", swapped.raw)
	}
	x.olga.send(http.MethodPut, match+"/boards/1", `{"result":"1-0"}`, revealed.etag()).want(t, http.StatusPreconditionFailed)
	for i, result := range []string{"1-0", "1/2-1/2", "0-1", "1-0", "+--"} {
		x.olga.send(http.MethodPut, fmt.Sprint(match, "/boards/", i%4+1), map[string]any{"result": result}, header{"If-Match", "*"}).
			want(t, http.StatusOK)
	}
	if over := anyone.get(match); over.text("result") != "1-0" || over.number("scores", 0, "gp") != 2.5 || over.number("scores", 0, "mp") != 2 {
		t.Errorf("%s", over.raw)
	}
	x.olga.send(http.MethodPut, x.path+"/rounds/1/pairings/1/result", `{"result":"0-1"}`, header{"If-Match", "*"}).
		want(t, http.StatusConflict).has(t, "follows from its boards")
	x.pass(11 * time.Minute)
	x.olga.get("/games")
	if err := x.reveal(t.Context()); err != nil || len(anyone.get(x.path+"/rounds/1/matches/2").list("boards")) != 4 {
		t.Errorf("the second match is not revealed (%v)", err)
	}
	for i := range 4 {
		x.olga.send(http.MethodPut, fmt.Sprint(x.path, "/rounds/1/matches/2/boards/", i+1), `{"result":"0-1"}`, header{"If-Match", "*"}).
			want(t, http.StatusOK)
	}
	table := anyone.get(x.path+"/standings").want(t, http.StatusOK)
	if table.text("rows", 0, "match_points") != "2" || table.text("rows", 0, "game_points") != "4" || len(table.list("columns")) != 4 {
		t.Errorf("%s", table.raw)
	}
	anyone.get(x.path+"/crosstable").want(t, http.StatusOK)
	anyone.get(x.path + "/standings/explain?entry=" + table.text("rows", 0, "entry", "id"))
	if boards := anyone.get(x.path+"/boards").want(t, http.StatusOK); boards.number("items", 0, "board") != 1 || len(boards.list("items")) < 16 {
		t.Errorf("%s", boards.raw)
	}
	anyone.get(x.path+"/export?format=trf").want(t, http.StatusOK).has(t, "192 FIDE_TEAM_TYPEA_MP_GP", "352 WBWB", "310 ")
	for _, format := range []string{"csv", "json", "record"} {
		anyone.get(x.path+"/export?format="+format).want(t, http.StatusOK)
	}
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
}

// TestSettingsOfTeamsAreRefused: what contradicts itself, and what other formats have not.
func TestSettingsOfTeamsAreRefused(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
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
		olga.post("/tournaments", body).want(t, http.StatusUnprocessableEntity).has(t, field)
	}
	x := olga.post("/tournaments", with("team_round_robin", `,"teams":{"boards":[{},{}],"match_points":{"win":3,"draw":1,"loss":0}}`)).
		want(t, http.StatusCreated)
	if x.number("points", "win") != 3 || x.text("tie_breaks", 1) != "EDEB" {
		t.Errorf("%s", x.raw)
	}
	path := "/tournaments/" + x.text("id")
	patched := olga.send(http.MethodPatch, path, `{"teams":{"boards":[{},{},{}],"match_points":{"win":2,"draw":1,"loss":0}}}`, header{"If-Match", "*"}).
		want(t, http.StatusOK)
	if patched.text("teams", "colours") != "WBW" || patched.number("points", "win") != 2 {
		t.Errorf("%s", patched.raw)
	}
	olga.send(http.MethodPatch, path, `{"format":"swiss"}`, header{"If-Match", "*"}).want(t, http.StatusOK).lacks(t, `"teams"`)
	olga.send(http.MethodPatch, path, `{"format":"team_knockout"}`, header{"If-Match", "*"}).want(t, http.StatusUnprocessableEntity)
}

// TestSealedLineUpsStaySealed: in two worlds that differ in nothing but a line-up that was filed, and filed again,
// everybody but its captain gets the same bytes from every path that can be read, with the same headers, until it is
// revealed.
func TestSealedLineUpsStaySealed(t *testing.T) {
	at := time.Now().Truncate(time.Second)
	fixed := func(c *configuration) { c.clock = func() time.Time { return at } }
	first := newLeague(t, fourGames, 4, withRealPages, fixed)
	match := first.path + "/rounds/1/matches/1"
	white, black := first.sides(match)
	m := first.members[white]
	paths := []string{match + "/lineup", first.path + "/rounds/1/matches/1", first.path + "/export?format=trf", first.path + "/export?format=json"}
	for path, item := range theContract().Paths.Map() {
		if item.Get == nil || !slices.ContainsFunc([]string{"/tournaments/{", "/me", "/players", "/games"}, func(part string) bool { return strings.HasPrefix(path, part) }) {
			continue
		}
		path = strings.NewReplacer("{tournament_id}", strings.TrimPrefix(first.path, "/tournaments/"), "{round}", "1", "{board}", "1",
			"{entry_id}", first.entries[white]).Replace(path)
		if !strings.Contains(path, "events") && !strings.Contains(path, "{") {
			paths = append(paths, path)
		}
	}
	for _, tab := range []string{
		"", "/entries", "/rounds/1", "/standings", "/crosstable", "/history", "/matches/1/1", "/desk", "/wall", "/team",
		"/print/matches", "/print/pairings", "/print/names", "/print/boards", "/print/slips", "/print/cards", "/desk/codes",
	} {
		paths = append(paths, "/"+first.path+tab)
	}
	if len(paths) < 25 {
		t.Fatalf("only %d paths", len(paths))
	}
	viewers := map[string]person{
		"anyone": first.anonymous(), "staff": first.olga, "the other captain": first.captains[black],
		"admin": first.withRole("root", account.RoleAdmin), "a member": first.second[white],
	}
	paths = append(paths, "/")
	answers := 0
	look := func(lineUp ...string) answered {
		first.captains[white].send(http.MethodPut, match+"/lineup", map[string]any{"players": lineUp}, header{"If-Match", "*"}).
			want(t, http.StatusOK)
		seen := answered{}
		seen.look(viewers, paths)
		answers += len(seen)
		return seen
	}
	// Each pair of worlds is another line-up that was filed; with QUATUOR_LONG=1 there are 10,000 answers.
	most, differ := 1, 0
	if os.Getenv("QUATUOR_LONG") != "" {
		most = 10_000
	}
	for i := 0; answers < most; i++ {
		one := look(m[i%5], m[(i+1)%5], m[(i+2)%5], m[(i+3)%5])
		other := look(m[(i+4)%5], m[(i+3)%5], m[(i+2)%5], m[(i+1)%5])
		differ += differences(t, one, other)
		paths = slices.DeleteFunc(paths, func(path string) bool { // a few times an hour
			return path == "/me/export" || path == "/games/export"
		})
	}
	t.Logf("%d answers by %d viewers to %d paths: %d differ", answers, len(viewers), len(paths), differ)
}

// TestMatchPages: a captain files the line-up by the form, staff enter results and a substitute, and all read the match.
func TestMatchPages(t *testing.T) {
	x := newLeague(t, fourGames, 4, withRealPages)
	match := x.path + "/rounds/1/matches/1"
	page := x.path + "/matches/1/1"
	white, black := x.sides(match)
	anyone, m := x.anonymous(), x.members[white]
	for _, p := range []person{anyone, x.olga, x.second[white]} {
		p.get("/"+page).want(t, http.StatusOK).lacks(t, `name="board1"`)
	}
	x.olga.get("/"+page).says(t, "not filed")
	anyone.get("/"+x.path+"?tab=round").want(t, http.StatusOK).says(t, "line-ups")
	form := x.captains[white].get("/"+page).want(t, http.StatusOK).says(t, "None is filed")
	twice := url.Values{"seen": {form.value("seen")}, "board1": {m[1]}, "board2": {m[1]}}
	x.captains[white].form(page+"/lineup", twice).want(t, http.StatusUnprocessableEntity).says(t, "second"+fmt.Sprint(white+1)+" is on board 1 and on board 2")
	fields := url.Values{"do": {"final"}, "seen": {form.value("seen")}, "board1": {m[4]}, "board2": {m[1]}, "board3": {m[2]}, "board4": {""}}
	x.second[white].form(page+"/lineup", fields).want(t, http.StatusNotFound)
	x.captains[white].form(page+"/lineup", fields).want(t, http.StatusSeeOther)
	x.captains[white].form(page+"/lineup", fields).want(t, http.StatusSeeOther).led(t, page, "match_changed")
	x.captains[white].get("/"+page).says(t, "Version 1 is filed", "it is final")
	anyone.get("/"+page).lacks(t, m[4])
	x.captains[black].post(match+"/lineup/final", nil).want(t, http.StatusOK)
	anyone.get("/"+page).want(t, http.StatusOK).has(t, "/players/"+m[4]).lacks(t, `name="result"`)
	form = x.olga.get("/"+page).want(t, http.StatusOK)
	x.olga.form(page+"/boards/1", url.Values{"seen": {form.value("seen")}, "result": {"1/2-1/2"}}).want(t, http.StatusSeeOther).led(t, page, "match_entered")
	x.olga.form(page+"/boards/2", url.Values{"seen": {form.value("seen")}, "result": {"1-0"}}).want(t, http.StatusSeeOther).led(t, page, "match_changed")
	form = x.olga.get("/"+page).want(t, http.StatusOK)
	x.olga.form(page+"/boards/2", url.Values{"seen": {form.value("seen")}, "entry": {x.entries[white]}, "player": {m[0]}}).
		want(t, http.StatusSeeOther).led(t, page, "match_entered")
	anyone.get("/"+page).want(t, http.StatusOK).has(t, "/players/"+m[0]).lacks(t, "/players/"+m[1]+`"`)
	x.captains[white].form(page+"/boards/2", url.Values{"seen": {"x"}, "result": {"1-0"}}).want(t, http.StatusForbidden)
	anyone.get("/"+x.path+"?tab=round").want(t, http.StatusOK).says(t, "½ : 1½")
	for _, tab := range []string{"round", "standings", "players", "crosstable", "games", "info"} {
		anyone.get("/"+x.path+"?tab="+tab).want(t, http.StatusOK)
	}
	for _, tab := range []string{"entries", "round", "results", "settings", "arbiter"} {
		x.olga.get("/"+x.path+"/desk?tab="+tab).want(t, http.StatusOK)
	}
	anyone.get("/"+x.path+"/standings/1").want(t, http.StatusOK)
	anyone.get("/"+x.path+"/players/1").want(t, http.StatusOK)
	anyone.get("/"+x.path+"/rounds/1/explain").want(t, http.StatusOK)
	anyone.get("/"+x.path+"/wall").want(t, http.StatusOK)
	x.captains[white].get("//").want(t, http.StatusOK)
	for _, print := range []string{"pairings", "names", "standings", "crosstable", "scorecards"} {
		anyone.get("/"+x.path+"/print/"+print).want(t, http.StatusOK)
	}
	anyone.get("/"+x.path+"/print/boards").want(t, http.StatusOK).says(t, "Board 4 · Qui’win")
	cards := anyone.get("/"+x.path+"/print/matches").want(t, http.StatusOK).says(t, "Round 1, match 2", "Player second"+fmt.Sprint(black+1), "½ – ½")
	if blank := strings.Count(string(cards.raw), `<span class="blank">`); blank != 1+1+1+4+1 {
		t.Errorf("%d blank lines: %s", blank, cards.raw)
	}
}
