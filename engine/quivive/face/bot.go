package face

import (
	"math/bits"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player/alphabeta"
	"quatuor/engine/player/maxn"
	"quatuor/engine/quivive"
)

// Search returns the position for the side of the seat. In a melee level 3 models its opponents; level 2 has plain
// max^n, and level 1 a plan for half of its moves only. Podiums are placed at random by all levels: the board has no
// pawns yet, and no place has been found to be better than another.
func (outside) Search(seen face.Seen, level int) *face.Search {
	c := seen.State.Cursor().(*quivive.Cursor)
	p := position{c, c.SideOf(seen.Seat)}
	s := &face.Search{Game: p, Nodes: 30, Undirected: !c.Playing() && !c.PlacingPawns(), Progresses: true}
	if c.Sides() > 2 {
		s.Nodes, s.Careless = 25, true
		if level == 3 {
			s.Game = model{p}
		}
	}
	return s
}

// position is a position of Quivive, searched for a side.
type position struct {
	*quivive.Cursor
	me engine.Side
}

// stepsWorth is the value of a pawn by its number of steps: none is nearly lost, and more than a few help little.
var stepsWorth = [...]int{5, 30, 50, 64, 74, 82, 88, 92, 95}

// roomWorth is the value of a cell that a pawn reaches in exactly two steps.
const roomWorth = 3

// Over reports whether the game is over, or lost for the searching side.
func (g position) Over() bool {
	if g.Turn() == 0 {
		return true
	}
	_, out := g.Out(g.me)
	return out
}

// Mine reports whether the searching side is on turn.
func (g position) Mine() bool { return g.SideOf(g.Turn()) == g.me }

// Candidates appends the moves that remove a podium next to a pawn of another side, the last of its cell if possible;
// all moves where no podium lies there.
func (g position) Candidates(list []engine.Step) []engine.Step {
	if !g.Playing() {
		return g.Steps(list)
	}
	around, own := uint64(0), g.SideOf(g.Turn())
	for side := engine.Side(1); int(side) <= g.Sides(); side++ {
		if side == own {
			continue
		}
		for pawns := g.Pawns(side); pawns != 0; pawns &= pawns - 1 {
			around |= g.Near(bits.TrailingZeros64(pawns))
		}
	}
	for _, wanted := range []uint64{around & g.Thin(), around} {
		if found := g.StepsTaking(list, wanted); len(found) > len(list) {
			return found
		}
	}
	return g.Steps(list)
}

// Value compares how freely the side's pawns move with the freest of the others.
func (g position) Value() int {
	if place, out := g.Out(g.me); out {
		return alphabeta.Loss + 1000*place // the later, the better
	}
	if g.Turn() == 0 {
		return alphabeta.Decided(g.Winner(), g.me)
	}
	best, others := 0, 0
	for side := engine.Side(1); int(side) <= g.Sides(); side++ {
		if _, out := g.Out(side); side != g.me && !out {
			f := g.freedom(side)
			best, others = max(best, f), others+f
		}
	}
	return 4*g.freedom(g.me) - 3*best - others/max(g.Sides()-1, 1)
}

// freedom adds up the worth of a side's pawns.
func (g position) freedom(side engine.Side) int {
	value, free := 0, g.Free()
	for pawns := g.Pawns(side); pawns != 0; pawns &= pawns - 1 {
		first := g.Near(bits.TrailingZeros64(pawns)) & free
		value += stepsWorth[bits.OnesCount64(first)]
		second := uint64(0)
		for left := first; left != 0; left &= left - 1 {
			second |= g.Near(bits.TrailingZeros64(left))
		}
		value += roomWorth * bits.OnesCount64(second&free&^first)
	}
	return value
}

// Values compares how freely each side's pawns move with the freest of the others.
func (g position) Values() (v maxn.Values) {
	if g.Turn() == 0 {
		return maxn.Ended(g.Winner(), g.Sides())
	}
	in := 0
	for i := range g.Sides() {
		if _, out := g.Out(engine.Side(i + 1)); !out {
			v[i] = int32(g.freedom(engine.Side(i + 1)))
			in++
		}
	}
	v = maxn.Relative(v, g.Sides())
	for i := range g.Sides() {
		if place, out := g.Out(engine.Side(i + 1)); out {
			v[i] = int32(500 * place) // the later, the better
		} else {
			v[i] += int32(2000 * (g.Sides() - in)) // each side out brings the last place nearer
		}
	}
	return v
}

// model is a melee where each other side is taken to make the move that looks best to it at once (see [maxn.Greedy]).
// Paranoid search, plain max^n, and best-reply search (Schadd, Winands: "Best Reply Search for Multiplayer Games",
// 2011) were tried, and won fewer games against level 2; docs/bots.md has the figures.
type model struct{ position }

// Candidates appends the same moves as without a model for the searching side, and a single move for each other.
func (g model) Candidates(list []engine.Step) []engine.Step {
	first := len(list)
	list = g.position.Candidates(list)
	if g.Mine() {
		return list
	}
	return append(list[:first], maxn.Greedy(g, list[first:]))
}
