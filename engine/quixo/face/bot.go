package face

import (
	"math/bits"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player/alphabeta"
	"quatuor/engine/quixo"
)

func (outside) Search(seen face.Seen, _ int) *face.Search {
	c := seen.State.Cursor().(*quixo.Cursor)
	return &face.Search{Game: position{c, engine.Side(seen.Seat-1)&1 + 1}, Nodes: 60}
}

// position is a position of Quixo, searched for a side.
type position struct {
	*quixo.Cursor
	me engine.Side
}

// lineWorth is the value of a side's cubes in a line, by their number. Four in a line are often a push from five.
var lineWorth = [...]int{0, 1, 4, 14, 45, 0}

func (g position) Over() bool { return g.Turn() == 0 }
func (g position) Mine() bool { return engine.Side(g.Turn()-1)&1+1 == g.me } // seats 1 and 3 are side 1

func (g position) Candidates(list []engine.Step) []engine.Step { return g.Steps(list) }

// Value adds up the lines: own cubes less the other side's.
func (g position) Value() int {
	if g.Over() {
		return alphabeta.Decided(g.Winner(), g.me)
	}
	own, other := g.Marks(g.me), g.Marks(3-g.me)
	value := 0
	for _, line := range g.Lines() {
		value += lineWorth[bits.OnesCount32(own&line)] - lineWorth[bits.OnesCount32(other&line)]
	}
	return 4*value + bits.OnesCount32(own) - bits.OnesCount32(other)
}
