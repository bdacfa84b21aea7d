package engine_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// wholeGame returns the first match of a variant and the events of a random game from there to its end, without the
// rules on repetition and length, but no more than limit events.
func wholeGame(tb testing.TB, rules engine.Rules, limit int) (*engine.Match, []engine.Event) {
	tb.Helper()
	info, seed := rules.Info(), ""
	if info.Secret {
		seed = strings.Repeat("5a", 32)
	}
	setup, err := engine.NewSetup(info, info.Seats[len(info.Seats)-1], seed, nil)
	if err != nil {
		tb.Fatal(err)
	}
	first, err := engine.NewMatch(rules, setup)
	if err != nil {
		tb.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	m := first
	for m.Len() < limit && !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		moves := m.State().Legal(seat)
		e := engine.Event{Kind: engine.Moved, Seat: seat, Text: string(moves[chance.IntN(len(moves))])}
		if m, err = m.After(e); err != nil {
			tb.Fatal(err)
		}
	}
	return first, m.Events()
}

// TestOneMoveAllocatesLittle bounds the memory for judging and carrying out a move of a running match.
func TestOneMoveAllocatesLittle(t *testing.T) {
	const limit = 10
	for _, rules := range catalog.All() {
		first, events := wholeGame(t, rules, 150)
		allocs := testing.AllocsPerRun(20, func() { retell(t, first, events) })
		if each := allocs / float64(len(events)); each >= limit {
			t.Errorf("%s: %.1f allocations a move, want fewer than %d", rules.Info().ID, each, limit)
		}
	}
}

func retell(tb testing.TB, m *engine.Match, events []engine.Event) {
	for _, e := range events {
		next, err := m.After(e)
		if err != nil {
			tb.Fatal(err)
		}
		m = next
	}
}

// BenchmarkAfter plays whole games of every variant and reports the cost of a move, judging included.
func BenchmarkAfter(b *testing.B) {
	for _, rules := range catalog.All() {
		b.Run(rules.Info().ID, func(b *testing.B) {
			first, events := wholeGame(b, rules, 150)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				retell(b, first, events)
				n += len(events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/move")
			b.ReportMetric(testing.AllocsPerRun(10, func() { retell(b, first, events) })/float64(len(events)), "allocs/move")
		})
	}
}
