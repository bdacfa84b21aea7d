package app

import (
	"strings"
	"testing"

	"quatuor/rating/ledger"
)

// TestFewDifferencesAreShown: the first of each sort, and the number of the others, shown or not.
func TestFewDifferencesAreShown(t *testing.T) {
	report := ledger.Report{Wrong: 1000, Standing: 2, Sums: 5}
	for range 10 {
		report.First = append(report.First, ledger.Difference[ledger.Row]{
			Want: &ledger.Row{PlayerID: "ann"}, Got: &ledger.Row{PlayerID: "ann"},
		})
	}
	for range 2 {
		report.FirstStandings = append(report.FirstStandings,
			ledger.Difference[ledger.Standing]{Want: &ledger.Standing{PlayerID: "ann"}})
	}
	for range 5 {
		report.FirstSums = append(report.FirstSums, ledger.Difference[ledger.Sum]{Want: &ledger.Sum{List: "quits-blitz"}})
	}
	for most, want := range map[int][]int{3: {3, 2, 3}, 100: {10, 2, 5}} {
		lines := differences(report, most)
		said := strings.Join(lines, "\n")
		for i, mark := range []string{", game ", "current rating:", "number of games:"} {
			if n := strings.Count(said, mark); n != want[i] {
				t.Errorf("%d at most: %q is said %d times, want %d:\n%s", most, mark, n, want[i], said)
			}
		}
	}
	if said := strings.Join(differences(report, fewDifferences), "\n"); !strings.Contains(said,
		"and 997 more rating rows") ||
		!strings.Contains(said, "and 2 more sums of lists") || strings.Contains(said, "more current ratings") {
		t.Error(said)
	}
}
