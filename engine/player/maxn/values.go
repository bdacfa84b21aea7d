package maxn

import "quatuor/engine"

// middle is the value of an even position to each of several sides; a loss is worth 0.
const middle = 100_000

// Ended returns the values of a game that is over: a draw is even.
func Ended(winner engine.Side, sides int) (v Values) {
	for i := range sides {
		switch winner {
		case 0:
			v[i] = middle
		case engine.Side(i + 1):
			v[i] = Win
		}
	}
	return v
}

// Relative returns estimates as the distance of each side from the best of the others.
func Relative(v Values, sides int) (r Values) {
	for i := range sides {
		best := int32(0)
		for j := range sides {
			if j != i {
				best = max(best, v[j])
			}
		}
		r[i] = middle + 4*v[i] - 3*best
	}
	return r
}

// Greedy returns the move that looks best at once to the side on turn. A search that takes each opponent to make that
// move looks far ahead along few lines (opponent-model search; Carmel, Markovitch: "Incorporating Opponent Models into
// Adversary Search", 1996).
func Greedy(g Game, moves []engine.Step) engine.Step {
	side, best, value := g.SideOf(g.Turn())-1, moves[0], int32(-1)
	for _, step := range moves {
		g.Make(step)
		if v := g.Values()[side]; v > value {
			best, value = step, v
		}
		g.Unmake()
	}
	return best
}
