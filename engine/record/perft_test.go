package record_test

import (
	"flag"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/record"
)

var deep = flag.Bool("perft.deep", false, "count the move sequences of testdata/perft.tsv that are many, too")

// limit returns the greatest number of sequences that is counted.
func limit() uint64 {
	switch {
	case *deep:
		return math.MaxUint64
	case os.Getenv("QUATUOR_LONG") != "":
		return 20_000_000
	case testing.Short():
		return 100_000
	}
	return 2_000_000
}

// TestPerft compares numbers of move sequences, from the start and from late positions, with the known numbers.
// Columns: variant, seats, options (k=v, seed among them), moves, depth, count.
func TestPerft(t *testing.T) {
	equal, rows := map[string]int{}, map[string]int{}
	for i, line := range lines(t, "testdata/perft.tsv")[1:] {
		cells := strings.Split(string(line), "\t")
		depth, err := strconv.Atoi(cells[4])
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseUint(cells[5], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if want > limit() {
			continue
		}
		rows[cells[0]]++
		m, refused := record.Play(game(t, cells))
		if refused != nil {
			t.Errorf("row %d, %s: %v", i+1, cells[0], *refused)
			continue
		}
		if got := engine.Perft(m.State(), depth); got != want {
			t.Errorf("row %d, %s %s depth %d from %s: got %d, want %d", i+1, cells[0], cells[2], depth, m.State().Position(),
				got, want)
			continue
		}
		equal[cells[0]]++
	}
	for _, variant := range slices.Sorted(maps.Keys(rows)) {
		t.Logf("%s: %d of %d counts as known", variant, equal[variant], rows[variant])
	}
}

// game reads the first four cells of a row.
func game(t *testing.T, cells []string) record.Game {
	t.Helper()
	seats, err := strconv.Atoi(cells[1])
	if err != nil {
		t.Fatal(err)
	}
	g := record.Game{Variant: cells[0], Seats: &seats, Options: map[string]string{}, Moves: strings.Fields(cells[3])}
	for _, option := range strings.Fields(cells[2]) {
		key, value, _ := strings.Cut(option, "=")
		if key == "seed" {
			g.Seed = value
		} else {
			g.Options[key] = value
		}
	}
	return g
}
