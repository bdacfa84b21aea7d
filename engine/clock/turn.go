package clock

import "slices"

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
