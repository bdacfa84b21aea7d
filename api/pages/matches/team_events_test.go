package matches_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/trf"
)

// agrees compares a tournament of teams with its own report file: each round of a Swiss is paired alike from it, and it
// ranks alike.
func agrees(x *apitest.TeamLeague, rounds int) {
	x.T.Helper()
	r, err := trf.ReadTeams(x.Olga.Get(x.Path+"/export?format=trf").Want(x.T, http.StatusOK).Raw, false)
	if err != nil {
		x.T.Fatal(err)
	}
	number := make(map[string]int)
	for i, e := range x.Olga.Get(x.Path+"/entries").Want(x.T, http.StatusOK).List("items") {
		number[e.(map[string]any)["id"].(string)] = int(x.Olga.Get(x.Path+"/entries").Number("items", i, "number"))
	}
	for round := 1; round <= rounds && !r.Table(); round++ {
		drawn, err := teamswiss.Pairer{
			Preference: teamswiss.Preference(r.Preference()),
			Virtual:    r.VirtualPoints,
		}.Draw(r.Drawn(round))
		if err != nil {
			x.T.Fatalf("round %d: %v", round, err)
		}
		played := x.Olga.Get(fmt.Sprint(x.Path, "/rounds/", round))
		for i, g := range drawn.Games {
			if w, b := number[played.Text("pairings", i, "seats", 0)], number[played.Text("pairings", i, "seats", 1)]; w != g.White || b != g.Black {
				x.T.Errorf("round %d, match %d: %d–%d, by the file %d–%d", round, i+1, w, b, g.White, g.Black)
			}
		}
	}
	table := x.Olga.Get(x.Path+"/standings").Want(x.T, http.StatusOK)
	f := teams.FieldOfReport(r)
	for _, code := range table.List("columns") {
		f.TieBreaks = append(f.TieBreaks, code.(string))
	}
	rows, err := teams.Rank(f)
	if err != nil {
		x.T.Fatal(err)
	}
	for i, row := range rows {
		if int(table.Number("rows", i, "rank")) != row.Rank ||
			int(table.Number("rows", i, "entry", "number")) != row.Number ||
			table.Text("rows", i, "match_points") != row.Totals.MP.String() || table.Text("rows", i, "game_points") != row.Totals.GP.String() {
			x.T.Errorf("rank %d of the file: %+v, in the tournament %v", i+1, row, table.At("rows", i))
		}
	}
}

// rated returns how many games are rated, each once.
func rated(x *apitest.TeamLeague) int {
	x.T.Helper()
	report, err := ledger.New(x.Store.Ratings(), elo.Club{}).Verify(x.T.Context())
	if err != nil || !report.OK() {
		x.T.Errorf("ratings: %+v, %v", report, err)
	}
	return report.Rated
}

// TestRoundRobinsOfTeams: once and twice, from the entries to the end; a penalty counts, and teams meet as in the
// Berger tables.
func TestRoundRobinsOfTeams(t *testing.T) {
	for format, rounds := range map[string]int{"team_round_robin": 3, "team_double_round_robin": 6} {
		x := apitest.NewTeamLeague(t, apitest.HallTeams(format, 0, 2, ""), 4)
		met := make(map[[2]int]int)
		for round := 1; round <= rounds; round++ {
			if round > 1 {
				x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
			}
			for i, match := range x.Matches(round) {
				x.FinalLineUps(match)
				white, black := x.Sides(match)
				met[[2]int{min(white, black), max(white, black)}]++
				x.BoardResult(match, 1, []string{"1-0", "1/2-1/2", "0-1"}[(round+i)%3])
				x.BoardResult(match, 2, []string{"1-0", "--+", "0-1"}[round%3])
			}
		}
		for pair, n := range met {
			if len(met) != 6 || n != rounds/3 {
				t.Errorf("%s: %v met %d times", format, pair, n)
			}
		}
		penalty := map[string]any{"items": []any{map[string]any{"entry_id": x.Entries[0], "mp": -1, "gp": 0.5, "after_round": rounds, "reason": "Late"}}}
		x.Captains[0].Send(http.MethodPut, x.Path+"/bonuses", penalty, apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusForbidden)
		x.Olga.Send(http.MethodPut, x.Path+"/bonuses", penalty).Want(t, http.StatusPreconditionRequired)
		x.Olga.Send(http.MethodPut, x.Path+"/bonuses", `{"items":[{"entry_id":"x","mp":0.25,"reason":"Late"}]}`, apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusUnprocessableEntity)
		before := x.Olga.Get(x.Path+"/bonuses").Want(t, http.StatusOK).IfMatch()
		x.Olga.Send(http.MethodPut, x.Path+"/bonuses", penalty, before).Want(t, http.StatusOK)
		x.Olga.Send(http.MethodPut, x.Path+"/bonuses", penalty, before).Want(t, http.StatusPreconditionFailed)
		x.Anonymous().Get(x.Path+"/bonuses").Want(t, http.StatusOK).Has(t, `"mp":-1`, "Late")
		x.Anonymous().Get(x.Path+"/export?format=trf").Want(t, http.StatusOK).Has(t, "299 ")
		x.Olga.Get(x.Path+"/history?limit=200").Want(t, http.StatusOK).
			Has(t, "bonuses", "-1 MP and 0.5 GP from the table after round")
		agrees(x, rounds)
		x.Olga.Post(x.Path+"/finish", nil).Want(t, http.StatusOK)
	}
}

// TestAnEveningOfTeams: twelve teams over four boards in five rounds, with line-ups that are late, again open or not
// filed, forfeits and substitutes. Each round is that of the report file, so are the ranks, and each game is rated once.
func TestAnEveningOfTeams(t *testing.T) {
	rounds := apitest.Amount(2, 5, 5)
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", rounds, 4, `,"deadline_minutes":1`), 12)
	results, played := []string{"1-0", "1/2-1/2", "0-1", "0-1", "1-0", "+--", "1/2-1/2", "---"}, 0
	for round := 1; round <= rounds; round++ {
		if round > 1 {
			x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
		}
		list := x.Matches(round)
		for i, match := range list {
			white, _ := x.Sides(match)
			m := x.Members[white]
			switch lineUp := map[string]any{"players": []string{m[4], m[2], m[1], m[0]}}; {
			case i == round: // short of two boards, and so forfeited
				x.Captains[white].Send(http.MethodPut, match+"/lineup", map[string]any{"players": m[:1]}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
			case i%2 == 0:
				x.Captains[white].Send(http.MethodPut, match+"/lineup", lineUp, apitest.Header{"If-Match", "*"}).
					Want(t, http.StatusOK)
			}
			if i < 2 {
				x.FinalLineUps(match)
			}
		}
		if round == 2 { // a match is sealed again, and both captains have to confirm again
			x.Olga.Post(list[0]+"/lineup/reopen", map[string]any{"minutes": 3}).Want(t, http.StatusOK).Lacks(t, `"boards"`)
			x.Captains[0].Post(list[0]+"/lineup/reopen", map[string]any{"minutes": 3}).Want(t, http.StatusForbidden)
			x.FinalLineUps(list[0])
		}
		x.Pass(2 * time.Minute)
		x.Olga.Get("/games")
		last := list[len(list)-1]
		if err := x.RevealLineUps(t.Context()); err != nil {
			t.Fatal(err)
		}
		white, _ := x.Sides(last)
		x.Captains[white].Send(http.MethodPut, last+"/lineup", map[string]any{"players": x.Members[white][:4]}, apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusConflict)
		for i, match := range list {
			seen := x.Olga.Get(match)
			if i == 3 && round != 3 {
				_, black := x.Sides(match)
				sits := string(seen.Raw)
				spare := slices.IndexFunc(x.Members[black], func(id string) bool {
					return !strings.Contains(sits[strings.Index(sits, `"boards"`):strings.Index(sits, `"line_ups"`)], `"id":"`+id+`"`)
				})
				x.Olga.Send(http.MethodPut, match+"/boards/2", map[string]any{
					"substitute": map[string]any{"entry_id": x.Entries[black], "player_id": x.Members[black][spare]},
				}, seen.IfMatch()).Want(t, http.StatusOK)
			}
			for k := range seen.List("boards") {
				if seen.Text("boards", k, "result") != "" {
					continue
				}
				result := results[(round+i+3*k)%len(results)]
				x.BoardResult(match, k+1, result)
				if !strings.HasPrefix(result, "+") && !strings.HasPrefix(result, "-") {
					played++
				}
			}
		}
		x.Olga.Post(list[0]+"/lineup/reopen", map[string]any{"minutes": 5}).Want(t, http.StatusConflict)
	}
	agrees(x, rounds)
	x.Olga.Post(x.Path+"/finish", nil).Want(t, http.StatusOK)
	if n := rated(x); n != played || played < 10*rounds {
		t.Errorf("%d games are rated, and %d were played", n, played)
	}
}

// TestPlayersOfSquadsAreMerged: another record replaces a merged record in a squad, in a sealed line-up and on a board.
func TestPlayersOfSquadsAreMerged(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_knockout", 0, 2, `,"squad":{"most":6}`), 2, apitest.WithPages)
	x.WithRole("root", account.RoleAdmin)
	kept := "kept"
	if err := x.Store.People().CreatePlayer(t.Context(), club.Player{ID: kept, Name: "Kept", Version: 1}); err != nil {
		t.Fatal(err)
	}
	match := x.Path + "/rounds/1/matches/1"
	white, _ := x.Sides(match)
	gone := x.Members[white][3]
	x.Captains[white].Send(http.MethodPut, match+"/lineup", map[string]any{"players": []string{gone, x.Members[white][1]}}, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	merge := func(keep, gone string) {
		t.Helper()
		x.LoggedIn("root").Post("/admin/merge", "keep", keep, "gone", gone, "name", "Kept", "both", "yes").RedirectsTo(t, "/players/"+keep+"?said=players_merged")
	}
	merge(gone, kept) // the record with the account stays
	x.FinalLineUps(match)
	x.Olga.Get(match).Want(t, http.StatusOK).Has(t, gone)
	x.BoardResult(match, 1, "1-0")
	x.BoardResult(match, 2, "0-1")
	if seen := x.Anonymous().Get(match).Want(t, http.StatusOK); seen.Text("goes_on") == "" || !strings.Contains(seen.Text("decision"), "(BC)") {
		t.Errorf("%s", seen.Raw)
	}
	for _, path := range []string{"/" + x.Path, "/" + x.Path + "/matches/1/1", "/" + x.Path + "?tab=standings", x.Path + "/entries", x.Path + "/bracket", x.Path + "/boards"} {
		x.Anonymous().Get(path).Want(t, http.StatusOK)
	}
	if n := rated(x); n != 2 {
		t.Errorf("%d games are rated", n)
	}
}

// TestHugeTeamsAreRefused: squads of 99 are taken, and what is larger, longer or deeper than anything sensible is not.
func TestHugeTeamsAreRefused(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.Post("/tournaments", apitest.HallTeams("team_swiss", 3, 8, `,"squad":{"most":99}`)).Want(t, http.StatusCreated).Text("id")
	refusals := []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}
	members := make([]string, 100)
	for i := range members {
		members[i] = fmt.Sprint("member-", i)
		if err := s.Store.People().CreatePlayer(t.Context(), club.Player{ID: members[i], Name: fmt.Sprint("Member ", i), Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	enter := func(name string, members []string) *apitest.Answer {
		return olga.Post(path+"/entries", map[string]any{"name": name, "members": members})
	}
	for name, list := range map[string][]string{
		"Too many": members, "Twice": append(members[:98:98], members[0]), strings.Repeat("x", 1<<20): members[:8],
	} {
		if a := enter(name, list); !slices.Contains(refusals, a.Status) {
			t.Errorf("%.20s: %d %.200s", name, a.Status, a.Raw)
		}
	}
	enter("Enough", members[:99]).Want(t, http.StatusCreated)
	for _, body := range []string{
		`{"teams":{"boards":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`,
		`{"teams":{"boards":[` + strings.Repeat("{},", 5_000) + `{}]}}`,
		`{"teams":{"boards":[{},{}],"squad":{"most":1e300}}}`,
		`{"teams":{"boards":[{},{}],"tiebreak_clock":"` + strings.Repeat("9", 1<<20) + `"}}`,
		`{"teams":{"boards":[{},{}],"knockout_breaks":["LOT","LOT"]}}`,
	} {
		a := olga.Send(http.MethodPatch, path, body, apitest.Header{"If-Match", "*"})
		if !slices.Contains(refusals, a.Status) {
			t.Errorf("%.60s…: %d %.200s", body, a.Status, a.Raw)
		}
	}
	olga.Get(path).Want(t, http.StatusOK)
}

// TestEventsOfAMatch: streams name the reveal of a match, each board with its game and its result, and the end, in this order;
// only the tournament's staff learn that a line-up was filed.
func TestEventsOfAMatch(t *testing.T) {
	x := apitest.NewTeamLeague(t, strings.Replace(apitest.HallTeams("team_swiss", 1, 2, ""), `"hall"`, `"server"`, 1), 2)
	server := httptest.NewServer(x.Server)
	t.Cleanup(server.Close)
	match := x.Matches(1)[0]
	readers := map[string]apitest.Person{"public": x.Anonymous(), "organiser": x.Olga}
	streams := map[string]<-chan apitest.Event{}
	for name, reader := range readers {
		events, _ := reader.Follow(t, server, x.Path+"/events")
		if first := <-events; first.Name != "state" {
			t.Fatalf("%s: first %s", name, first.Name)
		}
		streams[name] = events
	}
	x.FinalLineUps(match)
	x.BoardResult(match, 2, "0-1")
	x.BoardResult(match, 2, "1-0") // a correction: the board is not finished again
	x.BoardResult(match, 1, "1-0")
	news := "match.revealed board.started:1 board.started:2 board.finished:2 board.finished:1 match.finished"
	for name, want := range map[string]string{"public": news, "organiser": "lineup.filed lineup.filed " + news} {
		var got []string
		for !slices.Contains(got, "match.finished") {
			e, ok := <-streams[name]
			if !ok {
				t.Fatalf("%s: the stream ended after %v", name, got)
			}
			if e.Data["match"] == nil {
				continue
			}
			if board, ok := e.Data["board"]; ok {
				e.Name += fmt.Sprint(":", board)
			}
			got = append(got, e.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n%v, want\n%s", name, got, want)
		}
	}
}
