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

// ply ends the turn of a seat that has moved.
func (s *State) ply(mover int8, elapsed *int64) {
	c, st := s.at(mover), s.stage(mover)
	e := c.elapsed(s.last, s.paused)
	if s.terms.lag {
		credit := c.credit(e, elapsed)
		e -= credit
		c.Quota = min(quotaMax, c.Quota-credit+quotaGain)
	}
	c.Plies++
	c.InStage++
	if st != nil {
		c.Left, c.Periods = st.charge(c.Left, c.Periods, e)
		c.Left = st.reward(c.Left, e)
		if c.InStage == st.moves {
			c.nextStage(s.terms.controls[mover-1])
		}
	}
	c.end()
}

// nextStage adds the next stage's base to the remaining time; unused periods of the old stage are lost.
func (c *seat) nextStage(control Control) {
	c.Stage++
	c.InStage = 0
	next := control.stages[c.Stage]
	c.Left, c.Periods = plus(c.Left, next.base), c.of(&next).periods
}

// credit returns the part of a turn of e that counts as the network's: the time that the client did not think, within
// the limits.
func (c *seat) credit(e int64, elapsed *int64) int64 {
	if elapsed == nil {
		return 0
	}
	return max(0, min(e-max(0, *elapsed), creditMax, c.Quota))
}

// await starts a turn for every seat that is awaited now and has none, and withdraws the turn of every other.
func (s *State) await(seats []int8) {
	for i := range s.seats {
		n := int8(i + 1)
		switch c := &s.seats[i]; {
		case c.Fate != playing || c.Running == slices.Contains(seats, n):
		case c.Running:
			s.withdraw(n)
		default:
			c.begin(s.last)
		}
	}
}

// withdraw ends a turn without a ply: its use is charged, without increment, bonus or credit.
func (s *State) withdraw(n int8) {
	c := s.at(n)
	c.Left, c.Periods = s.stage(n).charge(c.Left, c.Periods, c.elapsed(s.last, s.paused))
	c.end()
}

// pause stops all running turns.
func (s *State) pause() {
	for i := range s.seats {
		if c := &s.seats[i]; c.Running {
			c.Used = c.elapsed(s.last, s.paused)
		}
	}
	s.paused = true
}

// set sets a seat's time; a turn in progress goes on from there as if it began now.
func (s *State) set(n int8, remaining int64, periods *int) {
	c := s.at(n)
	if c.Running {
		e := c.elapsed(s.last, s.paused)
		_, c.Periods = s.stage(n).charge(c.Left, c.Periods, e)
		c.Before = plus(c.Before, e)
		c.Since, c.Used = s.last, 0
	}
	c.Left = remaining
	if periods != nil {
		c.Periods = *periods
	}
}

// berserk halves a seat's remaining time, and takes away its increments, delays and periods.
func (s *State) berserk(n int8) {
	s.set(n, s.Seat(n, s.last).Remaining/2, nil)
	c := s.at(n)
	c.Bare, c.Periods = true, 0
}

// deadline returns when the flag of a seat falls.
func (s *State) deadline(n int8) (Flag, bool) {
	c := s.at(n)
	if s.paused || !c.Running {
		return Flag{}, false
	}
	st := s.stage(n)
	f, found := Flag{Seat: n}, st != nil
	began := plus(c.Since, -c.Used)
	if found {
		f.At = plus(began, st.allowance(c.Left, c.Periods))
	}
	if grace := s.terms.grace; grace > 0 && c.Turns == 1 {
		if at := plus(plus(began, -c.Before), grace); !found || at < f.At {
			f.At, f.Grace, found = at, true, true
		}
	}
	return f, found
}
