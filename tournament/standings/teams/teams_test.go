package teams_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
)

// scoring is the scoring of matches over n boards.
func scoring(boards int) team.Scoring {
	return team.Scoring{Boards: boards, Match: team.StandardMatchPoints, Game: team.StandardGamePoints}
}

// meet adds a match over four boards to two teams, from 1; points are the first team's on each board, in tenths. The
// other teams get a round without a match by the next call of pad.
func meet(f *teams.Field, a, b int, points ...tournament.Points) {
	var other []tournament.Points
	var x, y tournament.Points
	for _, p := range points {
		other = append(other, 10-p)
		x, y = x+p, y+10-p
	}
	add := func(own, opponent int, gp, against tournament.Points, boards []tournament.Points) {
		t := &f.Teams[own-1]
		t.Rounds = append(t.Rounds, team.Outcome{
			Kind: team.Played, Opponent: opponent, Totals: team.Totals{MP: f.Scoring.Compare(gp, against), GP: gp}, Boards: boards,
		})
	}
	add(a, b, x, y, points)
	add(b, a, y, x, other)
}

// bye adds a round without a match to a team.
func bye(f *teams.Field, number int, k team.Kind) {
	t := &f.Teams[number-1]
	t.Rounds = append(t.Rounds, f.Scoring.Bye(k, f.Scoring.Drawn()))
}

// forfeit adds a match that the first team won without playing.
func forfeit(f *teams.Field, a, b int) {
	for number, r := range map[int]team.Ruling{a: team.GoesTo, b: team.GoesAway} {
		o := f.Scoring.Judge(nil, nil, r)
		o.Opponent = a + b - number
		f.Teams[number-1].Rounds = append(f.Teams[number-1].Rounds, o)
	}
}

func field(count, boards int, codes ...string) *teams.Field {
	f := &teams.Field{Scoring: scoring(boards), Primary: team.MP, TieBreaks: codes}
	for n := range count {
		f.Teams = append(f.Teams, teams.Team{ID: fmt.Sprint(n + 1), Number: n + 1})
	}
	return f
}

// table returns the standings as lines: number, rank, values.
func table(t *testing.T, f *teams.Field) map[int]string {
	t.Helper()
	rows, err := teams.Rank(*f)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[int]string)
	for _, row := range rows {
		out[row.Number] = fmt.Sprint(row.Rank, " ", strings.Join(row.TieBreaks, " | "))
	}
	return out
}

func expect(t *testing.T, f *teams.Field, want map[int]string) {
	t.Helper()
	got := table(t, f)
	for number, line := range want {
		if got[number] != line {
			t.Errorf("team %d: %s, want %s", number, got[number], line)
		}
	}
}

// TestUnplayedRounds: what a round without a match is worth to the team and to its opponents.
func TestUnplayedRounds(t *testing.T) {
	f := field(4, 2, "BH", "BH:GP", "BH/C1", "EMGSB", "EMGSB/C1")
	f.Rounds = 3
	meet(f, 1, 2, 10, 10)     // 1: 2 MP, 2 GP
	meet(f, 3, 4, 5, 5)       // 1 MP, 1 GP each
	forfeit(f, 1, 3)          // 1: 2 MP, 2 GP
	meet(f, 2, 4, 10, 0)      // 1 MP each
	bye(f, 1, team.HalfPoint) // at the end: a drawn match for the others, too
	bye(f, 2, team.ZeroPoint) // at the end: seen as a drawn match
	bye(f, 4, team.Allocated) // 1 MP, 1 GP
	bye(f, 3, team.ZeroPoint) // after a forfeit loss: seen as a drawn match
	expect(t, f, map[int]string{
		// totals 1: 5 MP 5 GP; 2: 1, 1 (seen 2, 2); 3: 1, 1 (seen 2, 2); 4: 3, 3
		1: "1 7 | 7 | 4 | 11 | 7", // 2, dummies of min(5, 2) and min(5, 3); the bye is a VUR: its 3 are cut, not its product
		2: "3 9 | 9 | 8 | 3 | 3",  // 5 + 3 + a dummy of 1, which is a VUR and the lowest
		3: "4 5 | 5 | 4 | 3 | 3",  // 3 + min(1, 5) + 1
		4: "2 7 | 7 | 5 | 7 | 5",
	})
}

// TestExtendedDirectEncounter is the example of the regulations: five teams with 10 MP, 4 MP each among themselves and
// 8, 8, 8, 8½ and 7½ GP; the three are split by their GP among themselves.
func TestExtendedDirectEncounter(t *testing.T) {
	f := field(5, 4, "DE", "EDE")
	f.Table = true
	gp := [5][5]tournament.Points{
		// each row: game points against 1 to 5
		{0, 15, 40, 0, 25},
		{25, 0, 25, 15, 15},
		{0, 15, 0, 30, 35},
		{40, 25, 10, 0, 10},
		{15, 25, 5, 30, 0},
	}
	for a := range 5 {
		for b := range a {
			rest := gp[a][b]
			var points []tournament.Points
			for range 4 {
				p := min(rest, 10)
				rest -= p
				points = append(points, p)
			}
			meet(f, a+1, b+1, points...)
		}
	}
	// MP: all 4; GP 8, 8, 8, 8.5, 7.5; among 1, 2 and 3: 5.5, 5, 1.5, though 2 has the most MP there
	expect(t, f, map[int]string{4: "1 - | -", 1: "2 - | -", 2: "3 - | -", 3: "4 - | -", 5: "5 - | -"})
}

// TestStepsOfTheExtendedEncounter: two that are equal in both scores, and drew, are separated by their boards.
func TestStepsOfTheExtendedEncounter(t *testing.T) {
	for code, want := range map[string]map[int]string{
		"EDE":   {1: "1 -", 2: "1 -"},
		"EDEBT": {1: "1 -", 2: "2 -"}, // board count 3 to 7
		"EDEBB": {1: "1 -", 2: "2 -"},
		"EDET":  {1: "1 -", 2: "2 -"},
		"EDEB":  {1: "1 -", 2: "2 -"},
		"BC":    {1: "1 3", 2: "2 7"},
		"TBR":   {1: "1 1 1 0 0", 2: "2 0 0 1 1"},
		"BBE":   {1: "1 2 2 1", 2: "2 1 0 0"},
		"WIN":   {1: "1 0", 2: "1 0"},
		"TPN":   {1: "1 1", 2: "2 2"},
	} {
		f := field(2, 4, code)
		meet(f, 1, 2, 10, 10, 0, 0)
		expect(t, f, want)
	}
	f := field(2, 4, "EDET")
	meet(f, 1, 2, 10, 0, 0, 10)
	expect(t, f, map[int]string{1: "1 -", 2: "2 -"})
	f.TieBreaks = []string{"EDEB"}
	expect(t, f, map[int]string{1: "2 -", 2: "1 -"})
}

// TestDirectEncounterWithMissingMatches: the team at the top whatever the missing matches bring is first.
func TestDirectEncounterWithMissingMatches(t *testing.T) {
	f := field(3, 2, "DE")
	meet(f, 1, 2, 10, 10)
	bye(f, 3, team.Allocated)
	meet(f, 1, 3, 10, 10)
	bye(f, 2, team.FullPoint)
	for i := range f.Teams {
		f.Teams[i].Bonus.MP = 40 - f.Teams[i].Rounds[0].MP - f.Teams[i].Rounds[1].MP // all are tied
	}
	expect(t, f, map[int]string{1: "1 -", 2: "2 -", 3: "2 -"})
	f.TieBreaks = []string{"DE:GP"}
	expect(t, f, map[int]string{1: "1 -"})
}

// TestScheduleStrength: 7 rounds over 4 boards have the factor 3; a given factor is taken as it is.
func TestScheduleStrength(t *testing.T) {
	f := field(2, 4, "SSSC", "SSSC/K2")
	f.Rounds = 7
	meet(f, 1, 2, 10, 10, 5, 0)                                       // 2½ to 1½
	expect(t, f, map[int]string{1: "1 2.5 | 2.5", 2: "2 2.17 | 2.5"}) // 1½ + 2/3
	f.Primary = team.GP
	expect(t, f, map[int]string{1: "1 2.11 | 2.75"}) // 2 + 1½ / ⌊28/2⌋
}

// TestWithdrawnTeamsAreAnnulled: matches of a team that withdrew early from a round-robin count for none.
func TestWithdrawnTeamsAreAnnulled(t *testing.T) {
	f := field(3, 2, "MPvGP", "EMMSB")
	f.Table = true
	meet(f, 1, 2, 5, 5)
	meet(f, 1, 3, 10, 10)
	f.Teams[2].Annulled = true
	expect(t, f, map[int]string{1: "1 1 | 1", 2: "1 1 | 1", 3: "0  | "})
}

// TestCodesAreChecked: unknown codes, scores and modifiers are refused, and Buchholz in a round-robin.
func TestCodesAreChecked(t *testing.T) {
	for _, code := range []string{
		"MP", "mpvgp", "BH:GP/C2", "BH/M1", "EMMSB/C1", "SB", "SSSC/K3", "DE:MP", "EDEBT", "LOT", "TPN",
	} {
		if err := teams.Check(false, code); err != nil {
			t.Error(err)
		}
	}
	for _, code := range []string{"", "KS", "BH:C1", "BH/C", "BH/C0", "EMMSB/M1", "SSSC/C1", "TBR:MP", "BH/:1"} {
		if err := teams.Check(false, code); err == nil {
			t.Errorf("%q is accepted", code)
		}
	}
	for _, code := range teams.Default(true) {
		if err := teams.Check(true, code); err != nil {
			t.Error(err)
		}
	}
	if teams.Check(true, "BH/C1") == nil || len(teams.Offers(true)) != len(teams.Offers(false))-2 {
		t.Error("a round-robin has Buchholz")
	}
}

// TestValuesAreTheirParts: each value that is a sum is the sum of its counted terms, and ranks follow the values.
func TestValuesAreTheirParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	codes := []string{"BH", "BH/C1", "BH:GP/M1", "EMMSB", "EMGSB/C1", "EGMSB/C2", "EGGSB", "WIN", "WON", "MP", "GP"}
	for range 200 {
		f := field(2*(2+rng.IntN(4)), 2, codes...)
		for range 1 + rng.IntN(5) {
			order := rng.Perm(len(f.Teams))
			for i := 0; i < len(order); i += 2 {
				a, b := order[i]+1, order[i+1]+1
				switch rng.IntN(8) {
				case 0:
					forfeit(f, a, b)
				case 1:
					bye(f, a, []team.Kind{team.HalfPoint, team.ZeroPoint, team.FullPoint}[rng.IntN(3)])
					bye(f, b, []team.Kind{team.HalfPoint, team.ZeroPoint, team.Allocated}[rng.IntN(3)])
				default:
					meet(f, a, b, tournament.Points(5*rng.IntN(3)), tournament.Points(5*rng.IntN(3)))
				}
			}
		}
		checkParts(t, f)
	}
}

func checkParts(t *testing.T, f *teams.Field) {
	t.Helper()
	rows, err := teams.Rank(*f)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		accounts, err := teams.Accounts(*f, row.Number)
		if err != nil {
			t.Fatal(err)
		}
		for k, a := range accounts {
			var sum, value float64
			for _, term := range a.Terms {
				var x float64
				if _, err := fmt.Sscan(term.Text, &x); err != nil {
					t.Fatal(err)
				}
				if term.Cut == teams.Counted {
					sum += x
				}
			}
			if _, err := fmt.Sscan(a.Text, &value); err != nil || a.Text != row.TieBreaks[k] || sum-value > 0.02 ||
				value-sum > 0.02 {
				t.Errorf("team %d, %s: %s, terms make %v", row.Number, a.Code, a, sum)
			}
		}
		if i > 0 && (row.Rank < rows[i-1].Rank || row.Totals.MP > rows[i-1].Totals.MP) {
			t.Errorf("ranks %v", rows)
		}
	}
	if !slices.IsSortedFunc(rows, func(a, b teams.Row) int { return a.Rank - b.Rank }) {
		t.Error("rows are not sorted by rank")
	}
}

// TestByesByBoards: in the tie-breaks by boards a full-point bye is a win on each board, and a half-point bye nothing,
// though it brings a drawn match's points.
func TestByesByBoards(t *testing.T) {
	f := field(4, 4, "GP", "BC", "TBR", "BBE")
	for i, kind := range []team.Kind{team.FullPoint, team.Allocated, team.HalfPoint, team.ZeroPoint} {
		bye(f, i+1, kind)
	}
	expect(t, f, map[int]string{
		1: "1 4 | 10 | 1 1 1 1 | 3 2 1", 2: "3 2 | 10 | 1 1 1 1 | 3 2 1", 3: "2 2 | 0 | 0 0 0 0 | 0 0 0", 4: "4 0 | 0 | 0 0 0 0 | 0 0 0",
	})
}
