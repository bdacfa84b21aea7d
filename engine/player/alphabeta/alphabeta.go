// Package alphabeta searches the tree of a game without secrets: minimax with alpha-beta pruning (Knuth, Moore: "An
// Analysis of Alpha-Beta Pruning", 1975), iterative deepening, a transposition table that keeps the deeper result, and
// the history and killer heuristics (Schaeffer 1989) for the order of moves.
//
// Games with more than two sides are searched as paranoid games (Sturtevant, Korf: "On Pruning Techniques for
// Multi-Player Games", 2000): all others are taken to play together against the side that searches, so that alpha-beta
// applies. Values are always from the view of that side.
//
// A search is decided by the position, the order of its moves and the number of nodes it may visit; only a Stop that
// reads a clock makes it depend on the machine.
package alphabeta

import (
	"slices"

	"quatuor/engine"
)

// Game is a position to be searched for a side.
type Game interface {
	engine.Cursor
	// Over reports whether nothing more can be won or lost by the side that searches.
	Over() bool
	// Mine reports whether that side is on turn.
	Mine() bool
	// Candidates appends the moves that the search examines, at least a single move where the game is not over.
	Candidates([]engine.Step) []engine.Step
	// Value estimates the position: above 0 if it is good for that side. Win, Loss and 0 where the game is over; a value
	// between for a place between the first and the last.
	Value() int
}

// Win is the value of a game won; a win n plies away is worth n less. Estimates stay below Win - MaxDepth.
const (
	Win  = 1 << 20
	Loss = -Win
)

// Decided returns the value of a game that is over, for a side; a draw is worth 0.
func Decided(winner, me engine.Side) int {
	switch winner {
	case 0:
		return 0
	case me:
		return Win
	}
	return Loss
}

// MaxDepth is the greatest depth of a search in plies.
const MaxDepth = 64

// Limits end a search.
type Limits struct {
	Nodes int         // maximum number of moves made; 0 for no limit
	Depth int         // maximum depth in plies; 0 for MaxDepth
	Stop  func() bool // polled every 512 nodes; nil for never
}

// Result is the result of a search.
type Result struct {
	Step  engine.Step
	Value int // of the last depth that was searched, for the side that searches
	Depth int // completed
	Nodes int
}

// Search holds the memory of searches: it is used by a single goroutine at a time, for any number of games.
type Search struct {
	table   []entry
	history [historySize]int32
	killers [MaxDepth + 1][2]engine.Step
	moves   [MaxDepth + 1][]engine.Step
	scores  [MaxDepth + 1][]int32
	path    []uint64
	past    map[uint64]bool

	game    Game
	limits  Limits
	nodes   int
	stopped bool
}

// entry is a line of the transposition table.
type entry struct {
	key   uint64
	step  engine.Step
	value int32
	depth int8
	bound bound
}

// bound is the kind of an entry's value; the zero bound marks an empty entry.
type bound uint8

const (
	exact bound = iota + 1
	atLeast
	atMost
)

const historySize = 1 << 12

// New returns a search with a transposition table of 2^bits entries, 24 bytes each.
func New(bits int) *Search { return &Search{table: make([]entry, 1<<bits)} }

// Best searches for the best of the root's moves, which must not be empty; of equally good moves the first is returned.
// Past holds the keys of earlier positions: a position that comes again counts as drawn.
func (s *Search) Best(game Game, root []engine.Step, past map[uint64]bool, limits Limits) Result {
	clear(s.table)
	s.history = [historySize]int32{}
	s.killers = [MaxDepth + 1][2]engine.Step{}
	s.game = game
	s.past = past
	s.limits = limits
	s.nodes = 0
	s.stopped = false
	s.path = append(s.path[:0], game.Key())
	result := Result{Step: root[0]}
	if len(root) == 1 {
		return result
	}
	deepest := MaxDepth
	if limits.Depth > 0 {
		deepest = min(deepest, limits.Depth)
	}
	for depth := 1; depth <= deepest && !s.stopped; depth++ {
		best, value, ok := s.root(root, depth)
		if !ok {
			break // not even the first move was searched to its end
		}
		result.Step, result.Value = root[best], value
		copy(root[1:best+1], root[:best])
		root[0] = result.Step
		if !s.stopped {
			result.Depth = depth
		}
		if value > Win-MaxDepth || value < Loss+MaxDepth {
			break // decided: deeper searches find no other end
		}
	}
	result.Nodes = s.nodes
	return result
}

// root searches the root's moves and returns the best of those searched to the end; ok is false if none was.
func (s *Search) root(moves []engine.Step, depth int) (best, value int, ok bool) {
	alpha := Loss - 1
	for i, step := range moves {
		v := s.child(step, depth, 1, alpha, Win+1)
		if s.stopped {
			break
		}
		if v > alpha {
			best, alpha, ok = i, v, true
		}
	}
	return best, alpha, ok
}

// child returns the value of the position after a move.
func (s *Search) child(step engine.Step, depth, ply, alpha, beta int) int {
	s.count()
	s.game.Make(step)
	v := s.search(depth-1, ply, alpha, beta)
	s.game.Unmake()
	return v
}

func (s *Search) count() {
	s.nodes++
	if s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes {
		s.stopped = true
	}
	if s.limits.Stop != nil && s.nodes%512 == 0 && s.limits.Stop() {
		s.stopped = true
	}
}

// search returns the value of the position within a window: a value at or beyond its ends is only a bound.
func (s *Search) search(depth, ply, alpha, beta int) int {
	if s.game.Over() {
		return sooner(s.game.Value(), ply)
	}
	key := s.game.Key()
	if s.repeated(key) {
		return 0
	}
	if depth <= 0 || ply >= MaxDepth || s.stopped {
		return s.game.Value()
	}
	slot := &s.table[key&uint64(len(s.table)-1)]
	hint := engine.Step(0)
	known := slot.bound != 0 && slot.key == key
	if known {
		hint = slot.step
		if v, ok := slot.within(depth, ply, alpha, beta); ok {
			return v
		}
	}
	best, value, kind := s.branch(depth, ply, alpha, beta, key, hint, known)
	if !s.stopped && (slot.key != key || int(slot.depth) <= depth) {
		*slot = entry{key, best, int32(fromHere(value, ply)), int8(depth), kind}
	}
	return value
}

// branch searches the moves of the position on the board, best guesses first.
func (s *Search) branch(depth, ply, alpha, beta int, key uint64, hint engine.Step, hinted bool) (
	best engine.Step, value int, kind bound,
) {
	s.path = append(s.path, key)
	defer func() { s.path = s.path[:len(s.path)-1] }()
	moves := s.ordered(ply, hint, hinted)
	mine := s.game.Mine()
	low, high := alpha, beta
	value = Win + 1
	if mine {
		value = -value
	}
	for i := range moves {
		step := s.next(ply, i)
		v := s.child(step, depth, ply+1, alpha, beta)
		if mine && v > value || !mine && v < value {
			value, best = v, step
		}
		if mine {
			alpha = max(alpha, value)
		} else {
			beta = min(beta, value)
		}
		if alpha >= beta {
			s.praise(step, depth, ply)
			break
		}
		if s.stopped {
			break
		}
	}
	switch {
	case value <= low:
		kind = atMost
	case value >= high:
		kind = atLeast
	default:
		kind = exact
	}
	return best, value, kind
}

// repeated reports whether a position occurred before, in the game or on the searched line.
func (s *Search) repeated(key uint64) bool {
	return slices.Contains(s.path, key) || s.past[key]
}

// ordered lists the moves with a score for the order: that of the table, killers, then by history.
func (s *Search) ordered(ply int, hint engine.Step, hinted bool) []engine.Step {
	moves, scores := s.game.Candidates(s.moves[ply][:0]), s.scores[ply][:0]
	for _, step := range moves {
		score := s.history[slotOf(step)]
		switch {
		case hinted && step == hint:
			score = 1 << 30
		case step == s.killers[ply][0]:
			score = 1 << 29
		case step == s.killers[ply][1]:
			score = 1 << 28
		}
		scores = append(scores, score)
	}
	s.moves[ply], s.scores[ply] = moves, scores
	return moves
}

// next moves the best of the moves from i on to place i and returns it: most are never looked at, after a cut-off.
func (s *Search) next(ply, i int) engine.Step {
	moves, scores := s.moves[ply], s.scores[ply]
	best := i
	for j := i + 1; j < len(scores); j++ {
		if scores[j] > scores[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	scores[i], scores[best] = scores[best], scores[i]
	return moves[i]
}

// praise remembers a move that cut a branch off.
func (s *Search) praise(step engine.Step, depth, ply int) {
	if s.killers[ply][0] != step {
		s.killers[ply][1] = s.killers[ply][0]
		s.killers[ply][0] = step
	}
	h := &s.history[slotOf(step)]
	*h = min(*h+int32(depth*depth), 1<<27)
}

// slotOf returns a move's place in the history, by Fibonacci hashing.
func slotOf(step engine.Step) uint32 { return uint32(step) * 2654435769 >> 20 }

// within returns the value of an entry if it is deep enough and decides the window.
func (e *entry) within(depth, ply, alpha, beta int) (int, bool) {
	if int(e.depth) < depth {
		return 0, false
	}
	v := sooner(int(e.value), ply)
	switch e.bound {
	case exact:
		return v, true
	case atLeast:
		return v, v >= beta
	}
	return v, v <= alpha
}

// sooner returns a value as it counts at the root: an end that comes sooner counts more.
func sooner(v, ply int) int {
	switch {
	case v > Win-2*MaxDepth:
		return v - ply
	case v < Loss+2*MaxDepth:
		return v + ply
	}
	return v
}

// fromHere undoes sooner.
func fromHere(v, ply int) int {
	switch {
	case v > Win-2*MaxDepth:
		return v + ply
	case v < Loss+2*MaxDepth:
		return v - ply
	}
	return v
}
