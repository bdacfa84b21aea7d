package swiss_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// field is a tournament with results drawn from a seed, stronger players winning more often.
type field struct {
	pairing.History
	rng     *rand.Rand
	absence int // each entry is away with probability 1/absence
	forfeit int // each game is not played with probability 1/forfeit
}

func drawField(t *rapid.T, least, most int) *field {
	n := rapid.IntRange(least, most).Draw(t, "players")
	f := &field{
		rng:     rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)),
		absence: rapid.SampledFrom([]int{8, 40, 1000}).Draw(t, "absence"),
		forfeit: rapid.SampledFrom([]int{6, 30, 1000}).Draw(t, "forfeits"),
	}
	f.Round = 1
	f.Rounds = rapid.IntRange(1, min(n-1, 11)).Draw(t, "rounds")
	f.Points = tournament.StandardPoints
	f.Field = make([]pairing.Entrant, n)
	f.Initial = pairing.White
	if rapid.IntRange(0, 3).Draw(t, "baku") == 0 {
		f.GroupA = tournament.GroupASize(n)
	}
	f.absent()
	return f
}

func (f *field) absent() {
	for i := range f.Field {
		f.Field[i].Away = tournament.NoBye
		if f.rng.IntN(f.absence) == 0 {
			f.Field[i].Away = tournament.HalfPoint
		}
	}
}

// play adds the round to the history.
func (f *field) play(r swiss.Round) {
	add := func(number int, c tournament.Cell) { f.Field[number-1].Cells = append(f.Field[number-1].Cells, c) }
	for _, g := range r.Games {
		white := tournament.Cell{Kind: tournament.Played, Seat: 1, Opponents: []int{g.Black}}
		black := tournament.Cell{Kind: tournament.Played, Seat: 2, Opponents: []int{g.White}}
		switch edge := float64(g.Black-g.White)/float64(len(f.Field))*2 + f.rng.NormFloat64(); {
		case f.rng.IntN(f.forfeit) == 0:
			white.Kind = tournament.ForfeitWin
			black.Kind = tournament.ForfeitLoss
			white.Points = f.Points.ForfeitWin
		case edge > 0.4:
			white.Points = f.Points.Win
		case edge < -0.4:
			black.Points = f.Points.Win
		default:
			white.Points, black.Points = f.Points.Draw, f.Points.Draw
		}
		add(g.White, white)
		add(g.Black, black)
	}
	if r.Bye > 0 {
		add(r.Bye, tournament.Cell{Kind: tournament.Unpaired, Bye: tournament.PairingAllocated, Points: f.Points.Bye})
	}
	for _, a := range r.Away {
		add(a.Number, tournament.Cell{Kind: tournament.Unpaired, Bye: a.Bye, Points: f.Points.ForBye(a.Bye)})
	}
	f.Round++
	f.absent()
}

// TestAgainstWhole compares with brackets that are all solved in view of all players below, in fields too large to
// generate every candidate.
func TestAgainstWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t, 8, 60)
		for f.Round <= f.Rounds {
			got, err := swiss.Pairer{}.Draw(f.History)
			want, err2 := swiss.Pairer{}.DrawWhole(f.History)
			if (err == nil) != (err2 == nil) || err == nil && !equal(got, want) {
				t.Fatalf("round %d: %v (%v), want %v (%v)", f.Round, got, err, want, err2)
			}
			if err != nil {
				return
			}
			f.play(got)
		}
	})
}

func equal(a, b swiss.Round) bool { return slices.Equal(lines(a), lines(b)) }
