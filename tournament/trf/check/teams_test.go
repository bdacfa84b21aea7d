package check_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
	"quatuor/tournament/trf/generate"
)

// generatedTeams returns the tournament of teams of a seed, of a size and with events that vary with it.
func generatedTeams(t testing.TB, seed uint64, more ...string) *trf.TeamReport {
	t.Helper()
	var s generate.Settings
	lines := []string{"Teams=5..16", "RoundsNumber=3..7", "Boards=2..5", "LateEntryRate=20", "RetiredRate=20"}
	switch seed % 4 {
	case 1:
		lines = append(lines, "Acceleration=baku", "Primary=MP")
	case 2:
		lines = append(lines, "MatchForfeitRate=8", "EmptyBoardRate=80", "OrderRate=300", "ForfeitRate=8")
	case 3:
		lines = append(lines, "PlayedRounds=0..6", "HPBRate=40", "FPBRate=20", "ZPBRate=20", "ForbiddenPairs=3")
	}
	for _, line := range append(lines, more...) {
		if err := s.Set(line); err != nil {
			t.Fatal(err)
		}
	}
	r, err := generate.Teams(s, seed)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return r
}

// rereadTeams writes and reads a report.
func rereadTeams(t testing.TB, r *trf.TeamReport, lenient bool) *trf.TeamReport {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := trf.ReadTeams(b.Bytes(), lenient)
	if err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	return again
}

// TestCleanTeams: nothing is found in tournaments of teams that keep the rules.
func TestCleanTeams(t *testing.T) {
	seen := map[team.Kind]int{}
	for seed := range uint64(*clean) {
		r := rereadTeams(t, generatedTeams(t, seed), false)
		result, err := check.Teams(r, check.Options{})
		if err != nil || len(result.Findings) > 0 {
			t.Errorf("seed %d: %+v, error %v", seed, result.Findings, err)
		}
		if want := r.NextRound() - 1; result.Rounds != want || result.Ranks != len(r.Teams) {
			t.Errorf("seed %d: %d rounds and %d ranks compared, want %d and %d", seed, result.Rounds, result.Ranks, want,
				len(r.Teams))
		}
		for _, rounds := range r.Outcomes() {
			for _, o := range rounds {
				seen[o.Kind]++
			}
		}
	}
	for _, kind := range []team.Kind{
		team.ZeroPoint, team.HalfPoint, team.FullPoint, team.Allocated, team.Played, team.ForfeitWin, team.ForfeitLoss,
	} {
		if seen[kind] == 0 {
			t.Errorf("no round of kind %d was among them", kind)
		}
	}
}

// TestKnownTeams: nothing is found in tournaments of teams with known pairings. Some have numbers beside the columns of
// lines 240, which are notes.
func TestKnownTeams(t *testing.T) {
	rounds, notes := 0, 0
	for set, want := range map[string]int{"open": 25, "lineups": 8, "gacrux": 2} {
		files, err := filepath.Glob("../testdata/teams/" + set + "/*.trf")
		if err != nil || len(files) != want {
			t.Fatalf("%s: %d files, %v", set, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := trf.ReadTeams(text, true)
			if err != nil {
				t.Fatal(err)
			}
			result, err := check.Teams(r, check.Options{})
			if err != nil || len(result.Findings) > 0 {
				t.Errorf("%s: %+v, error %v", file, result.Findings, err)
			}
			rounds += result.Rounds
			if slices.ContainsFunc(result.Notes, func(n string) bool { return strings.HasPrefix(n, "lines 240") }) {
				notes++
			}
		}
	}
	if rounds != 179 || notes != 11 {
		t.Errorf("%d rounds were compared, and %d files have a note", rounds, notes)
	}
}

// TestPlantedTeamFaults: every fault is found, with its round or rank, and nothing before it.
func TestPlantedTeamFaults(t *testing.T) {
	planted := map[string]int{}
	for seed := uint64(0); planted["all"] < *faults; seed++ {
		random := rand.New(rand.NewPCG(seed, 1))
		r := generatedTeams(t, seed, "MatchForfeitRate=1000000", "EmptyBoardRate=0", "OrderRate=0")
		if r.NextRound() == 1 {
			continue
		}
		kinds := []func(*trf.TeamReport, *rand.Rand) fault{
			exchangeTeams, turnMatch, moveTeamBye, exchangeTeamRanks, addToTotal, addToPoints,
		}
		f := kinds[random.IntN(len(kinds))](r, random)
		if f.kind == "" {
			continue // the tournament has no place for it
		}
		planted["all"]++
		planted[f.kind]++
		if f.round > 0 {
			if err := r.SetTotals(); err != nil {
				t.Fatalf("seed %d: %+v: %v", seed, f, err)
			}
		}
		result, err := check.Teams(rereadTeams(t, r, true), check.Options{NoStandings: f.round > 0})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		for i := range result.Findings {
			if f := &result.Findings[i]; f.Teams != nil {
				f.Players = f.Teams
			}
		}
		if err := found(f, result.Findings); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if x := result.Findings; f.round > 0 && len(x) > 0 && x[0].Article == "" && x[0].Criterion != "forbidden" {
			t.Errorf("seed %d: no article in %+v", seed, x[0])
		}
	}
	for _, kind := range []string{"pair", "colours", "bye", "ranks", "total", "points"} {
		if planted[kind] < *faults/20 {
			t.Errorf("too few of a kind: %v", planted)
		}
	}
	t.Logf("planted and found: %v", planted)
}

// anyTeams returns a round and two teams of it in random order.
func anyTeams(r *trf.TeamReport, random *rand.Rand) (round, i, j int) {
	order := random.Perm(len(r.Teams))
	return 1 + random.IntN(r.NextRound()-1), order[0], order[1]
}

// exchangeTeams exchanges the opponents of two teams that played in a round.
func exchangeTeams(r *trf.TeamReport, random *rand.Rand) fault {
	round, i, j := anyTeams(r, random)
	a, b := r.Outcomes()[i][round-1], r.Outcomes()[j][round-1]
	if !a.Kind.Met() || !b.Kind.Met() || a.Opponent == j+1 {
		return fault{}
	}
	exchangeRounds(r, round, i, j)
	return fault{"pair", round, []int{i + 1, j + 1, a.Opponent, b.Opponent}}
}

// moveTeamBye moves the bye to a team that had none, and its match to the team with the bye.
func moveTeamBye(r *trf.TeamReport, random *rand.Rand) fault {
	outcomes := r.Outcomes()
	round, _, j := anyTeams(r, random)
	i := slices.IndexFunc(outcomes, func(rounds []team.Outcome) bool { return rounds[round-1].Kind == team.Allocated })
	had := slices.ContainsFunc(outcomes[j], func(o team.Outcome) bool { return o.Kind == team.Allocated })
	if i < 0 || had || !outcomes[j][round-1].Kind.Met() {
		return fault{}
	}
	exchangeRounds(r, round, i, j)
	if r.Allocated != nil {
		r.Allocated.Teams[round-1] = j + 1
	}
	return fault{"bye", round, []int{j + 1}}
}

// exchangeRounds exchanges what two teams did in a round, member by member.
func exchangeRounds(r *trf.TeamReport, round, i, j int) {
	for k, number := range r.Teams[i].Members {
		a, b := &r.Players[number-1].Cells[round-1], &r.Players[r.Teams[j].Members[k]-1].Cells[round-1]
		*a, *b = *b, *a
		for _, moved := range []struct{ opponent, number int }{{a.Opponent, number}, {b.Opponent, r.Teams[j].Members[k]}} {
			if moved.opponent > 0 {
				r.Players[moved.opponent-1].Cells[round-1].Opponent = moved.number
			}
		}
	}
}

// turnMatch exchanges the colours of all boards of a match.
func turnMatch(r *trf.TeamReport, random *rand.Rand) fault {
	round, i, _ := anyTeams(r, random)
	o := r.Outcomes()[i][round-1]
	if !o.Kind.Met() {
		return fault{}
	}
	for _, number := range slices.Concat(r.Teams[i].Members, r.Teams[o.Opponent-1].Members) {
		if c := &r.Players[number-1].Cells[round-1]; c.Colour != 0 {
			c.Colour = pairing.White + pairing.Black - c.Colour
		}
	}
	return fault{"colours", round, []int{i + 1, o.Opponent}}
}

// exchangeTeamRanks exchanges the ranks of two teams that are not level.
func exchangeTeamRanks(r *trf.TeamReport, random *rand.Rand) fault {
	_, i, j := anyTeams(r, random)
	a, b := &r.Teams[i], &r.Teams[j]
	if a.Rank == b.Rank {
		return fault{}
	}
	a.Rank, b.Rank = b.Rank, a.Rank
	return fault{"ranks", 0, []int{i + 1, j + 1}}
}

// addToTotal adds half a point to the game points of a team.
func addToTotal(r *trf.TeamReport, random *rand.Rand) fault {
	_, i, _ := anyTeams(r, random)
	r.Teams[i].Totals.GP += 5
	requested := slices.ContainsFunc(r.TeamByes, func(b trf.Bye) bool { return slices.Contains(b.Numbers, i+1) })
	if requested { // its points may be counted before the round
		return fault{}
	}
	return fault{"total", 0, []int{i + 1}}
}

// addToPoints adds a tenth of a point to the points of a player.
func addToPoints(r *trf.TeamReport, random *rand.Rand) fault {
	p := &r.Players[random.IntN(len(r.Players))]
	p.Points++
	return fault{"points", 0, []int{p.Number}}
}

// TestHandPairedRoundsOfTeams: matches that the file calls set by hand are listed apart, unless they are not allowed at
// all; the file keeps the line when it is written again.
func TestHandPairedRoundsOfTeams(t *testing.T) {
	changed, forbidden := 0, 0
	for seed := uint64(0); changed < 20 || forbidden < 5; seed++ {
		r := generatedTeams(t, seed)
		if r.NextRound() == 1 || len(r.LineUps)+len(r.Forfeits) > 0 { // lines that name opponents, too
			continue
		}
		f := exchangeTeams(r, rand.New(rand.NewPCG(seed, 3)))
		if f.kind == "" {
			continue
		}
		r.Events = append(r.Events, trf.Event{Kind: trf.ByHand, Round: f.round})
		result, err := check.Teams(rereadTeams(t, rereadTeams(t, r, true), true), check.Options{Round: f.round})
		if err != nil || len(result.ByHand)+len(result.Findings) == 0 {
			t.Fatalf("seed %d: %+v, error %v", seed, result, err)
		}
		changed++
		for _, x := range result.ByHand {
			if x.Line == 0 || x.Because != "set by hand" {
				t.Errorf("seed %d: %+v", seed, x)
			}
		}
		for _, x := range result.Findings {
			forbidden++
			if !slices.Contains([]string{"C1", "C2", "C3", "forbidden"}, x.Criterion) {
				t.Errorf("seed %d: a match set by hand is found wrong: %+v", seed, x)
			}
		}
	}
}

// TestRoundRobinOfTeams is compared with the Berger tables.
func TestRoundRobinOfTeams(t *testing.T) {
	for _, system := range []string{"FIDE_TEAM_ROUNDROBIN_MP_GP", "FIDE_TEAM_DOUBLEROUNDROBIN_MP_GP"} {
		r := generatedTeams(t, 0, "Teams=5", "Boards=2", "PlayedRounds=0", "Primary=MP", "MatchForfeitRate=1000000")
		double := strings.Contains(system, "DOUBLE")
		r.System = system
		r.TieBreaks = ""
		r.Standings = ""
		if err := r.SetTotals(); err != nil {
			t.Fatal(err)
		}
		for round := 1; round <= roundrobin.Rounds(5, double); round++ {
			var matches []trf.Encounter
			for _, g := range roundrobin.Round(5, double, round) {
				if g.Black > 0 {
					a, b := r.Teams[g.White-1].Members, r.Teams[g.Black-1].Members
					board := trf.BoardGame{Players: [2]int{a[0], b[0]}, Results: [2]trf.Result{trf.Win, trf.Loss}}
					matches = append(matches, trf.Encounter{White: g.White, Black: g.Black, Boards: []trf.BoardGame{board}})
				}
			}
			r.AddRound(matches, nil)
		}
		if err := r.SetTotals(); err != nil {
			t.Fatal(err)
		}
		result, err := check.Teams(rereadTeams(t, r, false), check.Options{NoStandings: true})
		if err != nil || result.Rounds != roundrobin.Rounds(5, double) || len(result.Findings) > 0 {
			t.Errorf("%s: %+v, %v", system, result, err)
		}
		f, random := fault{}, rand.New(rand.NewPCG(1, 1))
		for f.kind == "" { // until it is a team that is not free
			f = turnMatch(r, random)
		}
		result, err = check.Teams(rereadTeams(t, r, false), check.Options{NoStandings: true})
		if x := result.Findings; err != nil || len(x) != 1 || x[0].Round != f.round || x[0].Kind != "colours" ||
			!slices.Contains(x[0].Teams, f.players[0]) {
			t.Errorf("%s: %+v found of %+v, %v", system, x, f, err)
		}
	}
}

// TestTablesOfTeamsTurned: where the letters of a tournament begin with B, its tables name the teams the other way
// round than the file, and a line in the file records that.
func TestTablesOfTeamsTurned(t *testing.T) {
	r := generatedTeams(t, 0, "Teams=6", "Boards=2", "PlayedRounds=0", "Primary=MP", "MatchForfeitRate=1000000")
	r.System = "FIDE_TEAM_ROUNDROBIN_MP_GP"
	r.TieBreaks = ""
	r.Standings = ""
	if err := r.SetTotals(); err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 5; round++ {
		var matches []trf.Encounter
		for _, g := range roundrobin.Round(6, false, round) {
			a, b := r.Teams[g.White-1].Members, r.Teams[g.Black-1].Members
			board := trf.BoardGame{Players: [2]int{a[0], b[0]}, Results: [2]trf.Result{trf.Win, trf.Loss}}
			matches = append(matches, trf.Encounter{White: g.White, Black: g.Black, Boards: []trf.BoardGame{board}}.Turned())
		}
		r.AddRound(matches, nil)
	}
	if err := r.SetTotals(); err != nil {
		t.Fatal(err)
	}
	found, err := check.Teams(rereadTeams(t, r, false), check.Options{NoStandings: true})
	if err != nil || len(found.Findings) != 15 || found.Findings[0].Kind != "colours" {
		t.Errorf("without the line: %+v, %v", found, err)
	}
	r.SetTurned()
	again := rereadTeams(t, r, false)
	found, err = check.Teams(again, check.Options{NoStandings: true})
	if err != nil || len(found.Findings) > 0 || !again.Turned() {
		t.Errorf("with the line: %+v, %v", found, err)
	}
}

// TestAbsenceAboveLossIsNoted: it is followed, with a note.
func TestAbsenceAboveLossIsNoted(t *testing.T) {
	for _, test := range []struct {
		absence tournament.Points
		notes   int
	}{{0, 0}, {5, 1}} {
		r := generatedTeams(t, 0, "PlayedRounds=1", "EmptyBoardRate=0", "ForfeitRate=1000000", "MatchForfeitRate=1000000")
		r.GamePoints = []trf.SymbolPoints{{Symbol: "W", Points: 10}, {Symbol: "D", Points: 5}, {Symbol: "L"}, {Symbol: "A", Points: test.absence}}
		if err := r.SetTotals(); err != nil {
			t.Fatal(err)
		}
		found, err := check.Teams(rereadTeams(t, r, false), check.Options{NoStandings: true})
		notes := slices.DeleteFunc(found.Notes, func(note string) bool { return !strings.Contains(note, "line 162") })
		if err != nil || len(notes) != test.notes {
			t.Errorf("absence %v: %+v, %v", test.absence, found, err)
		}
	}
}

// TestTeamReasons: a wrong round names the criterion of the first choice that differs.
func TestTeamReasons(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(120) {
		random := rand.New(rand.NewPCG(seed, 2))
		r := generatedTeams(t, seed, "MatchForfeitRate=1000000", "EmptyBoardRate=0", "OrderRate=0", "PlayedRounds=5")
		f := exchangeTeams(r, random)
		if f.kind == "" {
			continue
		}
		if err := r.SetTotals(); err != nil {
			t.Fatal(err)
		}
		result, err := check.Teams(rereadTeams(t, r, false), check.Options{Round: f.round})
		if err != nil || result.Rounds != 1 || len(result.Findings) == 0 {
			t.Fatalf("seed %d: %+v, %v", seed, result, err)
		}
		seen[result.Findings[0].Criterion]++
	}
	for _, criterion := range []string{"C1", "C4", "C8", "sequence"} {
		if seen[criterion] == 0 {
			t.Errorf("no pair was wrong by %s: %v", criterion, seen)
		}
	}
	if _, err := check.Teams(generatedTeams(t, 0), check.Options{Round: 99}); fmt.Sprint(err) == "<nil>" {
		t.Error("round 99 was compared")
	}
}
