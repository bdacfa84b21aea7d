package engine

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHistoryCountsAsAPlainListDoes compares the count of every position with that of a plain list, over several
// blocks, with forks, and with events that lead to no position.
func TestHistoryCountsAsAPlainListDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		kinds := rapid.IntRange(1, 1000).Draw(rt, "different positions")
		length := rapid.IntRange(1, 6*longestOpen).Draw(rt, "length")
		fork := rapid.IntRange(0, length-1).Draw(rt, "fork")
		state := uint64(rapid.IntRange(1, 1<<30).Draw(rt, "walk"))
		h, list := begin("start"), []string{"start"}
		check := func(h history, list []string) {
			now := list[len(list)-1]
			want := 0
			for _, p := range list {
				if p == now {
					want++
				}
			}
			if got := h.occurrences(); now != "" && got != want {
				rt.Fatalf("%q at %d of %v: counted %d, want %d", now, len(list), list, got, want)
			}
		}
		for i := range length {
			state = state*6364136223846793005 + 1442695040888963407
			position := fmt.Sprint((state >> 33) % uint64(kinds))
			if state>>60 == 0 {
				position = ""
			}
			if i == fork {
				check(h.with(Event{}, "elsewhere"), append(slices.Clip(list), "elsewhere"))
			}
			h, list = h.with(Event{Kind: Moved, Text: position}, position), append(list, position)
			check(h, list)
		}
		if events := h.events(); len(events) != length || h.len != length || events[length-1].Text != list[length] {
			rt.Fatalf("%d events, length %d, want %d", len(events), h.len, length)
		}
	})
}

// BenchmarkLongGame shows that a ply costs about the same however long the game is.
func BenchmarkLongGame(b *testing.B) {
	for _, plies := range []int{100, 1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(plies), func(b *testing.B) {
			for b.Loop() {
				h := begin("start")
				for i := range plies {
					h = h.with(Event{}, fmt.Sprint(i))
					if h.occurrences() != 1 {
						b.Fatal("a new position occurred before")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*plies), "ns/ply")
		})
	}
}
