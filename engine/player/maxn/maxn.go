// Package maxn searches the tree of a game with more than two sides by max^n (Luckhardt, Irani: "An Algorithmic
// Solution of N-Person Games", 1986): each side in turn picks the move that is best for itself, and a position has a
// value for each side. Iterative deepening, a transposition table of exact values, and the best move of the depth
// before is tried first; a move that wins at once ends the list (immediate pruning; Korf: "Multi-Player Alpha-Beta
// Pruning", 1991).
package maxn

import "quatuor/engine"

// MaxSides is the greatest number of sides.
const MaxSides = 5

// Values are the values of a position for each side, from side 1.
type Values [MaxSides]int32

// Win is the value of a game won, 0 that of a game lost; n plies away they are worth n less and n more. Estimates stay
// well between.
const Win = 1 << 20

// maxDepth is the greatest depth of a search in plies.
const maxDepth = 32

// Game is a position to be searched.
type Game interface {
	engine.Cursor
	// Sides returns the number of sides, at most MaxSides.
	Sides() int
	// SideOf returns a seat's side, from 1.
	SideOf(engine.Seat) engine.Side
	// Candidates appends the moves that the search examines, at least a single move where the game is not over.
	Candidates([]engine.Step) []engine.Step
	// Values estimates the position for each side, and returns its value where the game is over.
	Values() Values
}

// Limits end a search.
type Limits struct {
	Nodes int         // maximum number of moves made; 0 for no limit
	Stop  func() bool // polled every 512 nodes; nil for never
}

// Result is the result of a search.
type Result struct {
	Step  engine.Step
	Depth int // completed
	Nodes int
}

// Search holds the memory of searches: it is used by a single goroutine at a time, for any number of games.
type Search struct {
	table []entry
	moves [maxDepth + 1][]engine.Step

	game    Game
	limits  Limits
	nodes   int
	stopped bool
}

// entry is a line of the transposition table; depth 0 marks an empty line.
type entry struct {
	key    uint64
	values Values
	step   engine.Step
	depth  int32
}

// New returns a search with a transposition table of 2^bits entries, 40 bytes each.
func New(bits int) *Search { return &Search{table: make([]entry, 1<<bits)} }

// Best searches for the move among the root's, which must not be empty, that is best for the seat on turn; of equally
// good moves it returns the first.
func (s *Search) Best(game Game, root []engine.Step, limits Limits) Result {
	clear(s.table)
	s.game = game
	s.limits = limits
	s.nodes = 0
	s.stopped = false
	result := Result{Step: root[0]}
	side := game.SideOf(game.Turn()) - 1
	for depth := 1; depth < maxDepth && !s.stopped && len(root) > 1; depth++ {
		best, value := -1, int32(-1)
		for i, step := range root {
			v := s.child(step, depth)
			if s.stopped {
				break
			}
			if v[side] > value {
				best, value = i, v[side]
			}
		}
		if best >= 0 {
			result.Step = root[best]
			copy(root[1:best+1], root[:best])
			root[0] = result.Step
		}
		if !s.stopped {
			result.Depth = depth
		}
		if value > Win-2*maxDepth {
			break
		}
	}
	result.Nodes = s.nodes
	return result
}

func (s *Search) child(step engine.Step, depth int) Values {
	s.nodes++
	if s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes || s.limits.Stop != nil && s.nodes%512 == 0 && s.limits.Stop() {
		s.stopped = true
	}
	s.game.Make(step)
	v := s.search(depth - 1)
	s.game.Unmake()
	for i := range v {
		switch {
		case v[i] > Win-2*maxDepth:
			v[i]-- // a win counts more the sooner it comes
		case v[i] < 2*maxDepth:
			v[i]++ // a loss counts less the later it comes
		}
	}
	return v
}

// search returns the value of the position to each side.
func (s *Search) search(depth int) Values {
	if depth <= 0 || s.stopped || s.game.Turn() == 0 {
		return s.game.Values()
	}
	key := s.game.Key()
	slot := &s.table[key&uint64(len(s.table)-1)]
	known := slot.depth > 0 && slot.key == key
	if known && int(slot.depth) == depth {
		return slot.values
	}
	moves := s.game.Candidates(s.moves[depth][:0])
	s.moves[depth] = moves
	if known {
		for i, step := range moves {
			if step == slot.step {
				moves[0], moves[i] = moves[i], moves[0]
				break
			}
		}
	}
	side := s.game.SideOf(s.game.Turn()) - 1
	best, values := moves[0], s.child(moves[0], depth)
	for _, step := range moves[1:] {
		if s.stopped || values[side] >= Win-1 {
			break
		}
		if v := s.child(step, depth); v[side] > values[side] {
			best, values = step, v
		}
	}
	if !s.stopped {
		*slot = entry{key, values, best, int32(depth)}
	}
	return values
}

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
