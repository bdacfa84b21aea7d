package quivive

import (
	"slices"

	"quatuor/engine"
)

// check returns an error if a position that was read cannot occur in a game, as far as counting shows.
func (s *state) check() error {
	for _, fault := range []func() error{s.checkEnd, s.checkStacks, s.checkPawns, s.checkTurn} {
		if err := fault(); err != nil {
			return err
		}
	}
	return nil
}

// ended reports whether the game ended for any of these reasons.
func (s *state) ended(reasons ...engine.Reason) bool {
	return s.end != nil && slices.Contains(reasons, s.end.Reason)
}

// checkEnd tests the outcome, and the number of seats that are out.
func (s *state) checkEnd() error {
	drawn := s.ended(engine.ReasonLength, engine.ReasonRepetition, engine.ReasonAgreement)
	won := s.ended(engine.ReasonLast) && s.phase == play || s.end != nil && s.end.Reason.Leaving()
	switch {
	case s.ended(engine.ReasonAdjudication) && len(s.gone) < int(s.seats)-1:
	case s.end != nil && !won && !drawn:
		return unreadable("a game in the phase %s does not end as %s", s.phase, s.end)
	case s.end != nil && drawn == slices.Contains(s.end.Ranks, 2) && !s.rules.melee():
		return unreadable("the ranks of %s do not fit the reason", s.end)
	case s.end != nil && s.rules.melee() && !slices.Equal(s.end.Ranks, s.gone.Ranks(int(s.seats))):
		return unreadable("the ranks of %s do not fit the seats that are out, %s", s.end, s.gone)
	case s.rules.melee() && won != (len(s.gone) == int(s.seats)-1), len(s.gone) == int(s.seats), s.gone.Has(s.turn):
		return unreadable("with seats %s out the status cannot be %s", s.gone, s.Pending().Status())
	}
	return nil
}

// checkStacks tests the numbers of stacks of each height.
func (s *state) checkStacks() error {
	tall, twos := (s.low & s.high).len(), (s.high &^ s.low).len()
	full := s.podiums() == everywhere
	fits := false
	switch s.phase {
	case build:
		fits = full && s.built() < extras && tall == max(s.built()-onOnes, 0)
	case pawns:
		fits = full && s.total() == supply && tall == onTwos
	case play:
		fits = tall <= onTwos && tall+twos <= onOnes // so the total of podiums is at most that of the start
	}
	if !fits {
		return unreadable("the heights do not fit the phase %s", s.phase)
	}
	return nil
}

// checkPawns tests the number of pawns of each side, and that all are on podiums.
func (s *state) checkPawns() error {
	if s.standing()&^s.podiums() != 0 {
		return unreadable("a pawn stands where there is no podium")
	}
	for i := range s.rules.info.SidesAt(int(s.seats)) {
		low, high := s.pawnsOf(engine.Side(i + 1))
		if n := s.pawns[i].len(); n < low || n > high {
			return unreadable("side %d cannot have %d pawns in the phase %s", i+1, n, s.phase)
		}
	}
	return nil
}

// pawnsOf returns the least and the greatest number of pawns that a side can have.
func (s *state) pawnsOf(side engine.Side) (low, high int) {
	placed := s.standing().len()
	switch {
	case s.phase == build:
		return 0, 0
	case s.rules.melee():
		return s.pawnOfSeat(engine.Seat(side))
	case s.phase == pawns && side == 1: // sides place in turn, and play begins with the fourth pawn
		return (placed + 1) / 2, min((placed+1)/2, 2)
	case s.phase == pawns:
		return placed / 2, min(placed/2, 1)
	case s.ended(engine.ReasonLast) && s.end.Ranks[side-1] != 1:
		return 0, 0
	case s.kept:
		return 2, 2
	}
	return 1, 2
}

// pawnOfSeat is pawnsOf for a seat of a melee: a pawn for every seat still in, in the phase pawns only up to the seat
// on turn.
func (s *state) pawnOfSeat(seat engine.Seat) (low, high int) {
	switch {
	case s.gone.Has(seat):
		return 0, 0
	case s.phase == play:
		return 1, 1
	case s.end != nil:
		return 0, 1
	case seat < s.turn:
		return 1, 1
	}
	return 0, 0
}

// checkTurn tests that the seat on turn fits what has been done, and that no elimination is due.
func (s *state) checkTurn() error {
	if s.end != nil {
		return nil
	}
	done := s.built()
	switch s.phase {
	case pawns:
		done = s.standing().len()
	case play:
		done = supply - s.total()
		resolved := *s
		if resolved.eliminate(); resolved.board != s.board {
			return unreadable("a pawn that cannot move still stands though its turn has come")
		}
	}
	if want := engine.Seat(done%int(s.seats)) + 1; s.turn != want && !s.rules.melee() {
		return unreadable("seat %d is on turn where it should be %d", s.turn, want)
	}
	return nil
}
