package standings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

// play runs a round-robin; results[{a, b}] is the result of a with White's part against b or, turned round, of b
// against a, and missing results stay open. leaves has, by number, the first round after an entry's withdrawal.
func play(t testing.TB, n int, results map[[2]int]string, leaves map[int]int, codes ...string) *tournament.Tournament {
	t.Helper()
	tm := &tournament.Tournament{
		Format: tournament.RoundRobin, Points: tournament.StandardPoints, Status: tournament.Running,
		RoundCount: roundrobin.Rounds(n, false), TieBreaks: codes, LotSeed: strings.Repeat("1f", 32),
	}
	for i := 1; i <= n; i++ {
		tm.Entries = append(tm.Entries, tournament.Entry{ID: entryID(i), Number: i, Status: tournament.Confirmed})
	}
	for r := 1; r <= tm.RoundCount; r++ {
		for number, from := range leaves {
			if from == r {
				tm = must(t)(registration.Withdraw(tm, entryID(number)))
			}
		}
		games, err := roundrobin.Pairer{}.Pair(pairing.HistoryOf(tm, r))
		if err != nil {
			t.Fatal(err)
		}
		tm = must(t)(tm.AddRound(games))
		tm = must(t)(tm.Publish(func() string { return "" }, 0))
		tm = enterResults(t, tm, r, results)
		if tm.CanPair() != nil {
			break
		}
	}
	return tm
}

func must(t testing.TB) func(*tournament.Revision, error) *tournament.Tournament {
	return func(next *tournament.Revision, err error) *tournament.Tournament {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return next.Tournament
	}
}

func entryID(number int) string { return fmt.Sprint("e", number) }

var turned = map[string]string{
	"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2", "+--": "--+", "--+": "+--", "---": "---",
}

func enterResults(
	t testing.TB, tm *tournament.Tournament, round int, results map[[2]int]string,
) *tournament.Tournament {
	t.Helper()
	for _, p := range tm.Rounds[round-1].Pairings {
		if p.Result != nil {
			continue
		}
		white, _ := tm.Entry(p.Seats[0])
		black, _ := tm.Entry(p.Seats[1])
		text, ok := results[[2]int{white.Number, black.Number}]
		if !ok {
			text = turned[results[[2]int{black.Number, white.Number}]]
		}
		if text == "" {
			continue
		}
		v, err := tournament.ParseVerdict(text)
		if err != nil {
			t.Fatal(err)
		}
		tm = must(t)(scoring.SetResult(tm, round, p.Board, v, "arbiter", "", 0))
	}
	return tm
}

// lines prints standings as "rank number points tie-breaks".
func lines(t testing.TB, tm *tournament.Tournament, round int) []string {
	t.Helper()
	table, err := After(tm, round)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, row := range table.Rows {
		line := fmt.Sprintf("%d. #%d %s", row.Rank, row.Entry.Number, row.Points)
		out = append(out, strings.TrimSpace(line+" "+strings.Join(row.TieBreaks, " ")))
	}
	return out
}

func compare(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n  got  %s\n  want %s", what, strings.Join(got, "\n       "), strings.Join(want, "\n       "))
	}
}

func TestTiesShareARank(t *testing.T) {
	draws := map[[2]int]string{
		{1, 2}: "1/2-1/2", {1, 3}: "1-0", {1, 4}: "1-0", {2, 3}: "1-0", {2, 4}: "1-0", {3, 4}: "1/2-1/2",
	}
	compare(t, "no tie-breaks", lines(t, play(t, 4, draws, nil), 0), "1. #1 2.5", "1. #2 2.5", "3. #3 0.5", "3. #4 0.5")
	compare(t, "tie-breaks that decide nothing", lines(t, play(t, 4, draws, nil, "DE", "SB"), 0),
		"1. #1 2.5 0 2.25", "1. #2 2.5 0 2.25", "3. #3 0.5 0 0.25", "3. #4 0.5 0 0.25")
}

// TestDirectEncounterAgain has three leaders: the table of their games separates the first, and the article applied
// again the other two (6.2).
func TestDirectEncounterAgain(t *testing.T) {
	results := map[[2]int]string{
		{1, 2}: "1-0", {1, 3}: "1/2-1/2", {1, 4}: "0-1", {1, 5}: "1-0",
		{2, 3}: "1-0", {2, 4}: "1-0", {2, 5}: "1/2-1/2",
		{3, 4}: "1-0", {3, 5}: "1-0", {4, 5}: "1-0",
	}
	// Among 1, 2 and 3 with 2½ each: 1 has 1½, 2 has 1, 3 has ½.
	compare(t, "three leaders", lines(t, play(t, 5, results, nil, "DE"), 0),
		"1. #1 2.5 1", "2. #2 2.5 2", "3. #3 2.5 3", "4. #4 2 0", "5. #5 0.5 0")
}

// TestForfeitsInARoundRobin: a forfeit is a regular game for DE, SB and PS, counts as a win, but not as a game won or
// played with a colour (15.2, 7.2–7.4).
func TestForfeitsInARoundRobin(t *testing.T) {
	results := map[[2]int]string{
		{1, 4}: "1-0", {2, 3}: "1-0",
		{4, 3}: "0-1", {1, 2}: "--+",
		{2, 4}: "0-1", {3, 1}: "0-1",
	}
	compare(t, "forfeit win of 2 over 1", lines(t, play(t, 4, results, nil, "DE", "SB", "WIN", "WON", "BPG", "BWG", "PS"),
		0),
		"1. #2 2 1 3.00 2 1 0 0 5.0",
		"2. #1 2 2 2.00 2 2 1 1 4.0",
		"3. #3 1 1 1.00 1 1 2 1 2.0",
		"4. #4 1 2 2.00 1 1 2 1 1.0")
	compare(t, "what was done for it", lines(t, play(t, 4, results, nil, "REP", "STD", "TPN"), 0),
		"1. #2 2 3 2.0 2", "2. #1 2 2 2.0 1", "3. #3 1 3 1.0 3", "4. #4 1 3 1.0 4")
	results[[2]int{1, 2}] = "---"
	compare(t, "double forfeit", lines(t, play(t, 4, results, nil, "DE", "WIN"), 0),
		"1. #1 2 0 2", "2. #2 1 0 1", "2. #3 1 0 1", "2. #4 1 0 1")
}

// TestPublishedRoundRobin is an exercise of the regulations' authors: six players, a single forfeit.
func TestPublishedRoundRobin(t *testing.T) {
	results := map[[2]int]string{
		{1, 5}: "1/2-1/2", {2, 6}: "1-0", {3, 4}: "1-0",
		{1, 2}: "1-0", {5, 4}: "1-0", {6, 3}: "0-1",
		{3, 1}: "0-1", {2, 5}: "1-0", {4, 6}: "1/2-1/2",
		{1, 4}: "0-1", {3, 2}: "1/2-1/2", {5, 6}: "--+",
		{6, 1}: "0-1", {4, 2}: "0-1", {5, 3}: "0-1",
	}
	compare(t, "SB, SB/C1, KS", lines(t, play(t, 6, results, nil, "SB", "SB/C1", "KS"), 0),
		"1. #1 3.5 9.25 9.25 2.0", "2. #2 3.5 6.25 4.75 0.5", "2. #3 3.5 6.25 4.75 0.5",
		"4. #4 1.5 4.25 4.25 1.0", "5. #5 1.5 3.25 3.25 0.5", "6. #6 1.5 2.25 1.50 0.0")
	compare(t, "DE", lines(t, play(t, 6, results, nil, "DE"), 0),
		"1. #1 3.5 1", "2. #2 3.5 2", "2. #3 3.5 2", "4. #6 1.5 1", "5. #5 1.5 2", "6. #4 1.5 3")
}

// TestRatingsInARoundRobin: forfeits are unplayed to rating tie-breaks, and every entry must have a rating.
func TestRatingsInARoundRobin(t *testing.T) {
	results := map[[2]int]string{
		{1, 4}: "1-0", {2, 3}: "1/2-1/2",
		{4, 3}: "0-1", {1, 2}: "--+",
		{2, 4}: "0-1", {3, 1}: "0-1",
	}
	tm := play(t, 4, results, nil, "ARO", "ARO/C1", "TPR", "PTP", "RTNG")
	for i, rating := range []float64{2000, 1900, 1800, 1700} {
		tm.Entries[i].Rating = rating
	}
	compare(t, "1 and 2 did not play", lines(t, tm, 0),
		"1. #1 2 1750 1800 2550 2536 2000", "2. #3 1.5 1867 1950 1867 1868 1800",
		"3. #2 1.5 1750 1800 1557 1555 1900", "4. #4 1 1900 1950 1775 1771 1700")
	tm.Entries[3].Rating = 0
	compare(t, "4 is not rated", lines(t, tm, 0),
		"1. #1 2 - - - - 2000", "2. #2 1.5 - - - - 1900", "3. #3 1.5 - - - - 1800", "4. #4 1 - - - - -")
}

// TestWithdrawnBeforeHalf: the games stay in the crosstable, do not count, and the entry has no rank.
func TestWithdrawnBeforeHalf(t *testing.T) {
	results := map[[2]int]string{
		{1, 4}: "0-1", {2, 3}: "1-0",
		{1, 2}: "1-0",
		{3, 1}: "1/2-1/2",
	}
	tm := play(t, 4, results, map[int]int{4: 2}, "SB", "WIN", "KS")
	compare(t, "4 withdrew after one of three games", lines(t, tm, 0),
		"1. #1 1.5 1.25 1 1.0", "2. #2 1 0.50 1 0.0", "3. #3 0.5 0.75 0 0.5", "0. #4 1")
	compare(t, "after round 1 it had withdrawn", lines(t, tm, 1), "1. #2 1 0.00 1 0", "2. #1 0 0 0 0",
		"2. #3 0 0.00 0 0.0", "0. #4 1")
	compare(t, "after round 1, when it withdrew later", lines(t, play(t, 4, results, map[int]int{4: 3}, "WIN"), 1),
		"1. #2 1 1", "1. #4 1 1", "3. #1 0 0", "3. #3 0 0")
	table, err := CrosstableAfter(tm, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := table.Rows[3]
	if got := Mark(last.Against(1)[0]) + Mark(last.Against(3)[0]) + Mark(last.Against(2)[0]); got != "1--" {
		t.Errorf("the record of 4 reads %q, want %q", got, "1--")
	}
}

// TestWithdrawnAfterHalf: what was played counts, the rest is forfeited.
func TestWithdrawnAfterHalf(t *testing.T) {
	results := map[[2]int]string{
		{1, 4}: "0-1", {2, 3}: "1-0",
		{4, 3}: "1-0", {1, 2}: "1-0",
		{3, 1}: "1/2-1/2",
	}
	compare(t, "4 withdrew after two of three games", lines(t, play(t, 4, results, map[int]int{4: 3}, "DE", "WON"), 0),
		"1. #2 2 1 1", "2. #4 2 2 2", "3. #1 1.5 0 1", "4. #3 0.5 0 0")
}

// TestWithdrawnAtHalf: half is enough.
func TestWithdrawnAtHalf(t *testing.T) {
	// Five players, four games each; 1 is free in the first round and withdraws before the fourth, after two games.
	results := make(map[[2]int]string)
	for a := 1; a <= 5; a++ {
		for b := a + 1; b <= 5; b++ {
			results[[2]int{a, b}] = "1-0"
		}
	}
	for from, ranked := range map[int]bool{2: false, 3: false, 4: true} {
		free := 0
		for r := 1; r < from; r++ {
			if games := roundrobin.Round(5, false, r); games[len(games)-1].White == 1 {
				free++
			}
		}
		table, err := After(play(t, 5, results, map[int]int{1: from}), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Rows[4].Rank != 0; got != ranked {
			t.Errorf("withdrawn from round %d, after %d games of 4: ranked %v, want %v", from, from-1-free, got, ranked)
		}
	}
}

func TestFreeRoundsDoNotCount(t *testing.T) {
	results := map[[2]int]string{{2, 3}: "1/2-1/2", {1, 2}: "1-0", {3, 1}: "1-0"}
	// Two games each: half of what can be scored is 1, which player 1 reaches; of three rounds it would be 1½.
	compare(t, "three players", lines(t, play(t, 3, results, nil, "KS", "WIN", "BPG"), 0),
		"1. #3 1.5 1.0 1 1", "2. #1 1 0.0 1 1", "3. #2 0.5 0.5 0 1")
}

func TestLotsAreRepeatable(t *testing.T) {
	tm := play(t, 6, nil, nil, "LOT")
	first := lines(t, tm, 0)
	compare(t, "the same seed", lines(t, tm, 0), first...)
	for i, line := range first {
		if !strings.HasPrefix(line, fmt.Sprintf("%d. ", i+1)) || !strings.HasSuffix(line, fmt.Sprintf(" %d", i+1)) {
			t.Errorf("line %d reads %q; lots leave no ties and are printed", i+1, line)
		}
	}
	tm.LotSeed = strings.Repeat("2e", 32)
	if second := lines(t, tm, 0); slices.Equal(first, second) {
		t.Errorf("another seed draws the same order: %v", first)
	}
}

func TestRefusals(t *testing.T) {
	tm := play(t, 4, nil, nil)
	if _, err := After(tm, 2); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("a round that is not published: %v, want ErrNotFound", err)
	}
	if _, err := After(tm, -1); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("round -1: %v, want ErrNotFound", err)
	}
}

// TestLaws holds for any results: points are conserved, ranks follow the order, a shared rank means equal points and
// values, and SB is that of the matrix of results.
func TestLaws(t *testing.T) {
	words := []string{"1-0", "1/2-1/2", "0-1", "+--", "--+"}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(rt, "n")
		results, score := make(map[[2]int]string), make([]int, n+1)
		own := make(map[[2]int]int)
		for a := 1; a <= n; a++ {
			for b := a + 1; b <= n; b++ {
				word := rapid.SampledFrom(words).Draw(rt, "result")
				results[[2]int{a, b}] = word
				own[[2]int{a, b}] = map[string]int{"1-0": 10, "+--": 10, "1/2-1/2": 5}[word]
				own[[2]int{b, a}] = 10 - own[[2]int{a, b}]
				score[a] += own[[2]int{a, b}]
				score[b] += own[[2]int{b, a}]
			}
		}
		table, err := After(play(t, n, results, nil, "DE", "SB", "PS"), 0)
		if err != nil {
			rt.Fatal(err)
		}
		for i, row := range table.Rows {
			a, sb := row.Entry.Number, 0
			for b := 1; b <= n; b++ {
				sb += own[[2]int{a, b}] * score[b]
			}
			if int(row.Points) != score[a] || row.TieBreaks[1] != hundredths(int64(sb)) {
				rt.Fatalf("#%d: %s points, SB %s; want %d tenths, %d hundredths", a, row.Points, row.TieBreaks[1], score[a], sb)
			}
			if i == 0 {
				continue
			}
			above := table.Rows[i-1]
			shared := row.Rank == above.Rank
			if row.Points > above.Points || shared && (row.Points != above.Points ||
				!slices.Equal(row.TieBreaks, above.TieBreaks)) ||
				!shared && row.Rank != i+1 {
				rt.Fatalf("row %d %v does not follow %v", i+1, row, above)
			}
		}
	})
}

// Against returns the cells of a line's meetings with the entry of this number, in the order of the rounds: the field
// at the crossing of a round-robin's row and column.
func (l Line) Against(number int) []tournament.Cell {
	var out []tournament.Cell
	for _, c := range l.Cells {
		if slices.Contains(c.Opponents, number) {
			out = append(out, c)
		}
	}
	return out
}
