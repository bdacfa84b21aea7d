package quixo

import (
	"quatuor/engine"
	"quatuor/engine/internal/hash"
)

// The parts of an engine.Step: the number of a push, and whether the dot points to the second partner.
const (
	stepSecond engine.Step = 1 << 7
	stepPass   engine.Step = 1 << 8
	stepPush               = stepSecond - 1
)

// Cursor is a position of Quixo for searches.
type Cursor struct {
	position
	variant *variant
	winner  engine.Side
	over    bool
	past    []reached
}

// reached is the part of a position that a move changes.
type reached struct {
	position
	winner engine.Side
	over   bool
}

// Cursor returns a cursor at this state.
func (s *state) Cursor() engine.Cursor {
	c := &Cursor{position: s.position, variant: s.variant, over: s.end != nil}
	if s.end != nil && s.end.Ranks[0] != s.end.Ranks[1] {
		c.winner = engine.Side(s.end.Ranks[0])
	}
	return c
}

// Turn returns the seat on turn, 0 when the game is over.
func (c *Cursor) Turn() engine.Seat {
	if c.over {
		return 0
	}
	return c.turn
}

// Winner returns the side that has won, 0 for none.
func (c *Cursor) Winner() engine.Side { return c.winner }

// Marks returns the cubes with a side's mark as a bit set of squares, a1 first, file by file.
func (c *Cursor) Marks(side engine.Side) uint32 { return c.marks[side-1] }

// Lines returns the rows, columns and long diagonals as bit sets of squares. They are shared: do not change them.
func (c *Cursor) Lines() []uint32 { return c.variant.geo.lines }

// Steps appends the legal moves of the seat on turn.
func (c *Cursor) Steps(list []engine.Step) []engine.Step {
	if c.over {
		return list
	}
	takeable := c.takeable(c.variant)
	if takeable&c.variant.geo.border == 0 {
		return append(list, stepPass)
	}
	for i := range c.variant.geo.pushes {
		if c.variant.geo.pushes[i].from&takeable == 0 {
			continue
		}
		list = append(list, engine.Step(i))
		if c.variant.teams {
			list = append(list, engine.Step(i)|stepSecond)
		}
	}
	return list
}

// Make makes a legal move.
func (c *Cursor) Make(step engine.Step) {
	c.past = append(c.past, reached{c.position, c.winner, c.over})
	if step == stepPass {
		c.turn = c.variant.next(c.turn)
		return
	}
	c.position = c.after(c.variant, &c.variant.geo.pushes[step&stepPush], step&stepSecond != 0)
	if winner, _, over := c.lines(c.variant); over {
		c.winner, c.over = engine.Side(winner+1), true
	}
}

// Unmake takes back the last move.
func (c *Cursor) Unmake() {
	last := len(c.past) - 1
	before := &c.past[last]
	c.position = before.position
	c.winner = before.winner
	c.over = before.over
	c.past = c.past[:last]
}

// Key returns the position's hash.
func (c *Cursor) Key() uint64 {
	h := hash.Mix(uint64(c.turn), uint64(c.marks[0])|uint64(c.marks[1])<<32)
	if c.variant.teams {
		h = hash.Mix(h, uint64(c.second))
	}
	return h
}

// Move returns the token of a legal move.
func (c *Cursor) Move(step engine.Step) engine.Move {
	if step == stepPass {
		return pass
	}
	p := &c.variant.geo.pushes[step&stepPush]
	if !c.variant.teams {
		return p.token
	}
	dot := engine.Seat(sideOf(c.turn) + 1)
	if step&stepSecond != 0 {
		dot += 2
	}
	return p.to[dot]
}
