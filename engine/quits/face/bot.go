package face

import (
	"math/bits"
	"slices"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player/alphabeta"
	"quatuor/engine/player/maxn"
	"quatuor/engine/quits"
)

func (outside) Search(seen face.Seen, _ int) *face.Search {
	c := seen.State.Cursor().(*quits.Cursor)
	s := &face.Search{Game: position{c, seen.Seat}, Nodes: 60}
	if c.Seats() > 2 {
		s.Nodes = 5
	}
	return s
}

// position is a position of Quits, searched for a seat, which is a side of its own.
type position struct {
	*quits.Cursor
	me engine.Seat
}

// The values of marbles: of a marble out, and of a marble on the board by the files and ranks that it has left behind
// on its way to the goal. Far marbles are worth more than in proportion, because marbles out win.
const outWorth = 400

var progressWorth = [...]int{0, 4, 10, 20, 34, 54, 80, 116, 160}

func (g position) Over() bool { return g.Turn() == 0 }
func (g position) Mine() bool { return g.Turn() == g.me }

// Candidates appends all legal moves of the searching seat, and of both in games for two. In the game for four each
// other seat is taken to make the move that looks best to it at once (see [maxn.Greedy]). Plain max^n and paranoid
// search were tried and did worse there: a seat that runs has to be stopped by some seat, and max^n leaves that to the
// others.
func (g position) Candidates(list []engine.Step) []engine.Step {
	first := len(list)
	list = g.Steps(list)
	if g.Seats() == 2 || g.Mine() {
		return list
	}
	return append(list[:first], maxn.Greedy(g, list[first:]))
}

// Value compares the seat's progress with that of the best of the others.
func (g position) Value() int {
	if g.Over() {
		return alphabeta.Decided(g.Winner(), engine.Side(g.me))
	}
	best := 0
	for seat := engine.Seat(1); int(seat) <= g.Seats(); seat++ {
		if seat != g.me && !g.Gone(seat) {
			best = max(best, g.progress(seat))
		}
	}
	return g.progress(g.me) - best
}

// progress adds up the worth of a seat's marbles; of those on the board only as many count in full as are still needed.
func (g position) progress(seat engine.Seat) int {
	file, rank := g.Goal(seat)
	out, needed := g.Out(seat)
	var buffer [8]int
	ways := buffer[:0]
	for left := g.Marbles(seat); left != 0; left &= left - 1 {
		square := bits.TrailingZeros32(left)
		ways = append(ways, progressWorth[8-abs(square/5-file)-abs(square%5-rank)])
	}
	slices.Sort(ways)
	value := out * outWorth
	for i := range ways {
		w := ways[len(ways)-1-i]
		if i >= needed-out {
			w /= 4
		}
		value += w
	}
	return value
}

func abs(n int) int { return max(n, -n) }

func (g position) SideOf(seat engine.Seat) engine.Side { return engine.Side(seat) }

// Values compares each seat's progress with that of the best of the others.
func (g position) Values() (v maxn.Values) {
	if g.Over() {
		return maxn.Ended(g.Winner(), g.Seats())
	}
	for i := range g.Seats() {
		if !g.Gone(engine.Seat(i + 1)) {
			v[i] = int32(g.progress(engine.Seat(i + 1)))
		}
	}
	return maxn.Relative(v, g.Seats())
}
