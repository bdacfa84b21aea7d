package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/trf"
)

// hallOf returns settings of a tournament of teams in the hall.
func hallOf(format string, rounds, boards int, rest string) string {
	planned := ""
	if rounds > 0 {
		planned = fmt.Sprintf(`"rounds":%d,`, rounds)
	}
	return fmt.Sprintf(`{"name":"League","variant":"quixo/duel","format":%q,%s"time_control":"300+3","rated":true,"venue":"hall",
		"teams":{"boards":[%s]%s}}`, format, planned, strings.TrimSuffix(strings.Repeat("{},", boards), ","), rest)
}

// matches returns the paths of the matches of a round.
func (x *league) matches(round int) (paths []string) {
	x.t.Helper()
	at := fmt.Sprint(x.path, "/rounds/", round)
	for i, p := range x.olga.get(at).want(x.t, http.StatusOK).list("pairings") {
		if _, bye := p.(map[string]any)["bye"]; !bye {
			paths = append(paths, fmt.Sprint(at, "/matches/", i+1))
		}
	}
	return paths
}

// final has both captains of a match say that their line-ups are final.
func (x *league) final(match string) {
	x.t.Helper()
	white, black := x.sides(match)
	for _, side := range []int{white, black} {
		x.captains[side].post(match+"/lineup/final", nil).want(x.t, http.StatusOK)
	}
}

// board enters a result.
func (x *league) board(match string, board int, result string) *answer {
	x.t.Helper()
	return x.olga.send(http.MethodPut, fmt.Sprint(match, "/boards/", board), map[string]any{"result": result}, header{"If-Match", "*"}).
		want(x.t, http.StatusOK)
}

// agrees compares a tournament of teams with its own report file: each round of a Swiss is paired alike from it, and it
// ranks alike.
func (x *league) agrees(rounds int) {
	x.t.Helper()
	r, err := trf.ReadTeams(x.olga.get(x.path+"/export?format=trf").want(x.t, http.StatusOK).raw, false)
	if err != nil {
		x.t.Fatal(err)
	}
	number := make(map[string]int)
	for i, e := range x.olga.get(x.path+"/entries").want(x.t, http.StatusOK).list("items") {
		number[e.(map[string]any)["id"].(string)] = int(x.olga.get(x.path+"/entries").number("items", i, "number"))
	}
	for round := 1; round <= rounds && !r.Table(); round++ {
		drawn, err := teamswiss.Pairer{Preference: teamswiss.Preference(r.Preference()), Virtual: r.VirtualPoints}.Draw(r.Drawn(round))
		if err != nil {
			x.t.Fatalf("round %d: %v", round, err)
		}
		played := x.olga.get(fmt.Sprint(x.path, "/rounds/", round))
		for i, g := range drawn.Games {
			if w, b := number[played.text("pairings", i, "seats", 0)], number[played.text("pairings", i, "seats", 1)]; w != g.White || b != g.Black {
				x.t.Errorf("round %d, match %d: %d–%d, by the file %d–%d", round, i+1, w, b, g.White, g.Black)
			}
		}
	}
	table := x.olga.get(x.path+"/standings").want(x.t, http.StatusOK)
	f := teams.FieldOfReport(r)
	for _, code := range table.list("columns") {
		f.TieBreaks = append(f.TieBreaks, code.(string))
	}
	rows, err := teams.Rank(f)
	if err != nil {
		x.t.Fatal(err)
	}
	for i, row := range rows {
		if int(table.number("rows", i, "rank")) != row.Rank || int(table.number("rows", i, "entry", "number")) != row.Number ||
			table.text("rows", i, "match_points") != row.Totals.MP.String() || table.text("rows", i, "game_points") != row.Totals.GP.String() {
			x.t.Errorf("rank %d of the file: %+v, in the tournament %v", i+1, row, table.at("rows", i))
		}
	}
}

// rated returns how many games are rated, each once.
func (x *league) rated() int {
	x.t.Helper()
	report, err := ledger.New(x.db.Ratings(), elo.Club{}).Verify(x.t.Context())
	if err != nil || !report.OK() {
		x.t.Errorf("ratings: %+v, %v", report, err)
	}
	return report.Rated
}

// TestRoundRobinsOfTeams: once and twice, from the entries to the end; a penalty counts, and teams meet as the tables say.
func TestRoundRobinsOfTeams(t *testing.T) {
	for format, rounds := range map[string]int{"team_round_robin": 3, "team_double_round_robin": 6} {
		x := newLeague(t, hallOf(format, 0, 2, ""), 4)
		met := make(map[[2]int]int)
		for round := 1; round <= rounds; round++ {
			if round > 1 {
				x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
			}
			for i, match := range x.matches(round) {
				x.final(match)
				white, black := x.sides(match)
				met[[2]int{min(white, black), max(white, black)}]++
				x.board(match, 1, []string{"1-0", "1/2-1/2", "0-1"}[(round+i)%3])
				x.board(match, 2, []string{"1-0", "--+", "0-1"}[round%3])
			}
		}
		for pair, n := range met {
			if len(met) != 6 || n != rounds/3 {
				t.Errorf("%s: %v met %d times", format, pair, n)
			}
		}
		penalty := map[string]any{"items": []any{map[string]any{"entry_id": x.entries[0], "mp": -1, "gp": 0.5, "after_round": rounds, "reason": "Late"}}}
		x.captains[0].send(http.MethodPut, x.path+"/bonuses", penalty, header{"If-Match", "*"}).want(t, http.StatusForbidden)
		x.olga.send(http.MethodPut, x.path+"/bonuses", penalty).want(t, http.StatusPreconditionRequired)
		x.olga.send(http.MethodPut, x.path+"/bonuses", `{"items":[{"entry_id":"x","mp":0.25,"reason":"Late"}]}`, header{"If-Match", "*"}).
			want(t, http.StatusUnprocessableEntity)
		before := x.olga.get(x.path+"/bonuses").want(t, http.StatusOK).etag()
		x.olga.send(http.MethodPut, x.path+"/bonuses", penalty, before).want(t, http.StatusOK)
		x.olga.send(http.MethodPut, x.path+"/bonuses", penalty, before).want(t, http.StatusPreconditionFailed)
		x.anonymous().get(x.path+"/bonuses").want(t, http.StatusOK).has(t, `"mp":-1`, "Late")
		x.anonymous().get(x.path+"/export?format=trf").want(t, http.StatusOK).has(t, "299 ")
		x.olga.get(x.path+"/history?limit=200").want(t, http.StatusOK).has(t, "bonuses", "-1 MP and 0.5 GP from the table after round")
		x.agrees(rounds)
		x.olga.post(x.path+"/finish", nil).want(t, http.StatusOK)
	}
}

// TestAnEveningOfTeams: twelve teams over four boards in five rounds, with line-ups that are late, again open or not
// filed, forfeits and substitutes. Each round is that of the report file, so are the ranks, and each game is rated once.
func TestAnEveningOfTeams(t *testing.T) {
	rounds := amount(2, 5, 5)
	x := newLeague(t, hallOf("team_swiss", rounds, 4, `,"deadline_minutes":1`), 12)
	results, played := []string{"1-0", "1/2-1/2", "0-1", "0-1", "1-0", "+--", "1/2-1/2", "---"}, 0
	for round := 1; round <= rounds; round++ {
		if round > 1 {
			x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated)
		}
		list := x.matches(round)
		for i, match := range list {
			white, _ := x.sides(match)
			m := x.members[white]
			switch lineUp := map[string]any{"players": []string{m[4], m[2], m[1], m[0]}}; {
			case i == round: // short of two boards, by which it is forfeited
				x.captains[white].send(http.MethodPut, match+"/lineup", map[string]any{"players": m[:1]}, header{"If-Match", "*"}).want(t, http.StatusOK)
			case i%2 == 0:
				x.captains[white].send(http.MethodPut, match+"/lineup", lineUp, header{"If-Match", "*"}).want(t, http.StatusOK)
			}
			if i < 2 {
				x.final(match)
			}
		}
		if round == 2 { // one match is sealed again, and both captains are asked anew
			x.olga.post(list[0]+"/lineup/reopen", map[string]any{"minutes": 3}).want(t, http.StatusOK).lacks(t, `"boards"`)
			x.captains[0].post(list[0]+"/lineup/reopen", map[string]any{"minutes": 3}).want(t, http.StatusForbidden)
			x.final(list[0])
		}
		x.pass(2 * time.Minute)
		x.olga.get("/games")
		last := list[len(list)-1]
		if err := x.reveal(t.Context()); err != nil {
			t.Fatal(err)
		}
		white, _ := x.sides(last)
		x.captains[white].send(http.MethodPut, last+"/lineup", map[string]any{"players": x.members[white][:4]}, header{"If-Match", "*"}).
			want(t, http.StatusConflict)
		for i, match := range list {
			seen := x.olga.get(match)
			if i == 3 && round != 3 {
				_, black := x.sides(match)
				sits := string(seen.raw)
				spare := slices.IndexFunc(x.members[black], func(id string) bool {
					return !strings.Contains(sits[strings.Index(sits, `"boards"`):strings.Index(sits, `"line_ups"`)], `"id":"`+id+`"`)
				})
				x.olga.send(http.MethodPut, match+"/boards/2", map[string]any{
					"substitute": map[string]any{"entry_id": x.entries[black], "player_id": x.members[black][spare]},
				}, seen.etag()).want(t, http.StatusOK)
			}
			for k := range seen.list("boards") {
				if seen.text("boards", k, "result") != "" {
					continue
				}
				result := results[(round+i+3*k)%len(results)]
				x.board(match, k+1, result)
				if !strings.HasPrefix(result, "+") && !strings.HasPrefix(result, "-") {
					played++
				}
			}
		}
		x.olga.post(list[0]+"/lineup/reopen", map[string]any{"minutes": 5}).want(t, http.StatusConflict)
	}
	x.agrees(rounds)
	x.olga.post(x.path+"/finish", nil).want(t, http.StatusOK)
	if n := x.rated(); n != played || played < 10*rounds {
		t.Errorf("%d games are rated, and %d were played", n, played)
	}
}

// TestPlayersOfSquadsAreMerged: a record that stands in a squad, in a sealed line-up and on a board becomes another one.
func TestPlayersOfSquadsAreMerged(t *testing.T) {
	x := newLeague(t, hallOf("team_knockout", 0, 2, `,"squad":{"most":6}`), 2, withRealPages)
	x.withRole("root", account.RoleAdmin)
	kept := "kept"
	if err := x.db.People().CreatePlayer(t.Context(), club.Player{ID: kept, Name: "Kept", Version: 1}); err != nil {
		t.Fatal(err)
	}
	match := x.path + "/rounds/1/matches/1"
	white, _ := x.sides(match)
	gone := x.members[white][3]
	x.captains[white].send(http.MethodPut, match+"/lineup", map[string]any{"players": []string{gone, x.members[white][1]}}, header{"If-Match", "*"}).
		want(t, http.StatusOK)
	merge := func(keep, gone string) {
		t.Helper()
		x.visits("root").post("/admin/merge", "keep", keep, "gone", gone, "name", "Kept", "both", "yes").to(t, "/players/"+keep+"?said=players_merged")
	}
	merge(gone, kept) // the record with the account stays
	x.final(match)
	x.olga.get(match).want(t, http.StatusOK).has(t, gone)
	x.board(match, 1, "1-0")
	x.board(match, 2, "0-1")
	if seen := x.anonymous().get(match).want(t, http.StatusOK); seen.text("goes_on") == "" || !strings.Contains(seen.text("decision"), "(BC)") {
		t.Errorf("%s", seen.raw)
	}
	for _, path := range []string{"/" + x.path, "/" + x.path + "/matches/1/1", "/" + x.path + "?tab=standings", x.path + "/entries", x.path + "/bracket", x.path + "/boards"} {
		x.anonymous().get(path).want(t, http.StatusOK)
	}
	if n := x.rated(); n != 2 {
		t.Errorf("%d games are rated", n)
	}
}

// TestHugeTeamsAreRefused: squads of 99 are taken, and what is larger, longer or deeper than anything sensible is not.
func TestHugeTeamsAreRefused(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.post("/tournaments", hallOf("team_swiss", 3, 8, `,"squad":{"most":99}`)).want(t, http.StatusCreated).text("id")
	refusals := []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}
	members := make([]string, 100)
	for i := range members {
		members[i] = fmt.Sprint("member-", i)
		if err := s.db.People().CreatePlayer(t.Context(), club.Player{ID: members[i], Name: fmt.Sprint("Member ", i), Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	enter := func(name string, members []string) *answer {
		return olga.post(path+"/entries", map[string]any{"name": name, "members": members})
	}
	for name, list := range map[string][]string{
		"Too many": members, "Twice": append(members[:98:98], members[0]), strings.Repeat("x", 1<<20): members[:8],
	} {
		if a := enter(name, list); !slices.Contains(refusals, a.status) {
			t.Errorf("%.20s: %d %.200s", name, a.status, a.raw)
		}
	}
	enter("Enough", members[:99]).want(t, http.StatusCreated)
	for _, body := range []string{
		`{"teams":{"boards":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`,
		`{"teams":{"boards":[` + strings.Repeat("{},", 5_000) + `{}]}}`,
		`{"teams":{"boards":[{},{}],"squad":{"most":1e300}}}`,
		`{"teams":{"boards":[{},{}],"tiebreak_clock":"` + strings.Repeat("9", 1<<20) + `"}}`,
		`{"teams":{"boards":[{},{}],"knockout_breaks":["LOT","LOT"]}}`,
	} {
		a := olga.send(http.MethodPatch, path, body, header{"If-Match", "*"})
		if !slices.Contains(refusals, a.status) {
			t.Errorf("%.60s…: %d %.200s", body, a.status, a.raw)
		}
	}
	olga.get(path).want(t, http.StatusOK)
}

// TestEventsOfAMatch: streams name the reveal of a match, each board with its game and its result, and the end, in this order;
// that a line-up was filed only those who run the tournament learn.
func TestEventsOfAMatch(t *testing.T) {
	x := newLeague(t, strings.Replace(hallOf("team_swiss", 1, 2, ""), `"hall"`, `"server"`, 1), 2)
	server := httptest.NewServer(x.server)
	t.Cleanup(server.Close)
	match := x.matches(1)[0]
	readers := map[string]person{"public": x.anonymous(), "organiser": x.olga}
	streams := map[string]<-chan event{}
	for name, reader := range readers {
		events, _ := reader.follow(t, server, x.path+"/events")
		if first := <-events; first.name != "state" {
			t.Fatalf("%s: first %s", name, first.name)
		}
		streams[name] = events
	}
	x.final(match)
	x.board(match, 2, "0-1")
	x.board(match, 2, "1-0") // a correction: the board is not finished again
	x.board(match, 1, "1-0")
	news := "match.revealed board.started:1 board.started:2 board.finished:2 board.finished:1 match.finished"
	for name, want := range map[string]string{"public": news, "organiser": "lineup.filed lineup.filed " + news} {
		var got []string
		for !slices.Contains(got, "match.finished") {
			e, ok := <-streams[name]
			if !ok {
				t.Fatalf("%s: the stream ended after %v", name, got)
			}
			if e.data["match"] == nil {
				continue
			}
			if board, ok := e.data["board"]; ok {
				e.name += fmt.Sprint(":", board)
			}
			got = append(got, e.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n%v, want\n%s", name, got, want)
		}
	}
}
