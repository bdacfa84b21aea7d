package clock

import "fmt"

// check returns an error if an event cannot be carried out now; its time is the receiver's.
func (s *State) check(ev *Event) error {
	switch ev.Kind {
	case Look:
	case Paused:
		if s.paused {
			return fmt.Errorf("%w: the game is paused already", ErrState)
		}
	case Moved:
		if err := s.checkMove(ev.Seat); err != nil {
			return err
		}
	case Awaited:
		if !ev.HasAwait {
			return fmt.Errorf("%w: the list of awaited seats is missing", ErrState)
		}
	case Resumed:
		if !s.paused {
			return fmt.Errorf("%w: there is no pause to resume from", ErrState)
		}
	case Berserk:
		return s.checkBerserk(ev.Seat)
	case Set, Add:
		if err := s.checkChange(ev); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: there is no event of kind %d", ErrState, ev.Kind)
	}
	return s.checkAwait(ev.Await)
}

func (s *State) checkMove(n int8) error {
	c := s.at(n)
	switch {
	case s.paused:
		return fmt.Errorf("%w: no ply counts before the game is resumed", ErrPaused)
	case c == nil:
		return fmt.Errorf("%w: there is no seat %d, only 1 to %d", ErrTurn, n, len(s.seats))
	case c.Fate == flagged:
		return fmt.Errorf("%w: the flag of seat %d has fallen", ErrFlagged, n)
	case !c.Running:
		return fmt.Errorf("%w: seat %d is not awaited", ErrTurn, n)
	}
	return nil
}

func (s *State) checkChange(ev *Event) error {
	c := s.at(ev.Seat)
	switch {
	case c == nil:
		return fmt.Errorf("%w: there is no seat %d, only 1 to %d", ErrState, ev.Seat, len(s.seats))
	case c.Fate != playing:
		return fmt.Errorf("%w: seat %d is out and has no clock any more", ErrState, ev.Seat)
	case s.stage(ev.Seat) == nil:
		return fmt.Errorf("%w: seat %d plays without a clock", ErrState, ev.Seat)
	case ev.Kind == Add:
		return nil
	case ev.Remaining < 0:
		return fmt.Errorf("%w: the time left must be 0 or more, not %d ms", ErrState, ev.Remaining)
	case ev.Periods == nil:
		return nil
	case s.stage(ev.Seat).rule != byoyomi:
		return fmt.Errorf("%w: seat %d has no byo-yomi in its present stage, so periods cannot be set", ErrState, ev.Seat)
	case *ev.Periods < 0:
		return fmt.Errorf("%w: the periods must be 0 or more, not %d", ErrState, *ev.Periods)
	}
	return nil
}

func (s *State) checkBerserk(n int8) error {
	c := s.at(n)
	switch {
	case c == nil:
		return fmt.Errorf("%w: there is no seat %d, only 1 to %d", ErrState, n, len(s.seats))
	case c.Fate != playing:
		return fmt.Errorf("%w: seat %d is out and has no clock any more", ErrState, n)
	case s.stage(n) == nil || s.stage(n).rule == correspondence:
		return fmt.Errorf("%w: seat %d has no time for the game that could be halved", ErrState, n)
	case c.Bare:
		return fmt.Errorf("%w: seat %d plays with half of its time already", ErrState, n)
	case c.Plies > 0:
		return fmt.Errorf("%w: seat %d has moved", ErrState, n)
	}
	return nil
}

func (s *State) checkAwait(seats []int8) error {
	for _, n := range seats {
		if s.at(n) == nil {
			return fmt.Errorf("%w: there is no seat %d to await, only 1 to %d", ErrState, n, len(s.seats))
		}
	}
	return nil
}
