package clock

import "slices"

// Fall lets the flag of a seat fall at its deadline. The seat is out, and await lists the seats that the game awaits
// after that; new turns start at the deadline. No other flag falls, so a caller calls [State.Next] again after each.
// For a seat without a deadline nothing changes.
func (s State) Fall(seat int8, await []int8) State {
	if s.at(seat) == nil {
		return s
	}
	f, found := s.deadline(seat)
	if !found {
		return s
	}
	return s.remove(f.At, seat, flagged, await)
}

// Leave takes a seat out of the game at a time, as by resignation or forfeit, and awaits the seats given from then on.
// A time before the last event counts as the last event's.
func (s State) Leave(at int64, seat int8, await []int8) State {
	if s.at(seat) == nil {
		return s
	}
	return s.remove(at, seat, gone, await)
}

func (s State) remove(at int64, seat int8, f fate, await []int8) State {
	s.touch(at)
	if c := s.at(seat); c.Fate == playing {
		c.drop(f)
	}
	s.await(await)
	return s
}

// Stop ends the game: no clock runs any more, every turn in progress is withdrawn, and the remaining times stay. A time
// before the last event counts as the last event's.
func (s State) Stop(at int64) State {
	s.touch(at)
	s.await(nil)
	s.paused = false
	return s
}

// Takeback restores the clocks of an earlier state of the same game, that at the start of the ply taken back, at a
// time: turns that were in progress then go on with the time used by then. A pause of the present stays.
func (s State) Takeback(at int64, earlier State) State {
	paused, was := s.paused, s.seats
	s.touch(at)
	s.seats = slices.Clone(earlier.seats)
	for i := range s.seats {
		c := &s.seats[i]
		if was[i].Bare && !c.Bare { // its player has chosen, whatever moves are taken back
			c.Bare = true
			c.Left /= 2
			c.Periods = 0
		}
		if c.Running {
			c.Used = c.elapsed(earlier.last, earlier.paused)
			c.Since = s.last
		}
	}
	s.paused = paused
	return s
}

// touch makes the receiver own a copy of the seats (copy on write) and moves its time on, without looking for
// flags.
func (s *State) touch(at int64) {
	if !s.begun || at > s.last {
		s.last, s.begun = at, true
	}
	s.seats = slices.Clone(s.seats)
}

// Shift returns the same clocks with all times later by ms milliseconds, or earlier if that is negative. The time left
// of each seat stays the same: corrections of a log's times need it.
func (s State) Shift(ms int64) State {
	if !s.begun {
		return s
	}
	s.seats = slices.Clone(s.seats)
	for i := range s.seats {
		if s.seats[i].Since != 0 {
			s.seats[i].Since += ms
		}
	}
	s.last += ms
	return s
}
