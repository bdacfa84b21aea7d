package clock

import "slices"

// ply ends the turn of a seat that has moved.
func (s *State) ply(mover int8, elapsed *int64) {
	c, st := s.at(mover), s.stage(mover)
	e := c.elapsed(s.last, s.paused)
	if s.terms.lag {
		credit := c.credit(e, elapsed)
		e -= credit
		c.quota = min(quotaMax, c.quota-credit+quotaGain)
	}
	c.plies++
	c.inStage++
	if st != nil {
		c.left, c.periods = st.charge(c.left, c.periods, e)
		c.left = st.reward(c.left, e)
		if c.inStage == st.moves {
			c.nextStage(s.terms.controls[mover-1])
		}
	}
	c.end()
}

// nextStage adds the next stage's base to what is left; unused periods of the old stage are lost.
func (c *seat) nextStage(control Control) {
	c.stage++
	c.inStage = 0
	next := control.stages[c.stage]
	c.left, c.periods = plus(c.left, next.base), next.periods
}

// credit returns how much of a turn of e counts as the network's: what the client did not think, within the
// limits.
func (c *seat) credit(e int64, elapsed *int64) int64 {
	if elapsed == nil {
		return 0
	}
	return max(0, min(e-max(0, *elapsed), creditMax, c.quota))
}

// await starts a turn for every seat that is awaited now and has none, and withdraws the turn of every other.
func (s *State) await(seats []int8) {
	for i := range s.seats {
		n := int8(i + 1)
		switch c := &s.seats[i]; {
		case c.fate != playing || c.running == slices.Contains(seats, n):
		case c.running:
			s.withdraw(n)
		default:
			c.begin(s.last)
		}
	}
}

// withdraw ends a turn without a ply: what it used is charged, without increment, bonus or credit.
func (s *State) withdraw(n int8) {
	c := s.at(n)
	c.left, c.periods = s.stage(n).charge(c.left, c.periods, c.elapsed(s.last, s.paused))
	c.end()
}

// pause stops all running turns.
func (s *State) pause() {
	for i := range s.seats {
		if c := &s.seats[i]; c.running {
			c.used = c.elapsed(s.last, s.paused)
		}
	}
	s.paused = true
}

// set sets a seat's time; a turn in progress goes on from there as if it began now.
func (s *State) set(n int8, remaining int64, periods *int) {
	c := s.at(n)
	if c.running {
		e := c.elapsed(s.last, s.paused)
		_, c.periods = s.stage(n).charge(c.left, c.periods, e)
		c.before = plus(c.before, e)
		c.since, c.used = s.last, 0
	}
	c.left = remaining
	if periods != nil {
		c.periods = *periods
	}
}

// deadline returns when the flag of a seat falls.
func (s *State) deadline(n int8) (Flag, bool) {
	c := s.at(n)
	if s.paused || !c.running {
		return Flag{}, false
	}
	st := s.stage(n)
	f, found := Flag{Seat: n}, st != nil
	began := plus(c.since, -c.used)
	if found {
		f.At = plus(began, st.allowance(c.left, c.periods))
	}
	if grace := s.terms.grace; grace > 0 && c.turns == 1 {
		if at := plus(plus(began, -c.before), grace); !found || at < f.At {
			f.At, f.Grace, found = at, true, true
		}
	}
	return f, found
}
