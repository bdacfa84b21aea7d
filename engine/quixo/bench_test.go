package quixo_test

import (
	"testing"

	"quatuor/engine"
	"quatuor/engine/quixo"
)

// start returns the first state of each variant, by id.
func start(tb testing.TB, id string) engine.State {
	tb.Helper()
	for _, rules := range quixo.Variants() {
		if rules.Info().ID != id {
			continue
		}
		setup, err := engine.NewSetup(rules.Info(), 0, "", nil)
		if err != nil {
			tb.Fatal(err)
		}
		s, err := rules.Start(setup)
		if err != nil {
			tb.Fatal(err)
		}
		return s
	}
	tb.Fatalf("no variant %s", id)
	return nil
}

func BenchmarkPerft(b *testing.B) {
	for _, tc := range []struct {
		id    string
		depth int
	}{{"quixo/duel", 5}, {"quixo/teams", 4}} {
		b.Run(tc.id, func(b *testing.B) {
			s := start(b, tc.id)
			var leaves uint64
			for b.Loop() {
				leaves += engine.Perft(s, tc.depth)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for id, text := range map[string]string{"quixo/duel": "c1-c5", "quixo/teams": "c1-c5>3"} {
		b.Run(id, func(b *testing.B) {
			s := start(b, id)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Apply(engine.Event{Kind: engine.Moved, Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
