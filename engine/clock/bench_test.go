package clock

import "testing"

// BenchmarkApply measures the clock's part of a move: a ply, its deadline and its JSON.
func BenchmarkApply(b *testing.B) {
	for _, text := range []string{"300+3 300+3", "40/5400y5x30:1800d5 300b3 3days none"} {
		b.Run(text, func(b *testing.B) {
			s := game(b, text, true)
			s, _ = apply(b, s, await(0, 1))
			elapsed := int64(50)
			await := [][]int8{{2}, {1}}
			b.ReportAllocs()
			at, seat := int64(0), int8(1)
			for b.Loop() {
				at += 100
				next, _, err := s.Apply(Event{
					At: at, Kind: Moved, Seat: seat, Elapsed: &elapsed, Await: await[seat-1], HasAwait: true,
				})
				if err != nil {
					b.Fatal(err)
				}
				s, seat = next, 3-seat
				if _, ok := s.Next(); !ok {
					b.Fatal("no deadline")
				}
			}
		})
	}
}

func BenchmarkJSON(b *testing.B) {
	s, _ := apply(b, game(b, "300+3 300+3", true), await(1_700_000_000_000, 1))
	buffer := make([]byte, 0, 1024)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buffer = s.AppendJSON(buffer[:0])
		}
	})
	encoded := s.AppendJSON(nil)
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var back State
			if err := back.UnmarshalJSON(encoded); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("40/5400+30:1800+30"); err != nil {
			b.Fatal(err)
		}
	}
}
