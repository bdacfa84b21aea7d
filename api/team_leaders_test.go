package api_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestLeadersWhoPlayInNoTeam: a captain and a deputy who are no members reach their team from the first page, and no
// longer once others lead it.
func TestLeadersWhoPlayInNoTeam(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	coach, deputy, ann, bob := s.register("coach"), s.register("deputy"), s.register("ann"), s.register("bob")
	path := "/tournaments/" + olga.post("/tournaments", hallOf("team_round_robin", 0, 2, "")).want(t, http.StatusCreated).text("id")
	enter := func(name string, fields map[string]any) *answer {
		fields["name"] = name
		return olga.post(path+"/entries", fields).want(t, http.StatusCreated)
	}
	one := enter("One", map[string]any{
		"members": []string{ann.player, s.register("a2").player}, "captain": coach.player, "deputies": []string{deputy.player},
	})
	enter("Two", map[string]any{"members": []string{bob.player, s.register("b2").player}})
	follows := coach.mine(t, s.listening(t))
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	id := strings.TrimPrefix(path, "/tournaments/")
	each(t, follows, id, "notice")
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	each(t, follows, id, "round_published", "my_pairing")
	team := path + "/team?team=" + url.QueryEscape(one.text("id"))
	for _, p := range []person{coach, deputy, ann} {
		p.get("//").want(t, http.StatusOK).has(t, team)
		p.get("/"+team).want(t, http.StatusOK)
	}
	bob.get("//").want(t, http.StatusOK).lacks(t, team)
	s.register("zoe").get("//").want(t, http.StatusOK).lacks(t, path+"/team")
	seen := olga.get(path+"/entries/"+one.text("id")).want(t, http.StatusOK)
	olga.send(http.MethodPatch, path+"/entries/"+one.text("id"), map[string]any{"captain": ann.player, "deputies": []string{}}, seen.etag()).
		want(t, http.StatusOK)
	coach.get("//").want(t, http.StatusOK).lacks(t, team)
	deputy.get("//").want(t, http.StatusOK).lacks(t, team)
	if list := s.anonymous().get("/tournaments?player="+coach.player).want(t, http.StatusOK); len(list.list("items")) != 0 {
		t.Errorf("a list of those who play has a captain: %s", list.raw)
	}
}

// exported reads the files of the own data.
func exported(t *testing.T, p person) map[string]string {
	t.Helper()
	got := p.get("/me/export").want(t, http.StatusOK)
	archive, err := zip.NewReader(bytes.NewReader(got.raw), int64(len(got.raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// TestReportsOfMatchesAreExported: the own data has what one reported at a board of a match, and a captain what was
// reported of all boards; nobody has what others reported. Boards of a second match have codes of their own.
func TestReportsOfMatchesAreExported(t *testing.T) {
	x := newLeague(t, hallOf("team_knockout", 0, 2, `,"tiebreak_clock":"60+1"`), 2, withRealPages)
	anyone, match, codesAt := x.anonymous(), x.path+"/rounds/1/matches/1", x.path+"/rounds/1/codes"
	x.final(match)
	report := func(number, seat int, said string) {
		t.Helper()
		codes := x.olga.get(codesAt).want(t, http.StatusOK)
		for i := range codes.list("items") {
			board := 0
			if codes.at("items", i, "team_board") != nil {
				board = int(codes.number("items", i, "team_board"))
			}
			if board == number {
				code := "/results/" + codes.text("items", i, "codes", seat)
				saw := anyone.get(code).want(t, http.StatusOK).text("reports", seat, "saw")
				anyone.post(code, fmt.Sprintf(`{"saw":%q,%s}`, saw, said)).want(t, http.StatusOK)
				return
			}
		}
		t.Fatalf("no code of board %d: %s", number, codes.raw)
	}
	white, black := x.sides(match)
	report(2, 0, `"result":"1/2-1/2"`) // the second member of White
	report(0, 1, `"boards":[{"board":1,"result":"1/2-1/2"},{"board":2,"result":"1/2-1/2"}]`)
	report(2, 1, `"result":"1/2-1/2"`)
	report(0, 0, `"boards":[{"board":1,"result":"1/2-1/2"}]`)
	report(0, 1, `"boards":[{"board":1,"result":"1/2-1/2"}]`)
	seen := anyone.get(match).want(t, http.StatusOK)
	if len(seen.list("boards")) != 4 {
		t.Fatalf("no second match: %s", seen.raw)
	}
	report(3, 0, `"result":"1-0"`)
	report(3, 1, `"result":"1-0"`)
	report(4, 1, `"result":"1/2-1/2"`)
	report(4, 0, `"result":"1/2-1/2"`)
	if over := anyone.get(match).want(t, http.StatusOK); over.text("goes_on") == "" || !strings.Contains(over.text("decision"), "(RAPID)") {
		t.Errorf("%s", over.raw)
	}
	for who, want := range map[*person][]string{
		&x.second[white]:   {",1.2,1,1/2-1/2,", ",1.4,1,1/2-1/2,"},
		&x.captains[white]: {",1.1–2,1,", ",1.3,1,1-0,"},
		&x.captains[black]: {",1.1–2,2,", ",1.3,2,1-0,"},
	} {
		reports := exported(t, *who)["reports.csv"]
		for _, part := range want {
			if !strings.Contains(reports, part) {
				t.Errorf("%q is not in\n%s", part, reports)
			}
		}
		if lines := strings.Count(strings.TrimSpace(reports), "\n"); lines < 2 || strings.Contains(reports, ",1.2,2,") {
			t.Errorf("%d reports:\n%s", lines, reports)
		}
	}
}

// TestAPlayerOfLineUpsIsErased: not while the tournament goes on; afterwards nothing of the name is left on any page or
// in any file, and the line-ups have as many players as before.
func TestAPlayerOfLineUpsIsErased(t *testing.T) {
	x := newLeague(t, hallOf("team_scheveningen", 0, 2, ""), 2, withRealPages)
	admin := x.withRole("root", account.RoleAdmin)
	erasedIn(t, x, admin)
	y := newLeague(t, hallOf("team_round_robin", 0, 2, ""), 2, withRealPages)
	match := y.path + "/rounds/1/matches/1"
	white, _ := y.sides(match)
	victim := y.second[white]
	y.captains[white].send(http.MethodPut, match+"/lineup", map[string]any{"players": []string{victim.player, y.members[white][2]}},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	root := y.withRole("root", account.RoleAdmin)
	root.send(http.MethodDelete, "/players/"+victim.player, nil).want(t, http.StatusConflict) // sealed
	y.final(match)
	root.send(http.MethodDelete, "/players/"+victim.player, nil).want(t, http.StatusConflict) // revealed
	erasedIn(t, y, root)
}

// erasedIn plays the first round's boards to the end, erases the second member of White, and looks everywhere.
func erasedIn(t *testing.T, x *league, admin person) {
	t.Helper()
	last := int(x.olga.get(x.path).number("rounds"))
	white, _ := x.sides(x.path + "/rounds/1/matches/1")
	for round := 1; round <= last; round++ {
		if round > 1 {
			x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
		}
		for board := 1; board <= 2; board++ {
			x.board(fmt.Sprint(x.path, "/rounds/", round, "/matches/1"), board, "1-0")
		}
	}
	x.olga.post(x.path+"/finish", nil).want(t, http.StatusOK)
	victim, name := x.second[white].player, fmt.Sprint("Player second", white+1)
	paths := []string{"/" + x.path + "/players/1", "/" + x.path + "/rounds/1/explain", "/" + x.path + ".atom"}
	for _, tab := range []string{
		"", "?tab=round", "?tab=standings", "/crosstable", "?tab=players", "?tab=games", "/history", "/matches/1/1", "/desk", "/wall",
		"/print/matches", "/print/pairings", "/print/names", "/print/boards", "/print/crosstable", "/print/entries", "/print/slips",
	} {
		paths = append(paths, "/"+x.path+tab)
	}
	for _, rest := range []string{
		"", "/entries", "/rounds", "/rounds/1/matches/1", "/standings", "/crosstable", "/boards", "/history", "/export?format=trf",
		"/export?format=json", "/export?format=csv&table=entries", "/export?format=csv&table=crosstable", "/export?format=record",
	} {
		paths = append(paths, x.path+rest)
	}
	count := func() (n int) {
		for _, path := range paths {
			n += strings.Count(string(x.olga.get(path).raw), name) // pages are cached by the first look
		}
		return n
	}
	if named := count(); named < 5 {
		t.Errorf("only %d times named before", named)
	}
	before := x.olga.get(x.path + "/rounds/1/matches/1")
	admin.send(http.MethodDelete, "/players/"+victim, nil).want(t, http.StatusNoContent)
	for _, path := range paths {
		for _, p := range []person{x.olga, x.anonymous()} {
			if a := p.get(path); strings.Contains(string(a.raw), name) {
				at := strings.Index(string(a.raw), name)
				t.Errorf("%s has the name: %s", path, a.raw[max(0, at-80):min(len(a.raw), at+80)])
			}
		}
	}
	after := x.olga.get(x.path+"/rounds/1/matches/1").want(t, http.StatusOK)
	for i := range before.list("boards") {
		if len(after.list("boards", i, "players")) != 2 || after.text("boards", i, "result") != before.text("boards", i, "result") {
			t.Errorf("board %d: %s", i+1, after.raw)
		}
	}
	if a, b := len(before.list("line_ups")), len(after.list("line_ups")); a != b {
		t.Errorf("%d versions of line-ups became %d", a, b)
	}
}

// TestHugeLineUpsAreRefused: what is longer or deeper than a line-up is refused before anything is looked up.
func TestHugeLineUpsAreRefused(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, ""), 2, withRealPages)
	match := x.path + "/rounds/1/matches/1"
	white, _ := x.sides(match)
	captain := x.captains[white]
	start := time.Now()
	for _, body := range []string{
		`{"players":[` + strings.Repeat(`"x",`, 50_000) + `"x"]}`,
		`{"players":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
		`{"players":["` + strings.Repeat("x", 1<<20) + `"]}`,
		`{"players":["a","b","c"]}`, `{"players":[{"id":"x"}]}`, `{"players":null}`, `{"players":[1e999]}`,
	} {
		if a := captain.send(http.MethodPut, match+"/lineup", body, header{"If-Match", "*"}); a.status < 400 || a.status >= 500 {
			t.Errorf("%.40s…: %d %.200s", body, a.status, a.raw)
		}
	}
	form := captain.get("/"+x.path+"/matches/1/1").want(t, http.StatusOK)
	fields := url.Values{"seen": {form.value("seen")}}
	for i := range 2_000 {
		fields.Set(fmt.Sprint("board", i+3), x.members[white][0])
	}
	for _, numbers := range []string{strings.Repeat("1 ", 20_000), strings.Repeat("9", 100_000), "1 2 1 2", "99 1"} {
		fields.Set("numbers", numbers)
		if a := captain.form(x.path+"/matches/1/1/lineup", fields); a.status < 400 || a.status >= 500 {
			t.Errorf("numbers %.20s…: %d", numbers, a.status)
		}
	}
	if own := captain.get(match+"/lineup").want(t, http.StatusOK); own.number("version") != 0 {
		t.Errorf("something was filed: %s", own.raw)
	}
	took := time.Since(start)
	t.Logf("11 hostile line-ups in %v", took)
	if took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestAThousandTeams: a field of 1,000 teams is pasted into the form, started, paired and shown in bounded time. It is measured with
// QUATUOR_LONG=1, and with 100 teams otherwise.
func TestAThousandTeams(t *testing.T) {
	n := 100
	if os.Getenv("QUATUOR_LONG") != "" {
		n = 1000
	}
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.post("/tournaments", hallOf("team_swiss", 9, 2, "")).want(t, http.StatusCreated).text("id")
	took := func(what string, most time.Duration, do func() *answer) *answer {
		t.Helper()
		start := time.Now()
		a := do()
		d := time.Since(start)
		t.Logf("%d teams: %s %v, %d bytes", n, what, d.Round(time.Millisecond), len(a.raw))
		if d > most {
			t.Errorf("%s took %v", what, d)
		}
		return a
	}
	took("pasted", time.Minute, func() (a *answer) {
		const atOnce = 250
		for first := 0; first < n; first += atOnce {
			var list strings.Builder
			for i := first; i < min(first+atOnce, n); i++ {
				fmt.Fprintf(&list, "Team %04d: Member %04d A, Member %04d B\n", i, i, i)
			}
			a = olga.form(path+"/desk/add", url.Values{"version": {fmt.Sprint(1 + first/atOnce)}, "names": {list.String()}, "chosen": {"1"}}).
				want(t, http.StatusSeeOther)
		}
		return a
	})
	took("started", time.Minute, func() *answer { return olga.post(path+"/start", nil).want(t, http.StatusOK) })
	took("paired", time.Minute, func() *answer { return olga.post(path+"/rounds", nil).want(t, http.StatusCreated) })
	for _, page := range []string{"", "?tab=players", "?tab=standings", "/crosstable", "/desk", "/print/matches", "/wall"} {
		took("page "+page, 30*time.Second, func() *answer { return olga.get("/"+path+page).want(t, http.StatusOK) })
	}
}
