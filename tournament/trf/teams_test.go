package trf_test

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
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

func readTeams(t *testing.T, text string) *trf.TeamReport {
	t.Helper()
	r, err := trf.ReadTeams([]byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t *testing.T, r *trf.TeamReport) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTeamFilesAreWrittenAsTheyWereRead: read and written, a report has the same bytes. Its records are canonical
// except for lines 240 with numbers a column beside theirs, and numbers of players (062) that do not count all.
func TestTeamFilesAreWrittenAsTheyWereRead(t *testing.T) {
	files, err := filepath.Glob("testdata/teams/*/*.trf")
	if err != nil || len(files) < 39 {
		t.Fatal(len(files), "files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := readTeams(t, string(text))
		if got := written(t, r); got != string(text) {
			t.Errorf("%s: written otherwise than read", file)
		}
		for _, line := range r.NotCanonical() {
			if !strings.HasPrefix(line, "240 ") && !strings.HasPrefix(line, "062 ") {
				t.Errorf("%s: not canonical: %s", file, line)
			}
		}
	}
}

// TestMatchesOfTeamFilesAddUp: both sides of a match have at most a win on each board together, the match points of a
// win and a loss or of two draws unless both forfeited, opposite colours, and the same kind if it was played.
func TestMatchesOfTeamFilesAddUp(t *testing.T) {
	files, err := filepath.Glob("testdata/teams/*/*.trf")
	if err != nil {
		t.Fatal(err)
	}
	matches := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := readTeams(t, string(text))
		s, outcomes := r.Scoring(), r.Outcomes()
		for i := range outcomes {
			for round, a := range outcomes[i] {
				if !a.Kind.Met() {
					continue
				}
				b := outcomes[a.Opponent-1][round]
				mp := a.MP + b.MP
				both := a.Kind == team.ForfeitLoss && b.Kind == team.ForfeitLoss
				if b.Opponent != r.Teams[i].Number || a.GP+b.GP > s.Won().GP || a.Colour == b.Colour || a.Colour == 0 ||
					!both && mp != s.Match.Win+s.Match.Loss && mp != 2*s.Match.Draw || (a.Kind == team.Played) != (b.Kind == team.Played) {
					t.Errorf("%s, round %d: %+v against %+v", file, round+1, a, b)
				}
				matches++
			}
		}
	}
	if matches < 1000 {
		t.Errorf("%d sides of matches", matches)
	}
}

// everyRecord has each record of teams in its canonical form, and lines that have no meaning here.
const everyRecord = `012 Every record
062 9
142 5
152 B
182 quatuor
192 FIDE_TEAM_TYPEB_GP_MP
212 PTS
162  W 3.0    D 1.0    L 0.0    A 0.0    P 2.0
352 WB
362 TW 3.0   TD 1.0   TL 0.0
260 001 003    1    4
250  1.0  2.0   1   2    1    2
240 H 002    4
330 +-   1   3   4
320  2.0  4.5   5 000
300   2   1   2 0009 0002
299    -1.0   2.0  002    2
801 for people
XYZ unknown
310   1 One                              ONE     1850    4.0    9.0   1     1    2    9
310   2 Two                              TWO     1700    0.0    5.0   2     3    4
310   3 Three                            THREE                              5    6
310   4 Four                             FOUR                               7
310   5 Five                             FIVE                               8
001    1      A                                 2000                             3.0          3 b 1
001    2      B                                                                  3.0          4 w 0     4 b 1
001    3      C                                                                  0.0          1 w 0     9 w 0
001    4      D                                                                  3.0          2 b 1     2 w 0
001    5      E                                                                  0.0       0000 - Z
001    6      F                                                                  0.0       0000 - Z
001    7      G                                                                  0.0       0000 - Z
001    8      H                                                                  0.0       0000 - Z
001    9      I                                                                  3.0       0000 - Z     3 b 1
`

// TestEveryRecordOfTeams: the content of each, and that it is written as it was read.
func TestEveryRecordOfTeams(t *testing.T) {
	r := readTeams(t, everyRecord)
	if got := written(t, r); got != everyRecord {
		t.Errorf("written otherwise than read: %s", got)
	}
	if n := r.NotCanonical(); len(n) > 0 {
		t.Errorf("not canonical: %q", n)
	}
	if got, want := r.PABTotals(), (team.Totals{MP: 20, GP: 45}); got != want {
		t.Errorf("a bye is worth %v, want %v", got, want)
	}
	if got, want := r.BonusOf(2, 2), (team.Totals{MP: -10, GP: 20}); got != want || r.BonusOf(2, 1) != (team.Totals{}) {
		t.Errorf("bonus %v, want %v from round 2 on", got, want)
	}
	if r.VirtualPoints(2, 2) != 20 || r.VirtualPoints(3, 2) != 0 || r.VirtualPoints(1, 3) != 0 {
		t.Error("virtual points are not those of line 250 in game points")
	}
	outcomes := r.Outcomes()
	for _, want := range []struct {
		team, round int
		outcome     team.Outcome
	}{
		{0, 0, team.Outcome{Kind: team.Played, Opponent: 2, Colour: tournament.Black, Totals: team.Totals{MP: 10, GP: 30}}},
		{1, 0, team.Outcome{Kind: team.Played, Opponent: 1, Colour: tournament.White, Totals: team.Totals{MP: 10, GP: 30}}},
		{2, 0, team.Outcome{Kind: team.ForfeitWin, Opponent: 4, Colour: tournament.White, Totals: team.Totals{MP: 30, GP: 60}}},
		{3, 0, team.Outcome{Kind: team.ForfeitLoss, Opponent: 3, Colour: tournament.Black}},
		{4, 0, team.Outcome{Kind: team.Allocated, Totals: team.Totals{MP: 20, GP: 45}}},
		{0, 1, team.Outcome{Kind: team.Played, Opponent: 2, Colour: tournament.Black, Totals: team.Totals{MP: 30, GP: 60}}},
		{2, 1, team.Outcome{Kind: team.ZeroPoint}},
		{3, 1, team.Outcome{Kind: team.HalfPoint, Totals: team.Totals{MP: 10, GP: 20}}},
	} {
		got := outcomes[want.team][want.round]
		got.Boards = nil
		if got.Kind != want.outcome.Kind || got.Totals != want.outcome.Totals || got.Opponent != want.outcome.Opponent ||
			got.Colour != want.outcome.Colour {
			t.Errorf("team %d, round %d: %+v, want %+v", want.team+1, want.round+1, got, want.outcome)
		}
	}
	h := r.Drawn(3)
	if h.Field[1].Before[1] != 30 || h.Field[1].Before[2] != 50 || h.Field[1].Cells[0].Secondary != 0 {
		t.Errorf("scores before the rounds %v, cells %+v", h.Field[1].Before, h.Field[1].Cells)
	}
}

// TestTeamSystems: the content of line 192.
func TestTeamSystems(t *testing.T) {
	for system, want := range map[string]string{
		"":                             "A MP GP",
		"FIDE_TEAM":                    "A MP GP",
		"FIDE_TEAM_GP":                 "none GP none",
		"FIDE_TEAM_MP_GP":              "none MP GP",
		"FIDE_TEAM_TYPEB_MP":           "B MP none",
		"FIDE_TEAM_TYPEA_GP_MP":        "A GP MP",
		"FIDE_TEAM_TYPEA_MP_GP_BAKU":   "A MP GP baku",
		"FIDE_TEAM_GP_BAKU":            "none GP none",
		"FIDE_TEAM_ROUNDROBIN":         "A MP GP table",
		"FIDE_TEAM_DOUBLE_ROUND_ROBIN": "A MP GP table",
	} {
		text := everyRecord
		text = strings.Replace(text, "250  1.0  2.0   1   2    1    2\n", "", 1)
		r, err := trf.ReadTeams([]byte(strings.Replace(text, "FIDE_TEAM_TYPEB_GP_MP", system, 1)), true)
		if err != nil {
			t.Errorf("%q: %v", system, err)
			continue
		}
		got := r.Preference() + " " + string(r.Primary()) + " " + string(r.Secondary())
		if r.Accelerated() {
			got += " baku"
		}
		if r.Table() {
			got += " table"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", system, got, want)
		}
	}
}

// TestOldTeamsAreRead: 013 lines name teams, by their place in the file, if there is no 310, and are kept.
func TestOldTeamsAreRead(t *testing.T) {
	text := "012 Old\n001    1      A                                                                  1.0          3 w 1\n" +
		"001    2      B                                                                  0.0\n" +
		"001    3      C                                                                  0.0          1 b 0\n" +
		"013 One                                1    2\n013 Two                                3\n"
	r := readTeams(t, text)
	if len(r.Teams) != 2 || r.Teams[1].Number != 2 || r.Teams[1].Name != "Two" || r.BoardCount() != 1 {
		t.Errorf("%+v", r.Teams)
	}
	if o := r.Outcomes(); o[0][0].MP != 20 || o[1][0].MP != 0 {
		t.Errorf("%+v", o)
	}
	if got := written(t, r); got != text {
		t.Errorf("written otherwise than read: %s", got)
	}
}

// TestChangedTeamsAreWritten: records that were changed or added are written in their canonical form and place.
func TestChangedTeamsAreWritten(t *testing.T) {
	r := readTeams(t, everyRecord)
	r.Teams[0].Totals.MP = 50
	r.TeamByes = append(r.TeamByes, trf.Bye{Type: trf.ZeroPoint, Round: 3, Numbers: []int{2, 5}})
	got := written(t, r)
	for _, want := range []string{
		"240 H 002    4\n240 Z 003    2    5\n330 ",
		"310   1 One                              ONE     1850    5.0    9.0   1     1    2    9\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("wrote %s, want %s", got, want)
		}
	}
}

// TestTeamsNeverPanic: damaged reports are refused or read, whatever is wrong with them.
func TestTeamsNeverPanic(t *testing.T) {
	lines := strings.SplitAfter(everyRecord, "\n")
	for i := range lines {
		for _, damaged := range []string{
			"", lines[i] + lines[i], lines[i][:len(lines[i])/2] + "\n", strings.ReplaceAll(lines[i], "1", "7"),
			strings.ReplaceAll(lines[i], " ", "9"), strings.ToLower(lines[i]), strings.ReplaceAll(lines[i], "2", "-"),
		} {
			text := strings.Join(lines[:i], "") + damaged + strings.Join(lines[i+1:], "")
			r, err := trf.ReadTeams([]byte(text), true)
			if err != nil {
				continue
			}
			for round := 1; round <= r.NextRound(); round++ {
				r.Drawn(round)
			}
			if len(r.Teams) == 0 {
				t.Errorf("no teams and no error: %q", damaged)
			}
			written(t, r)
		}
	}
}

// TestReportsOfTeamsAreBuilt: a tournament that was put together round by round, with substitutes, gaps, forfeits and
// byes, is read again as it was meant, and its totals follow from its cells.
func TestReportsOfTeamsAreBuilt(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r, want := builtReport(t, rng)
		again, err := trf.ReadTeams([]byte(written(t, r)), false)
		if err != nil {
			t.Fatalf("seed %d: %v in %s", seed, err, written(t, r))
		}
		for i, outcomes := range again.Outcomes() {
			for round, o := range outcomes {
				if w := want[i][round]; o.Kind != w.Kind || o.Opponent != w.Opponent || o.Colour != w.Colour || o.Totals != w.Totals ||
					!slices.Equal(o.Boards, w.Boards) {
					t.Fatalf("seed %d, team %d, round %d: %+v, want %+v in %s", seed, i+1, round+1, o, w, written(t, r))
				}
			}
		}
		if got := written(t, again); got != written(t, r) {
			t.Errorf("seed %d: written otherwise than read: %s", seed, got)
		}
	}
}

// builtReport returns a random report, and the outcomes by team and round that were put into it.
func builtReport(t *testing.T, rng *rand.Rand) (*trf.TeamReport, [][]team.Outcome) {
	t.Helper()
	const boards, members = 3, 5
	teams := 3 + rng.IntN(4)
	r := &trf.TeamReport{Report: trf.Report{Name: "Built", System: "FIDE_TEAM_MP_GP", Rounds: 9}, Colours: []string{"WBW", "WWB"}[rng.IntN(2)]}
	if rng.IntN(2) == 0 {
		r.Allocated = &trf.AllocatedLine{Totals: team.Totals{MP: 20, GP: 20}}
	}
	for n := 1; n <= teams; n++ {
		line := trf.TeamLine{Number: n, Name: fmt.Sprint("Team ", n)}
		for range members {
			number := len(r.Players) + 1
			line.Members = append(line.Members, number)
			r.Players = append(r.Players, trf.Player{Number: number, Name: fmt.Sprint("P", number)})
		}
		r.Teams = append(r.Teams, line)
	}
	want := make([][]team.Outcome, teams)
	for range 1 + rng.IntN(4) {
		addRandomRound(r, rng, want)
	}
	if err := r.SetTotals(); err != nil {
		t.Fatal(err)
	}
	return r, want
}

func addRandomRound(r *trf.TeamReport, rng *rand.Rand, want [][]team.Outcome) {
	scoring := team.Scoring{Boards: 3, Match: team.StandardMatchPoints, Game: team.StandardGamePoints}
	order := rng.Perm(len(r.Teams))
	byes := make(map[int]team.Kind)
	var matches []trf.Encounter
	for ; len(order) > 1; order = order[2:] {
		a, b := order[0], order[1]
		e := trf.Encounter{White: a + 1, Black: b + 1}
		marks := play(&e, r, rng)
		x, y := scoring.Judge(marks[0], marks[1], e.Ruling), scoring.Judge(marks[1], marks[0], e.Ruling.Other())
		x.Opponent = b + 1
		x.Colour = tournament.White
		y.Opponent = a + 1
		y.Colour = tournament.Black
		want[a], want[b] = append(want[a], x), append(want[b], y)
		matches = append(matches, e)
	}
	pab := scoring.Drawn()
	if r.Allocated != nil {
		pab = r.Allocated.Totals
	}
	for _, i := range order {
		byes[i+1] = []team.Kind{team.Allocated, team.HalfPoint, team.FullPoint, team.ZeroPoint}[rng.IntN(4)]
		want[i] = append(want[i], scoring.Bye(byes[i+1], pab))
	}
	r.AddRound(matches, byes)
}

// play fills the boards of a match, and returns the marks of both sides.
func play(e *trf.Encounter, r *trf.TeamReport, rng *rand.Rand) (marks [2][]team.Mark) {
	var lineUps [2][]int
	for side, number := range []int{e.White, e.Black} {
		members := slices.Clone(r.Teams[number-1].Members)
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		lineUps[side] = members[:3]
		if rng.IntN(3) == 0 {
			slices.Sort(lineUps[side])
		}
		if rng.IntN(3) == 0 {
			lineUps[side][rng.IntN(3)] = 0
		}
	}
	forfeited := rng.IntN(6) == 0
	if forfeited {
		e.Ruling = []team.Ruling{team.GoesTo, team.GoesAway, team.GoesToNone}[rng.IntN(3)]
	}
	played := false
	for k := range 3 {
		g := trf.BoardGame{Players: [2]int{lineUps[0][k], lineUps[1][k]}}
		letters := [][2]trf.Result{{'1', '0'}, {'0', '1'}, {'=', '='}, {'+', '-'}, {'-', '+'}, {'-', '-'}}
		pair := letters[rng.IntN(len(letters))]
		switch {
		case forfeited && e.Ruling == team.GoesTo:
			pair = [2]trf.Result{'+', '-'}
		case forfeited && e.Ruling == team.GoesAway:
			pair = [2]trf.Result{'-', '+'}
		case forfeited:
			pair = [2]trf.Result{'-', '-'}
		case g.Players[0] == 0 || g.Players[1] == 0:
			pair = [2]trf.Result{'+', '+'}
		case k == 2 && !played: // so that the boards decide
			pair = letters[rng.IntN(3)]
		}
		g.Results = pair
		for side, number := range g.Players {
			if number == 0 {
				g.Results[side] = 0
			}
			marks[side] = append(marks[side], map[trf.Result]team.Mark{
				'1': team.Won, '=': team.Drawn, '0': team.Lost, '+': team.ForfeitWon, '-': team.ForfeitLost, 0: team.Empty,
			}[g.Results[side]])
		}
		played = played || pair[0] != '+' && pair[0] != '-'
		e.Boards = append(e.Boards, g)
	}
	return marks
}
