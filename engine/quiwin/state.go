package quiwin

import "quatuor/engine"

// state is a position. It has nothing but a pointer, so that nothing shows when it is printed or encoded.
type state struct{ full *full }

// full is the complete position. Its methods that carry something out change their receiver; Apply, Draw and
// Decide work on copies.
type full struct {
	rules    *rules
	seed     engine.Seed
	words    uint64              // words taken from the seed's stream
	hands    [seats][kinds]uint8 // number of each tile; a tile chosen but not laid is still there
	bag      [bagSize]tile       // in drawing order
	drawn    int                 // number of tiles drawn from the bag
	rows     [seats][handSize]tile
	laid     int // slots filled, the same in both rows
	phase    phase
	chosen   [seats]token // sealed, until all awaited seats have chosen
	change   engine.Seat  // the seat that used the change, 0 for none
	transfer exchange
	out      []loss
	measured int         // tiers measured
	lead     engine.Seat // the seat that leads, 0 for none
	end      *engine.Outcome
}

// phase is the kind of choice that the awaited seats make.
type phase uint8

const (
	lay    phase = iota // both seats: a tile of the hand, in secret
	window              // the awaited seats: an action, in secret
	more                // one seat: an action, after the other's was carried out
	giving              // the seat that a transfer is aimed at: the tile that leaves
)

var phaseNames = [...]string{lay: "lay", window: "window", more: "more", giving: "give"}

func (p phase) String() string { return phaseNames[p] }

// exchange is the transfer of a game.
type exchange struct {
	by   engine.Seat // the seat that used it, 0 for none
	slot int         // of the actor's tile
	into int         // the other seat's slot, 0 while the tile to give is not chosen
}

// loss is a tile that left the game.
type loss struct {
	tile tile
	seat engine.Seat // the row where it lay
	slot int
}

var bothSeats = []engine.Seat{1, 2}

func other(seat engine.Seat) engine.Seat { return 3 - seat }

// Pending returns the seats that are to choose, or how the game ended.
func (s state) Pending() engine.Pending { return s.full.pending() }

func (f *full) pending() engine.Pending {
	if f.end != nil {
		return engine.Pending{Outcome: f.end}
	}
	one, two := f.awaits(1), f.awaits(2)
	p := engine.Pending{Awaited: bothSeats[:2:2]}
	switch {
	case !two:
		p = engine.Await(1)
	case !one:
		p = engine.Await(2)
	}
	p.Sealed = f.phase == lay || f.phase == window
	return p
}

// awaits reports whether a seat is to choose now.
func (f *full) awaits(seat engine.Seat) bool {
	switch f.phase {
	case lay:
		return f.chosen[seat-1] == noToken
	case window:
		return f.chosen[seat-1] == noToken && f.hasAction(seat)
	case more:
		return !f.used(seat)
	}
	return seat == other(f.transfer.by)
}

// used reports whether a seat has used its action.
func (f *full) used(seat engine.Seat) bool { return f.change == seat || f.transfer.by == seat }

// last returns a seat's tile in the slot laid last.
func (f *full) last(seat engine.Seat) tile { return f.rows[seat-1][f.laid-1] }

// canGive reports whether a seat has a tile to give in a slot: of the tier in play, and not red.
func (f *full) canGive(seat engine.Seat, slot int) bool {
	return slot >= tierStart(f.laid) && slot <= f.laid && !f.rows[seat-1][slot-1].red()
}

func (f *full) canGiveAny(seat engine.Seat) bool {
	for slot := tierStart(f.laid); slot <= f.laid; slot++ {
		if f.canGive(seat, slot) {
			return true
		}
	}
	return false
}

func (f *full) mayChange(seat engine.Seat) bool {
	return f.change == 0 && !f.used(seat) && !f.last(other(seat)).red()
}

func (f *full) mayTransfer(seat engine.Seat) bool {
	return f.transfer.by == 0 && !f.used(seat) && !f.last(seat).red() && f.canGiveAny(other(seat))
}

func (f *full) hasAction(seat engine.Seat) bool { return f.mayChange(seat) || f.mayTransfer(seat) }

// legal reports whether a seat that is awaited may choose a token.
func (f *full) legal(seat engine.Seat, t token) bool {
	switch {
	case f.phase == lay:
		return t.isTile() && f.hands[seat-1][t] > 0
	case f.phase == giving:
		return t.isGive() && f.canGive(seat, t.slot())
	case t == change:
		return f.mayChange(seat)
	case t == transfer:
		return f.mayTransfer(seat)
	}
	return t == none
}

// Legal returns the legal choices of a seat; nil for a seat that is not awaited.
func (s state) Legal(seat engine.Seat) []engine.Move {
	f := s.full
	if seat < 1 || seat > seats || f.end != nil || !f.awaits(seat) {
		return nil
	}
	choices := f.choices(seat)
	moves := make([]engine.Move, len(choices))
	for i, t := range choices {
		moves[i] = engine.Move(t.String())
	}
	return moves
}

// choices returns the legal choices of a seat that is awaited, in the byte order of their texts.
func (f *full) choices(seat engine.Seat) []token {
	list := make([]token, 0, handSize)
	for t := noToken + 1; int(t) < len(texts); t++ {
		if f.legal(seat, t) {
			list = append(list, t)
		}
	}
	return list
}

// Draw ends the game as a draw, which no rule of the game does.
func (s state) Draw(reason engine.Reason) engine.State {
	next := *s.full
	next.end = &engine.Outcome{Ranks: []int{1, 1}, Reason: reason}
	return state{&next}
}

// Decide ends the game with an arbiter's ranks.
func (s state) Decide(ranks []int) engine.State {
	next := *s.full
	next.end = &engine.Outcome{Ranks: ranks, Reason: engine.ReasonAdjudication}
	return state{&next}
}
