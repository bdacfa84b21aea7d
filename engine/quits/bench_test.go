package quits_test

import (
	"testing"

	"quatuor/engine"
	"quatuor/engine/quits"
)

// start returns the first state of each variant, by id.
func start(tb testing.TB, id string) engine.State {
	tb.Helper()
	for _, rules := range quits.Variants() {
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
	}{{"quits/duel", 7}, {"quits/four", 6}} {
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
	for id, text := range map[string]string{"quits/duel": "b2-c3", "quits/four": "a1>e1"} {
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
