package quits

import (
	"quatuor/engine"
	"quatuor/engine/internal/hash"
)

// The parts of an engine.Step: a slide's number, or both squares of a step; equal squares are a pass.
const (
	slideStep  engine.Step = 1 << 10
	squareBits             = 5
	squareMask             = 1<<squareBits - 1
)

// Cursor is a position of Quits for searches.
type Cursor struct {
	position
	variant *variant
	end     bool
	past    []reached
}

// reached is the part of a position that a move changes.
type reached struct {
	position
	end bool
}

// Cursor returns a cursor at this state.
func (s *state) Cursor() engine.Cursor {
	return &Cursor{position: s.position, variant: s.variant, end: s.end != nil}
}

// Turn returns the seat on turn, 0 when the game is over.
func (c *Cursor) Turn() engine.Seat {
	if c.end {
		return 0
	}
	return c.turn
}

// Winner returns the side that has enough marbles out, 0 for none: an end without a winner is a draw.
func (c *Cursor) Winner() engine.Side { return engine.Side(c.winner(c.variant)) }

// Seats returns the number of seats.
func (c *Cursor) Seats() int { return c.variant.seats() }

// Sides returns the number of sides: each seat is a side.
func (c *Cursor) Sides() int { return c.variant.seats() }

// Marbles returns a seat's marbles on the board as a bit set of squares, a1 first, file by file.
func (c *Cursor) Marbles(seat engine.Seat) uint32 { return c.marbles[seat-1] }

// Out returns the number of a seat's marbles that are out, and the number that wins.
func (c *Cursor) Out(seat engine.Seat) (out, needed int) {
	return int(c.out[seat-1]), c.variant.needed
}

// Goal returns the file and rank, from 0, of a seat's goal.
func (c *Cursor) Goal(seat engine.Seat) (file, rank int) {
	return board.Where(c.variant.players[seat-1].goal)
}

// Gone reports whether a seat has left the game.
func (c *Cursor) Gone(seat engine.Seat) bool { return c.gone.Has(seat) }

// Steps appends the legal moves of the seat on turn.
func (c *Cursor) Steps(list []engine.Step) []engine.Step {
	if c.end {
		return list
	}
	var buffer [maxMoves]move
	for _, m := range c.moves(c.variant, buffer[:0]) {
		if m.slide != none {
			list = append(list, slideStep|engine.Step(m.slide))
			continue
		}
		list = append(list, engine.Step(m.from)<<squareBits|engine.Step(m.to))
	}
	return list
}

func moveOf(step engine.Step) move {
	if step&slideStep != 0 {
		return move{slide: int8(step &^ slideStep)}
	}
	return move{none, int8(step >> squareBits), int8(step & squareMask)}
}

// Make makes a legal move.
func (c *Cursor) Make(step engine.Step) {
	c.past = append(c.past, reached{c.position, c.end})
	c.position = c.after(c.variant, moveOf(step))
	c.end = c.winner(c.variant) != 0 || c.blocked(c.variant)
}

// Unmake takes back the last move.
func (c *Cursor) Unmake() {
	last := len(c.past) - 1
	c.position, c.end = c.past[last].position, c.past[last].end
	c.past = c.past[:last]
}

// Key returns the position's hash.
func (c *Cursor) Key() uint64 {
	h := hash.Mix(uint64(c.turn)|uint64(uint8(c.forbidden))<<8|uint64(c.passes)<<16,
		uint64(c.marbles[0])|uint64(c.marbles[1])<<32)
	out := uint64(0)
	for i, n := range c.out {
		out |= uint64(n) << (8 * i)
	}
	for _, seat := range c.gone {
		out |= 1 << (32 + seat)
	}
	return hash.Mix(hash.Mix(h, uint64(c.marbles[2])|uint64(c.marbles[3])<<32), out)
}

// Move returns the token of a legal move.
func (c *Cursor) Move(step engine.Step) engine.Move { return moveOf(step).token() }
