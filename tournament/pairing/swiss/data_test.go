package swiss_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
)

func readReport(t testing.TB, file string) *trf.Report {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trf.Read(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return r
}

func drawRound(r *trf.Report, round int) (swiss.Round, error) {
	return swiss.Pairer{Virtual: r.VirtualPoints}.Draw(r.History(round))
}

// lines spells a round as the .pairs files do, without the number of the round: board, white, black, bye.
func lines(round swiss.Round) []string {
	var out []string
	for i, g := range round.Games {
		out = append(out, fmt.Sprintf("%d\t%d\t%d\t-", i+1, g.White, g.Black))
	}
	if round.Bye > 0 {
		out = append(out, fmt.Sprintf("%d\t%d\t0\tPAB", len(out)+1, round.Bye))
	}
	for _, a := range round.Away {
		out = append(out, fmt.Sprintf("0\t%d\t0\t%s", a.Number, a.Bye))
	}
	return out
}

// readPairs reads a .pairs file: the lines of each round, without its number.
func readPairs(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rounds [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		var n int
		number, rest, _ := strings.Cut(line, "\t")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatalf("%s: %q", file, line)
		}
		for len(rounds) < n {
			rounds = append(rounds, nil)
		}
		rounds[n-1] = append(rounds[n-1], rest)
	}
	return rounds
}

// TestKnownRounds pairs every round of tournaments with known pairings, from the history before it. Boards of
// accelerated tournaments are not compared: editions differ in whether virtual points count for their order.
func TestKnownRounds(t *testing.T) {
	files, err := filepath.Glob("testdata/open/*.trf")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d tournaments found (%v), want 60", len(files), err)
	}
	rounds, identical := 0, 0
	for _, file := range files {
		r := readReport(t, file)
		for i, want := range readPairs(t, strings.TrimSuffix(file, ".trf")+".pairs") {
			rounds++
			drawn, err := drawRound(r, i+1)
			if err != nil {
				t.Errorf("%s, round %d: %v", file, i+1, err)
				continue
			}
			got := lines(drawn)
			if len(r.Virtual) > 0 {
				got, want = withoutBoards(got), withoutBoards(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, round %d:\n%s\nwant\n%s", file, i+1, strings.Join(got, "\n"), strings.Join(want, "\n"))
				continue
			}
			identical++
		}
	}
	t.Logf("%d of %d rounds identical", identical, rounds)
	if rounds != 445 {
		t.Errorf("%d rounds paired, want 445", rounds)
	}
}

func withoutBoards(lines []string) []string {
	out := slices.Clone(lines)
	for i, line := range out {
		_, out[i], _ = strings.Cut(line, "\t")
	}
	slices.Sort(out)
	return out
}

// TestUnpairable takes rounds that have no legal pairing.
func TestUnpairable(t *testing.T) {
	for file, want := range map[string]string{
		"edge-open-01.trf": "no way to pair all of them remains",
		"edge-open-02.trf": "number 1 has no opponent left to meet",
	} {
		r := readReport(t, "testdata/infeasible/"+file)
		_, err := drawRound(r, r.NextRound())
		if !errors.Is(err, tournament.ErrUnpairable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", file, err, want)
		}
	}
}

var largeFields = []int{100, 200, 500, 1000}

// TestLargeFields pairs large fields with known pairings.
func TestLargeFields(t *testing.T) {
	for _, n := range largeFields {
		r := readReport(t, fmt.Sprintf("testdata/bench/n%d_r5.trf", n))
		want, err := os.ReadFile(fmt.Sprintf("testdata/bench/n%d_r5.expected", n))
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := drawRound(r, 5)
		if err != nil {
			t.Fatal(err)
		}
		pairs := len(drawn.Games)
		var b strings.Builder
		for _, g := range drawn.Games {
			fmt.Fprintln(&b, g.White, g.Black)
		}
		if drawn.Bye > 0 {
			pairs++
			fmt.Fprintln(&b, drawn.Bye, 0)
		}
		if got := fmt.Sprintln(pairs) + b.String(); got != string(want) {
			t.Errorf("%d players: the pairing differs from the known one", n)
		}
	}
}

// BenchmarkDraw pairs a round of large fields.
func BenchmarkDraw(b *testing.B) {
	for _, n := range largeFields {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := readReport(b, fmt.Sprintf("testdata/bench/n%d_r5.trf", n))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := drawRound(r, 5); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
