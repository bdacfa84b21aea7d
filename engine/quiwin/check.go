package quiwin

import (
	"errors"
	"fmt"
	"slices"

	"quatuor/engine"
)

// check returns an error if a position that was read cannot occur in a game.
func (f *full) check() error {
	for _, part := range []func() error{f.checkTiles, f.checkActions, f.checkTiers, f.checkEnd, f.checkPhase} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// checkTiles: every tile of the game is in a single place, and each place has as many as it should.
func (f *full) checkTiles() error {
	var count [kinds]int
	for seat := range f.rows {
		if len(f.hand(engine.Seat(seat+1))) != handSize-f.laid {
			return fmt.Errorf("with %d tiles laid a hand has %d", f.laid, handSize-f.laid)
		}
		for i, t := range f.rows[seat] {
			if (t != noTile) != (i < f.laid) {
				return errors.New("the rows have gaps")
			}
			count[t]++
		}
		for t, n := range f.hands[seat] {
			count[t] += int(n)
		}
	}
	for _, t := range f.bag[f.drawn:] {
		count[t]++
	}
	for _, l := range f.out {
		count[l.tile]++
	}
	for _, b := range box {
		if count[b.tile] != b.count {
			return fmt.Errorf("there are %d tiles %s instead of %d", count[b.tile], b.tile, b.count)
		}
	}
	return nil
}

// checkActions: the tokens used, the tiles they took out of the game and the bag agree.
func (f *full) checkActions() error {
	x := f.transfer
	lost := 0
	if f.change != 0 {
		lost++
	}
	if x.into != 0 {
		lost++
	}
	switch {
	case len(f.out) != lost || f.drawn != lost:
		return fmt.Errorf("%d tiles are out and %d drawn, but the actions make %d", len(f.out), f.drawn, lost)
	case x.by == 0:
	case x.by == f.change:
		return errors.New("a seat has only one action")
	case x.slot < 1 || x.slot > f.laid || x.into > x.slot || x.into != 0 && tierOf(x.into) != tierOf(x.slot):
		return fmt.Errorf("there is no transfer %s", x)
	case x.into == 0 && x.slot != f.laid, x.into != 0 && f.rows[other(x.by)-1][x.into-1].red():
		return fmt.Errorf("the transfer %s does not fit the rows", x)
	}
	for i, l := range f.out {
		given := l.seat == other(x.by) && l.slot == x.into
		if l.tile.red() || l.slot > f.laid || !given && l.seat != other(f.change) {
			return fmt.Errorf("no action took %s out of slot %d of seat %d", l.tile, l.slot, l.seat)
		}
		if i > 0 && (l.seat == f.out[0].seat || f.roundOf(l) < f.roundOf(f.out[0])) {
			return errors.New("the tiles that are out do not follow the actions")
		}
	}
	return nil
}

// roundOf returns the round when a tile left the game: a change takes the tile laid last, a transfer any of its tier.
func (f *full) roundOf(l loss) int {
	if l.seat == other(f.change) {
		return l.slot
	}
	return f.transfer.slot
}

// actedNow reports whether an action was carried out, or begun, in the window of the slot laid last.
func (f *full) actedNow() bool {
	return f.transfer.by != 0 && f.transfer.slot == f.laid ||
		slices.ContainsFunc(f.out, func(l loss) bool { return f.roundOf(l) == f.laid })
}

// checkTiers: the lead follows from the tiers measured, and those from the slots filled. In the last slot of a tier two
// counts are possible: the first in its window, the second when that is closed.
func (f *full) checkTiers() error {
	filled, closed, lead := 0, 0, engine.Seat(0) // tiers with all slots filled, and those of rounds gone by
	for i, end := range tierEnds {
		if end <= f.laid {
			filled++
		}
		if end < f.laid {
			closed++
		}
		if end <= f.laid && i < min(f.measured, len(tierEnds)-1) {
			lead = nextLead(lead, f.winner(i+1))
		}
	}
	fits := f.measured == closed
	switch {
	case f.end != nil: // in or after the window
		fits = fits || f.measured == filled
	case f.phase == lay:
		fits = f.measured == filled
	}
	if !fits {
		return fmt.Errorf("with %d slots filled %d tiers have not been measured", f.laid, f.measured)
	}
	if f.lead != lead {
		return fmt.Errorf("the lead is seat %d's, not %d's", lead, f.lead)
	}
	return nil
}

// checkEnd: the outcome follows from the rows or from the reason.
func (f *full) checkEnd() error {
	if f.end == nil {
		if f.measured == len(tierEnds) {
			return errors.New("all tiers have been measured, so the game is over")
		}
		return nil
	}
	fits := false
	switch reason := f.end.Reason; {
	case reason == engine.ReasonAdjudication && f.measured < len(tierEnds):
		fits = true
	case f.measured == len(tierEnds):
		decided := *f
		decided.decide(f.winner(f.measured))
		fits = decided.end.String() == f.end.String() && f.chosen == [seats]token{}
	case reason.Leaving():
		fits = slices.Contains(f.end.Ranks, 2)
	case reason == engine.ReasonAgreement, reason == engine.ReasonLength, reason == engine.ReasonRepetition:
		fits = slices.Equal(f.end.Ranks, []int{1, 1})
	}
	if !fits {
		return fmt.Errorf("the game does not end as %s", f.end)
	}
	return nil
}

// checkPhase: the present choice follows from the earlier acts of this round, and the sealed choices are legal.
func (f *full) checkPhase() error {
	if f.end != nil {
		return nil
	}
	fits := f.actedNow()
	switch f.phase {
	case lay:
		fits = f.transfer.by == 0 || f.transfer.into != 0
	case window:
		fits = f.laid > 0 && !f.actedNow()
	case more:
		fits = fits && f.transfer.into != 0 == (f.transfer.by != 0) && (f.used(1) != f.used(2)) &&
			(f.hasAction(1) || f.hasAction(2))
	case giving:
		fits = fits && f.transfer.by != 0 && f.transfer.into == 0 && !f.last(f.transfer.by).red() &&
			f.canGiveAny(other(f.transfer.by))
	}
	if fits && f.phase <= window {
		fits = f.awaits(1) || f.awaits(2)
	}
	for i, t := range f.chosen {
		if fits && t != noToken {
			fits = f.phase <= window && f.legal(engine.Seat(i+1), t) && (f.phase == lay || f.hasAction(engine.Seat(i+1)))
		}
	}
	if !fits {
		return fmt.Errorf("the phase cannot be %s", f.phase)
	}
	return nil
}
