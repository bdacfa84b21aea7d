package quivive_test

import (
	"testing"

	"quatuor/engine"
)

func BenchmarkApply(b *testing.B) {
	tb := tables(b)[0]
	for name, tc := range map[string]struct{ position, move string }{
		"build": {"111/11111/1111111/1111111/1111111/11111/111 1 build", "+d4"},
		"pawns": {"111/11111/2222221/1111111/3a3b31111/11111/111 1 pawns", "@d4"},
		"play":  {"111/11111/2222a221/0111b011/3a33b1111/11111/111 1 play", "d5-c4xc7"},
	} {
		b.Run(name, func(b *testing.B) {
			s, err := tb.rules.Parse(tb.setup, tc.position)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Apply(engine.Event{Kind: engine.Moved, Text: tc.move}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPerft counts from the first turn of play, where the product of the placing phases is of no use.
func BenchmarkPerft(b *testing.B) {
	tb := tables(b)[0]
	s, err := tb.rules.Parse(tb.setup, "111/11111/2222a221/0111b011/3a33b1111/11111/111 1 play")
	if err != nil {
		b.Fatal(err)
	}
	var leaves uint64
	for b.Loop() {
		leaves += engine.Perft(s, 3)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

func BenchmarkPosition(b *testing.B) {
	tb := tables(b)[0]
	s := tb.start(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Position()
	}
}
