package swiss_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// BenchmarkExplain measures the reasons for the fifth round of a large field, next to what drawing it up takes.
func BenchmarkExplain(b *testing.B) {
	for _, n := range []int{50, 200, 500, 1000} {
		f := &field{rng: rand.New(rand.NewPCG(1, 2)), absence: 40, forfeit: 30}
		f.Round = 1
		f.Rounds = 9
		f.Points = tournament.StandardPoints
		f.Initial = pairing.White
		f.Field = make([]pairing.Entrant, n)
		for f.Round < 5 {
			r, err := swiss.Pairer{}.Draw(f.History)
			if err != nil {
				b.Fatal(err)
			}
			f.play(r)
		}
		b.Run(fmt.Sprint("draw/", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := (swiss.Pairer{}).Draw(f.History); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("explain/", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := (swiss.Pairer{}).Explain(f.History); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
