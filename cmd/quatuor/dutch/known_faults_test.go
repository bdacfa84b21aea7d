package dutch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/trf"
	"quatuor/tournament/trf/generate"
)

// TestFaultsOfBbpPairings shows where that program departs from the rules, so that docs/exactness.md can be repeated;
// it fails when any of its faults is mended.
func TestFaultsOfBbpPairings(t *testing.T) {
	if *other == "" {
		t.Skip("-bbp names no program to compare with")
	}
	t.Run("boards of accelerated rounds", func(t *testing.T) {
		files, err := filepath.Glob("../../../tournament/pairing/swiss/testdata/open/*.trf")
		if err != nil || len(files) != 60 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		var reports []*trf.Report
		for _, file := range files {
			if r := readFile(t, file); len(r.Virtual) > 0 {
				reports = append(reports, r)
			}
		}
		rounds, order, pairs := compareRounds(t, reports)
		t.Logf("%d rounds of %d tournaments: %d in another order of boards, %d with other pairs", rounds, len(reports), order,
			pairs)
		if order == 0 || pairs > 0 {
			t.Error("the order should differ and nothing else")
		}
	})
	t.Run("a bye worth no more than a loss", func(t *testing.T) {
		rounds, _, pairs := compareRounds(t, several(t, 150, "PlayersNumber=13", "RoundsNumber=6", "PointsForPAB=0",
			"FPBRate=0", "HPBRate=0", "ZPBRate=0"))
		t.Logf("%d rounds: %d with other pairs", rounds, pairs)
		if pairs == 0 {
			t.Error("no pairs differ")
		}
	})
	t.Run("group A of the Baku Acceleration", func(t *testing.T) {
		for _, players := range []int{16, 17, 18, 19} {
			reports := several(t, 5, fmt.Sprint("PlayersNumber=", players), "RoundsNumber=5", "Acceleration=baku", "PlayedRounds=1",
				"LateEntryRate=1000000", "RetiredRate=1000000", "ReturnRate=1000000", "HalfPointByeRate=1000000", "ForbiddenPairs=0",
				"FPBRate=0", "HPBRate=0", "ZPBRate=0")
			different := 0
			for _, r := range reports {
				r.Virtual = nil // the program is to form the group
				file := write(t, r)
				if pairsOf(ours(file, "-p").out) != pairsOf(theirs(t, file, "-p").out) {
					different++
				}
			}
			t.Logf("%d players: %d of %d rounds differ", players, different, len(reports))
			if wrong := players%4 == 1 || players%4 == 2; wrong != (different > 0) {
				t.Errorf("%d players: %d rounds differ", players, different)
			}
		}
	})
	t.Run("points that it writes and does not read", func(t *testing.T) {
		dir := t.TempDir()
		config, file := filepath.Join(dir, "c.cfg"), filepath.Join(dir, "f.trf")
		if err := os.WriteFile(config, []byte("PlayersNumber=12\nRoundsNumber=3\nPointsForForfeitLoss=0.5\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(*other, "--dutch", "-g", config, "-o", file, "-s", "1").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := theirs(t, file, "-c"); got.status != 3 || !strings.Contains(got.errors, `"162  A 0.5"`) {
			t.Errorf("%+v", got)
		}
		if got := ours(file, "-c"); got.status != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func readFile(t *testing.T, file string) *trf.Report {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trf.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// several makes tournaments of the same settings.
func several(t *testing.T, count uint64, lines ...string) (out []*trf.Report) {
	t.Helper()
	var s generate.Settings
	if err := s.Read(strings.Join(append(lines, "BothLoseRate=0", "HalfLossRate=0"), "\n")); err != nil {
		t.Fatal(err)
	}
	for seed := range count {
		r, err := generate.Tournament(s, seed)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// compareRounds counts the rounds that differ in the order of the boards alone, and those that differ in pairs.
func compareRounds(t *testing.T, reports []*trf.Report) (rounds, order, pairs int) {
	t.Helper()
	for _, r := range reports {
		for round := 1; round < r.NextRound(); round++ {
			file := before(t, r, round)
			a, b := ours(file, "-p").out, theirs(t, file, "-p").out
			rounds++
			switch {
			case a == b:
			case pairsOf(a) == pairsOf(b):
				order++
			default:
				pairs++
			}
		}
	}
	return rounds, order, pairs
}

// pairsOf returns the lines of an output in an order of their own.
func pairsOf(out string) string {
	lines := strings.Split(out, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
