package player

import (
	"math/bits"

	"quatuor/engine"
	"quatuor/engine/quixo"
)

// quixoGame is a position of Quixo, searched for one side.
type quixoGame struct {
	*quixo.Cursor
	me engine.Side
}

// lineWorth is what a side's cubes in one line are worth, by their number. Four in a line are often one push from five.
var lineWorth = [...]int{0, 1, 4, 14, 45, 0}

// Over reports whether the game is over.
func (g quixoGame) Over() bool { return g.Turn() == 0 }

// Mine reports whether the searching side is on turn: seats 1 and 3 are side 1.
func (g quixoGame) Mine() bool { return engine.Side(g.Turn()-1)&1+1 == g.me }

// Candidates appends all legal moves.
func (g quixoGame) Candidates(list []engine.Step) []engine.Step { return g.Steps(list) }

// Value adds up the lines: own cubes less the other side's.
func (g quixoGame) Value() int {
	if g.Over() {
		return decided(g.Winner(), g.me)
	}
	own, other := g.Marks(g.me), g.Marks(3-g.me)
	value := 0
	for _, line := range g.Lines() {
		value += lineWorth[bits.OnesCount32(own&line)] - lineWorth[bits.OnesCount32(other&line)]
	}
	return 4*value + bits.OnesCount32(own) - bits.OnesCount32(other)
}
