package face

import (
	"math/rand/v2"
	"slices"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quiwin"
)

// smallPlayouts is the number of playouts of level 2.
const smallPlayouts = 10

func (outside) Blind() face.Blind { return newSearch() }

func (s *search) Choose(seen face.Seen, level, nodes int, stop func() bool, chance *rand.Rand) (engine.Move, int) {
	switch level {
	case 1:
		return hasty(seen.Legal, chance), 1
	case 2:
		nodes, stop = smallPlayouts, nil
	}
	choice, done := s.best(quiwin.Know(seen.View.(quiwin.View), seen.Seat), seen.Seat, nodes, stop, chance)
	return engine.Move(choice.String()), done
}

// hasty returns a shortest tile of the hand; where no tile is laid it is any action, and none only if nothing else is
// legal.
func hasty(legal []engine.Move, chance *rand.Rand) engine.Move {
	moves := slices.Clone(legal)
	chance.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	if len(moves[0]) != len("g22") {
		if i := slices.IndexFunc(moves, func(m engine.Move) bool { return m != "none" }); i >= 0 {
			return moves[i]
		}
		return moves[0]
	}
	return slices.MinFunc(moves, func(a, b engine.Move) int { return int(a[2]) - int(b[2]) })
}
