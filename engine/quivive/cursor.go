package quivive

import (
	"math/bits"
	"slices"

	"quatuor/engine"
	"quatuor/engine/internal/hash"
)

// An engine.Step holds three cells of six bits: from, to, and where a podium is removed. A placement has only to.
const (
	cellBits = 6
	cellMask = 1<<cellBits - 1
)

// Cursor is a position of Quivive for searches. Its sets of cells are bit sets in the order of the cells' names, a3
// first.
type Cursor struct {
	state
	past []state
}

// Cursor returns a cursor at this state.
func (s *state) Cursor() engine.Cursor { return &Cursor{state: *s} }

// Turn returns the seat on turn, 0 when the game is over.
func (c *Cursor) Turn() engine.Seat { return c.turn }

// Winner returns the side that is left, 0 while several are.
func (c *Cursor) Winner() engine.Side {
	if c.end == nil {
		return 0
	}
	best := engine.Side(0)
	for i, rank := range c.end.Ranks[:c.rules.info.SidesAt(int(c.seats))] {
		switch {
		case rank == 1 && best != 0:
			return 0
		case rank == 1:
			best = engine.Side(i + 1)
		}
	}
	return best
}

// Sides returns the number of sides.
func (c *Cursor) Sides() int { return c.rules.info.SidesAt(int(c.seats)) }

// SideOf returns the side of a seat.
func (c *Cursor) SideOf(seat engine.Seat) engine.Side { return c.side(seat) }

// Out returns the number of sides of a melee that were out before a side was; false if it is still in.
func (c *Cursor) Out(side engine.Side) (before int, out bool) {
	before = slices.Index(c.gone, engine.Seat(side))
	return max(before, 0), before >= 0
}

// Playing reports whether the pawns step already.
func (c *Cursor) Playing() bool { return c.phase == play }

// PlacingPawns reports whether pawns are put on the board now.
func (c *Cursor) PlacingPawns() bool { return c.phase == pawns }

// Pawns returns the cells of a side's pawns.
func (c *Cursor) Pawns(side engine.Side) uint64 { return uint64(c.pawns[side-1]) }

// Free returns the cells with a podium and without a pawn.
func (c *Cursor) Free() uint64 { return uint64(c.free()) }

// Thin returns the cells with exactly 1 podium.
func (c *Cursor) Thin() uint64 { return uint64(c.low &^ c.high) }

// Near returns the neighbours of a cell.
func (c *Cursor) Near(cell int) uint64 { return uint64(near[cell]) }

// Steps appends the legal moves of the seat on turn.
func (c *Cursor) Steps(list []engine.Step) []engine.Step {
	return c.StepsTaking(list, uint64(everywhere))
}

// StepsTaking appends the legal moves of the seat on turn that remove a podium from any of the given cells, and all
// placements.
func (c *Cursor) StepsTaking(list []engine.Step, wanted uint64) []engine.Step {
	if c.end != nil {
		return list
	}
	switch c.phase {
	case build:
		return placing(list, c.open())
	case pawns:
		return placing(list, everywhere&^c.standing())
	}
	own, free := c.own(c.turn), c.free()
	for ; own != 0; own &= own - 1 {
		from := own.first()
		for targets := near[from] & free; targets != 0; targets &= targets - 1 {
			to := targets.first()
			step := engine.Step(from)<<(2*cellBits) | engine.Step(to)<<cellBits
			for stacks := (free&^only(to) | only(from)) & cells(wanted); stacks != 0; stacks &= stacks - 1 {
				list = append(list, step|engine.Step(stacks.first()))
			}
		}
	}
	return list
}

func placing(list []engine.Step, where cells) []engine.Step {
	for ; where != 0; where &= where - 1 {
		list = append(list, engine.Step(bits.TrailingZeros64(uint64(where)))<<cellBits)
	}
	return list
}

// cellsOf returns the cells of a step.
func cellsOf(step engine.Step) (from, to, take int) {
	return int(step >> (2 * cellBits)), int(step >> cellBits & cellMask), int(step & cellMask)
}

// Make makes a legal move.
func (c *Cursor) Make(step engine.Step) {
	c.past = append(c.past, c.state)
	from, to, take := cellsOf(step)
	switch c.phase {
	case build:
		c.placePodium(to)
	case pawns:
		c.placePawn(to)
	case play:
		c.step(from, to, take)
	}
}

// Unmake takes back the last move.
func (c *Cursor) Unmake() {
	last := len(c.past) - 1
	c.state = c.past[last]
	c.past = c.past[:last]
}

// Key returns the position's hash.
func (c *Cursor) Key() uint64 {
	h := hash.Mix(uint64(c.turn)|uint64(c.phase)<<8, uint64(c.low))
	h = hash.Mix(h, uint64(c.high))
	for _, p := range c.pawns[:c.Sides()] {
		h = hash.Mix(h, uint64(p))
	}
	for _, seat := range c.gone {
		h = hash.Mix(h, uint64(seat))
	}
	return h
}

// Move returns the token of a legal move.
func (c *Cursor) Move(step engine.Step) engine.Move {
	from, to, take := cellsOf(step)
	switch c.phase {
	case build:
		return engine.Move("+" + shape.Name(to))
	case pawns:
		return engine.Move("@" + shape.Name(to))
	}
	return engine.Move(shape.Name(from) + "-" + shape.Name(to) + "x" + shape.Name(take))
}
