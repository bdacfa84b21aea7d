package player

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// smallPlayouts is the number of playouts of level 2 in Qui'win.
const smallPlayouts = 10

// hidden chooses a move in a game with secrets.
func (b *Bot) hidden(seen Seen, level int, chance *rand.Rand, budget Budget) (Choice, error) {
	view, ok := seen.View.(quiwin.View)
	if !ok {
		return Choice{}, fmt.Errorf("%w: no bot plays %s", ErrNoMove, seen.Variant)
	}
	nodes, stop := budget.Nodes, budget.Stop
	switch level {
	case 1:
		return Choice{Move: hasty(seen, chance), Nodes: 1}, nil
	case 2:
		nodes, stop = smallPlayouts, nil
	}
	choice, done := b.secret.Best(quiwin.Know(view, seen.Seat), seen.Seat, nodes, stop, chance)
	return Choice{Move: engine.Move(choice.String()), Nodes: done}, nil
}

// hasty returns a shortest tile of the hand; where no tile is laid it is any action, and none only if there is no other.
func hasty(seen Seen, chance *rand.Rand) engine.Move {
	moves := slices.Clone(seen.Legal)
	chance.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	if len(moves[0]) != len("g22") {
		if i := slices.IndexFunc(moves, func(m engine.Move) bool { return m != "none" }); i >= 0 {
			return moves[i]
		}
		return moves[0]
	}
	return slices.MinFunc(moves, func(a, b engine.Move) int { return int(a[2]) - int(b[2]) })
}
