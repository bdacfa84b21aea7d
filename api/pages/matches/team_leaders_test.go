package matches_test

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

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestLeadersWhoPlayInNoTeam: a captain and a deputy that are no members reach their team from the first page, and no
// longer once others lead it.
func TestLeadersWhoPlayInNoTeam(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	coach, deputy, ann, bob := s.Register("coach"), s.Register("deputy"), s.Register("ann"), s.Register("bob")
	path := "/tournaments/" + olga.Post("/tournaments", apitest.HallTeams("team_round_robin", 0, 2, "")).Want(t, http.StatusCreated).Text("id")
	enter := func(name string, fields map[string]any) *apitest.Answer {
		fields["name"] = name
		return olga.Post(path+"/entries", fields).Want(t, http.StatusCreated)
	}
	one := enter("One", map[string]any{
		"members": []string{ann.Player, s.Register("a2").Player}, "captain": coach.Player,
		"deputies": []string{deputy.Player},
	})
	enter("Two", map[string]any{"members": []string{bob.Player, s.Register("b2").Player}})
	follows := coach.AccountEvents(t, s.Listening(t))
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	id := strings.TrimPrefix(path, "/tournaments/")
	apitest.Each(t, follows, id, "notice")
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	apitest.Each(t, follows, id, "round_published", "my_pairing")
	team := path + "/team?team=" + url.QueryEscape(one.Text("id"))
	for _, p := range []apitest.Person{coach, deputy, ann} {
		p.Get("//").Want(t, http.StatusOK).Has(t, team)
		p.Get("/"+team).Want(t, http.StatusOK)
	}
	bob.Get("//").Want(t, http.StatusOK).Lacks(t, team)
	s.Register("zoe").Get("//").Want(t, http.StatusOK).Lacks(t, path+"/team")
	seen := olga.Get(path+"/entries/"+one.Text("id")).Want(t, http.StatusOK)
	olga.Send(http.MethodPatch, path+"/entries/"+one.Text("id"), map[string]any{"captain": ann.Player, "deputies": []string{}}, seen.IfMatch()).
		Want(t, http.StatusOK)
	coach.Get("//").Want(t, http.StatusOK).Lacks(t, team)
	deputy.Get("//").Want(t, http.StatusOK).Lacks(t, team)
	if list := s.Anonymous().Get("/tournaments?player="+coach.Player).
		Want(t, http.StatusOK); len(list.List("items")) != 0 {
		t.Errorf("a list of those who play has a captain: %s", list.Raw)
	}
}

// exported reads the files of the own data.
func exported(t *testing.T, p apitest.Person) map[string]string {
	t.Helper()
	got := p.Get("/me/export").Want(t, http.StatusOK)
	archive, err := zip.NewReader(bytes.NewReader(got.Raw), int64(len(got.Raw)))
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

// TestReportsOfMatchesAreExported: a player's own data has the player's reports of a match, and a captain's the reports
// of all boards; no other player's data has them. Boards of a second match have codes of their own.
func TestReportsOfMatchesAreExported(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_knockout", 0, 2, `,"tiebreak_clock":"60+1"`), 2,
		apitest.WithPages)
	anyone, match, codesAt := x.Anonymous(), x.Path+"/rounds/1/matches/1", x.Path+"/rounds/1/codes"
	x.FinalLineUps(match)
	report := func(number, seat int, said string) {
		t.Helper()
		codes := x.Olga.Get(codesAt).Want(t, http.StatusOK)
		for i := range codes.List("items") {
			board := 0
			if codes.At("items", i, "team_board") != nil {
				board = int(codes.Number("items", i, "team_board"))
			}
			if board == number {
				code := "/results/" + codes.Text("items", i, "codes", seat)
				saw := anyone.Get(code).Want(t, http.StatusOK).Text("reports", seat, "saw")
				anyone.Post(code, fmt.Sprintf(`{"saw":%q,%s}`, saw, said)).Want(t, http.StatusOK)
				return
			}
		}
		t.Fatalf("no code of board %d: %s", number, codes.Raw)
	}
	white, black := x.Sides(match)
	report(2, 0, `"result":"1/2-1/2"`) // the second member of White
	report(0, 1, `"boards":[{"board":1,"result":"1/2-1/2"},{"board":2,"result":"1/2-1/2"}]`)
	report(2, 1, `"result":"1/2-1/2"`)
	report(0, 0, `"boards":[{"board":1,"result":"1/2-1/2"}]`)
	report(0, 1, `"boards":[{"board":1,"result":"1/2-1/2"}]`)
	seen := anyone.Get(match).Want(t, http.StatusOK)
	if len(seen.List("boards")) != 4 {
		t.Fatalf("no second match: %s", seen.Raw)
	}
	report(3, 0, `"result":"1-0"`)
	report(3, 1, `"result":"1-0"`)
	report(4, 1, `"result":"1/2-1/2"`)
	report(4, 0, `"result":"1/2-1/2"`)
	if over := anyone.Get(match).Want(t, http.StatusOK); over.Text("goes_on") == "" || !strings.Contains(over.Text("decision"), "(RAPID)") {
		t.Errorf("%s", over.Raw)
	}
	for who, want := range map[*apitest.Person][]string{
		&x.Second[white]:   {",1.2,1,1/2-1/2,", ",1.4,1,1/2-1/2,"},
		&x.Captains[white]: {",1.1–2,1,", ",1.3,1,1-0,"},
		&x.Captains[black]: {",1.1–2,2,", ",1.3,2,1-0,"},
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
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_scheveningen", 0, 2, ""), 2, apitest.WithPages)
	admin := x.WithRole("root", account.RoleAdmin)
	erasedIn(t, x, admin)
	y := apitest.NewTeamLeague(t, apitest.HallTeams("team_round_robin", 0, 2, ""), 2, apitest.WithPages)
	match := y.Path + "/rounds/1/matches/1"
	white, _ := y.Sides(match)
	victim := y.Second[white]
	y.Captains[white].Send(http.MethodPut, match+"/lineup",
		map[string]any{"players": []string{victim.Player, y.Members[white][2]}},
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	root := y.WithRole("root", account.RoleAdmin)
	root.Send(http.MethodDelete, "/players/"+victim.Player, nil).Want(t, http.StatusConflict) // sealed
	y.FinalLineUps(match)
	root.Send(http.MethodDelete, "/players/"+victim.Player, nil).Want(t, http.StatusConflict) // revealed
	erasedIn(t, y, root)
}

// erasedIn plays the first round's boards to the end, erases the second member of White, and looks everywhere.
func erasedIn(t *testing.T, x *apitest.TeamLeague, admin apitest.Person) {
	t.Helper()
	last := int(x.Olga.Get(x.Path).Number("rounds"))
	white, _ := x.Sides(x.Path + "/rounds/1/matches/1")
	for round := 1; round <= last; round++ {
		if round > 1 {
			x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
		}
		for board := 1; board <= 2; board++ {
			x.BoardResult(fmt.Sprint(x.Path, "/rounds/", round, "/matches/1"), board, "1-0")
		}
	}
	x.Olga.Post(x.Path+"/finish", nil).Want(t, http.StatusOK)
	victim, name := x.Second[white].Player, fmt.Sprint("Player second", white+1)
	paths := []string{"/" + x.Path + "/players/1", "/" + x.Path + "/rounds/1/explain", "/" + x.Path + ".atom"}
	for _, tab := range []string{
		"", "?tab=round", "?tab=standings", "/crosstable", "?tab=players", "?tab=games", "/history", "/matches/1/1",
		"/desk", "/wall",
		"/print/matches", "/print/pairings", "/print/names", "/print/boards", "/print/crosstable", "/print/entries",
		"/print/slips",
	} {
		paths = append(paths, "/"+x.Path+tab)
	}
	for _, rest := range []string{
		"", "/entries", "/rounds", "/rounds/1/matches/1", "/standings", "/crosstable", "/boards", "/history",
		"/export?format=trf",
		"/export?format=json", "/export?format=csv&table=entries", "/export?format=csv&table=crosstable",
		"/export?format=record",
	} {
		paths = append(paths, x.Path+rest)
	}
	count := func() (n int) {
		for _, path := range paths {
			n += strings.Count(string(x.Olga.Get(path).Raw), name) // pages are cached by the first look
		}
		return n
	}
	if named := count(); named < 5 {
		t.Errorf("only %d times named before", named)
	}
	before := x.Olga.Get(x.Path + "/rounds/1/matches/1")
	admin.Send(http.MethodDelete, "/players/"+victim, nil).Want(t, http.StatusNoContent)
	for _, path := range paths {
		for _, p := range []apitest.Person{x.Olga, x.Anonymous()} {
			if a := p.Get(path); strings.Contains(string(a.Raw), name) {
				at := strings.Index(string(a.Raw), name)
				t.Errorf("%s has the name: %s", path, a.Raw[max(0, at-80):min(len(a.Raw), at+80)])
			}
		}
	}
	after := x.Olga.Get(x.Path+"/rounds/1/matches/1").Want(t, http.StatusOK)
	for i := range before.List("boards") {
		if len(after.List("boards", i, "players")) != 2 ||
			after.Text("boards", i, "result") != before.Text("boards", i, "result") {
			t.Errorf("board %d: %s", i+1, after.Raw)
		}
	}
	if a, b := len(before.List("line_ups")), len(after.List("line_ups")); a != b {
		t.Errorf("%d versions of line-ups became %d", a, b)
	}
}

// TestHugeLineUpsAreRefused: what is longer or deeper than a line-up is refused before anything is looked up.
func TestHugeLineUpsAreRefused(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, ""), 2, apitest.WithPages)
	match := x.Path + "/rounds/1/matches/1"
	white, _ := x.Sides(match)
	captain := x.Captains[white]
	start := time.Now()
	for _, body := range []string{
		`{"players":[` + strings.Repeat(`"x",`, 50_000) + `"x"]}`,
		`{"players":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
		`{"players":["` + strings.Repeat("x", 1<<20) + `"]}`,
		`{"players":["a","b","c"]}`, `{"players":[{"id":"x"}]}`, `{"players":null}`, `{"players":[1e999]}`,
	} {
		if a := captain.Send(http.MethodPut, match+"/lineup", body, apitest.Header{"If-Match", "*"}); a.Status < 400 ||
			a.Status >= 500 {
			t.Errorf("%.40s…: %d %.200s", body, a.Status, a.Raw)
		}
	}
	form := captain.Get("/"+x.Path+"/matches/1/1").Want(t, http.StatusOK)
	fields := url.Values{"seen": {form.Value("seen")}}
	for i := range 2_000 {
		fields.Set(fmt.Sprint("board", i+3), x.Members[white][0])
	}
	for _, numbers := range []string{strings.Repeat("1 ", 20_000), strings.Repeat("9", 100_000), "1 2 1 2", "99 1"} {
		fields.Set("numbers", numbers)
		if a := captain.PostForm(x.Path+"/matches/1/1/lineup", fields); a.Status < 400 || a.Status >= 500 {
			t.Errorf("numbers %.20s…: %d", numbers, a.Status)
		}
	}
	if own := captain.Get(match+"/lineup").Want(t, http.StatusOK); own.Number("version") != 0 {
		t.Errorf("something was filed: %s", own.Raw)
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
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.Post("/tournaments", apitest.HallTeams("team_swiss", 9, 2, "")).
		Want(t, http.StatusCreated).Text("id")
	took := func(what string, most time.Duration, do func() *apitest.Answer) *apitest.Answer {
		t.Helper()
		start := time.Now()
		a := do()
		d := time.Since(start)
		t.Logf("%d teams: %s %v, %d bytes", n, what, d.Round(time.Millisecond), len(a.Raw))
		if d > most {
			t.Errorf("%s took %v", what, d)
		}
		return a
	}
	took("pasted", time.Minute, func() (a *apitest.Answer) {
		const atOnce = 250
		for first := 0; first < n; first += atOnce {
			var list strings.Builder
			for i := first; i < min(first+atOnce, n); i++ {
				fmt.Fprintf(&list, "Team %04d: Member %04d A, Member %04d B\n", i, i, i)
			}
			a = olga.PostForm(path+"/desk/add", url.Values{"version": {fmt.Sprint(1 + first/atOnce)}, "names": {list.String()}, "chosen": {"1"}}).
				Want(t, http.StatusSeeOther)
		}
		return a
	})
	took("started", time.Minute, func() *apitest.Answer { return olga.Post(path+"/start", nil).Want(t, http.StatusOK) })
	took("paired", time.Minute, func() *apitest.Answer {
		return olga.Post(path+"/rounds", nil).
			Want(t, http.StatusCreated)
	})
	for _, page := range []string{
		"", "?tab=players", "?tab=standings", "/crosstable", "/desk", "/print/matches",
		"/wall",
	} {
		took("page "+page, 30*time.Second, func() *apitest.Answer { return olga.Get("/"+path+page).Want(t, http.StatusOK) })
	}
}
