package results_test

import (
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestCrosstableFitIsKept: the style sheet of a crosstable on paper, requested again, costs what that of the standings
// does, also if only the sheet itself was shown before.
func TestCrosstableFitIsKept(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Put(apitest.Crowd(60))
	const sheet, head = "/tournaments/crowd/print/crosstable", "/tournaments/crowd/print/crosstable/head.css"
	cost := func(path string) float64 { return testing.AllocsPerRun(3, func() { f.Page(path, "") }) }
	plain := cost("/tournaments/crowd/print/standings/head.css")
	for _, first := range []string{sheet, head} {
		f.Change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
		f.Page(first, "")
		if again := cost(head); again > plain+100 {
			t.Errorf("after %s, %s takes %.0f allocations, and the standings' %.0f", first, head, again, plain)
		}
	}
}
