package quiwin

import (
	"slices"

	"quatuor/engine"
)

// Choice is a move as a [Sim] numbers it.
type Choice = token

// MaxChoices is an upper bound on the choices of a seat at a time.
const MaxChoices = handSize

// Sim is a position that a viewer holds to be possible, for programs that play games to the end many times over. It is
// made from a [View] alone, so that nothing that is hidden from its viewer is in it.
type Sim struct {
	full
	losses [2]loss
}

// Known is a parsed view, reused for many guesses.
type Known struct {
	base full
	left [kinds]uint8 // tiles that have not been seen
	seat engine.Seat
}

// Know reads a seat's view of a game that is not over.
func Know(view View, seat engine.Seat) *Known {
	k := &Known{seat: seat}
	f := &k.base
	f.rules = &rules{}
	for _, b := range box {
		k.left[b.tile] = uint8(b.count)
	}
	for i, s := range view.Seats {
		for slot, name := range s.Row {
			f.rows[i][slot] = k.see(name)
		}
		f.laid = len(s.Row)
		if engine.Seat(i+1) == seat {
			for _, name := range s.Hand {
				f.hands[i][k.see(name)]++
			}
		}
	}
	for _, d := range view.Discarded {
		f.out = append(f.out, loss{k.see(d.Tile), d.Seat, d.Slot})
	}
	f.phase = phase(max(slices.Index(phaseNames[:], view.Phase), 0))
	f.change, f.transfer = view.Change, exchange{view.Transfer.By, view.Transfer.Slot, view.Transfer.Into}
	f.drawn = bagSize - view.BagCount
	f.measured = len(view.Tiers)
	f.lead = view.Lead
	return k
}

// Tiles of unknown length, seen by their colour only; they are numbered above all kinds.
const (
	someRed tile = kinds + iota
	someOrange
)

// see returns the tile of a name in a view, and takes it from those that have not been seen.
func (k *Known) see(name string) tile {
	switch name {
	case "r?":
		return someRed
	case "o?":
		return someOrange
	}
	t := tile(tokens[name])
	k.left[t]--
	return t
}

// Guess makes s a position that fits the knowledge, each deal of the tiles not seen being as likely as any other. Below
// returns a random number in [0, n).
func (k *Known) Guess(s *Sim, below func(n int) int) {
	s.full = k.base
	s.out = append(s.losses[:0], k.base.out...)
	left := k.left
	for i := range s.rows {
		for slot, t := range s.rows[i][:s.laid] {
			s.rows[i][slot] = fill(t, &left, below)
		}
	}
	for i := range s.out {
		s.out[i].tile = fill(s.out[i].tile, &left, below)
	}
	var rest [allTiles]tile
	n := 0
	for t, count := range left {
		for range count {
			rest[n] = tile(t)
			n++
		}
	}
	for i := n - 1; i > 0; i-- {
		j := below(i + 1)
		rest[i], rest[j] = rest[j], rest[i]
	}
	hand := handSize - s.laid
	for _, t := range rest[:hand] {
		s.hands[other(k.seat)-1][t]++
	}
	copy(s.bag[s.drawn:], rest[hand:n])
	s.words = uint64(below(1 << 30)) // draws of this guess only
}

// fill returns a tile of a colour, at random among those not seen.
func fill(t tile, left *[kinds]uint8, below func(n int) int) tile {
	low, high := o23, o25
	switch t {
	case someRed:
		low, high = r23, r25
	case someOrange:
	default:
		return t
	}
	total := 0
	for kind := low; kind <= high; kind++ {
		total += int(left[kind])
	}
	n := below(total)
	for kind := low; ; kind++ {
		if n < int(left[kind]) {
			left[kind]--
			return kind
		}
		n -= int(left[kind])
	}
}

// Over reports whether the game has ended.
func (s *Sim) Over() bool { return s.end != nil }

// Winner returns the seat that has won, 0 for none.
func (s *Sim) Winner() engine.Seat {
	if s.end == nil || s.end.Void() || s.end.Ranks[0] == s.end.Ranks[1] {
		return 0
	}
	return engine.Seat(s.end.Ranks[0])
}

// Awaits reports whether a seat is to choose now.
func (s *Sim) Awaits(seat engine.Seat) bool { return s.end == nil && s.awaits(seat) }

// Choices appends the choices of a seat that is awaited.
func (s *Sim) Choices(seat engine.Seat, list []Choice) []Choice {
	if s.phase == lay {
		for t, n := range s.hands[seat-1] {
			if n > 0 {
				list = append(list, token(t))
			}
		}
		return list
	}
	for t := change; int(t) < len(texts); t++ {
		if t != give && s.legal(seat, t) {
			list = append(list, t)
		}
	}
	return list
}

// Take carries out a choice of a seat that is awaited.
func (s *Sim) Take(seat engine.Seat, c Choice) { s.take(seat, c) }

// Tokens is the number of different choices: a [Choice] is below it.
const Tokens = len(texts)

// Sight returns a seat's knowledge of the position as far as it counts for the rest of the game, in two words: the
// phase, the hand, the difference of the rows as it sees them, the lead, the tie-break so far, the tokens, and the
// tiles that an action could touch.
func (s *Sim) Sight(seat engine.Seat) (a, b uint64) {
	for _, n := range s.hands[seat-1] {
		a = a<<4 | uint64(n)
	}
	b = uint64(s.phase) | uint64(s.laid)<<2 | uint64(s.relative(s.lead, seat))<<6 | uint64(s.relative(s.change, seat))<<8 |
		uint64(s.relative(s.transfer.by, seat))<<10
	difference, tieBreak := 64, engine.Seat(0)
	for slot := range s.laid {
		own, theirs := lengths[s.rows[seat-1][slot]], s.looks(seat, slot)
		difference += own - theirs
		if slot >= 2 && slot < 6 && own != theirs {
			tieBreak = seat
			if own > theirs {
				tieBreak = other(seat)
			}
		}
	}
	b |= uint64(difference)<<12 | uint64(s.relative(tieBreak, seat))<<20
	if s.phase != lay {
		b |= uint64(s.last(seat))<<24 | uint64(s.looks(seat, s.laid-1))<<28
		if s.last(other(seat)).red() {
			b |= 1 << 36
		}
	}
	return a, b
}

// relative returns 1 for the seat itself, 2 for the other and 0 for neither.
func (s *Sim) relative(who, seat engine.Seat) int {
	switch who {
	case 0:
		return 0
	case seat:
		return 1
	}
	return 2
}

// looks returns the length that a tile of the other row has for a seat: its own where the colour determines it, or
// where its tier has been measured; otherwise the mean of its colour.
func (s *Sim) looks(seat engine.Seat, slot int) int {
	t := s.rows[other(seat)-1][slot]
	switch {
	case tierOf(slot+1) <= s.measured:
	case t.red(), t == o23, t == o25:
		return 24
	}
	return lengths[t]
}
