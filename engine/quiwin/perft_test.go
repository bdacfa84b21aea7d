package quiwin

import (
	"math/rand/v2"
	"testing"

	"quatuor/engine"
)

// slow hides a state's own way of counting.
type slow struct{ engine.State }

func (s slow) Apply(e engine.Event) (engine.State, error) {
	next, err := s.State.Apply(e)
	return slow{next}, err
}

// TestPerftCountsWhatCanBePlayed compares the fast count with playing everything out, in both orders of arrival.
func TestPerftCountsWhatCanBePlayed(t *testing.T) {
	for plies := range 36 {
		for depth := 1; depth <= 4; depth++ {
			f, _ := randomGame(t, rand.New(rand.NewPCG(uint64(plies), 5)), plies)
			s := state{f}
			if got, want := s.Perft(depth), engine.Perft(slow{s}, depth); got != want {
				t.Errorf("%s: depth %d counts %d, want %d", s.Position(), depth, got, want)
			}
		}
	}
}
