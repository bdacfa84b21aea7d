package clock

// Reading is the display of a seat's clock at a time. Times are milliseconds.
type Reading struct {
	Remaining   int64 // the time left, the running turn's use taken off, no increment, bonus or credit yet
	None        bool  // the seat plays without a clock; Remaining is 0 then
	Periods     int   // byo-yomi periods left, the running period included; 0 for other controls
	Byoyomi     bool  // the stage has periods, though none may be left
	Stage       int   // from 1
	Moves       int   // plies made
	Quota       int64 // lag credit left; 0 if lag is not credited
	Running     bool  // the seat is awaited and the game not paused
	Used        int64 // length of its turn in progress, without pauses, since the arbiter's last change
	Deadline    int64 // when its flag falls, or its grace ends, if nothing happens
	HasDeadline bool
	Out         bool // its flag has fallen, or it has left the game
}

// Seat returns a seat's clock at a time that is not before the last event's. It does not let flags fall: after the
// deadline the clock shows 0. A seat that does not exist reads as the zero Reading.
func (s State) Seat(seat int8, at int64) Reading {
	c := s.at(seat)
	if c == nil {
		return Reading{}
	}
	st := s.stage(seat)
	r := Reading{
		Remaining: c.Left, None: st == nil, Periods: c.Periods, Stage: c.Stage + 1, Moves: c.Plies, Quota: c.Quota,
		Running: c.Running && !s.paused, Out: c.Fate != playing, Byoyomi: st != nil && st.rule == byoyomi,
	}
	if c.Running {
		r.Used = c.elapsed(at, s.paused)
		r.Remaining, r.Periods = st.charge(c.Left, c.Periods, r.Used)
		var f Flag
		f, r.HasDeadline = s.deadline(seat)
		r.Deadline = f.At
	}
	return r
}

// Used returns the field Used of [State.Seat].
func (s State) Used(seat int8, at int64) int64 {
	if c := s.at(seat); c != nil && c.Running {
		return c.elapsed(at, s.paused)
	}
	return 0
}

// Credit returns the lag compensation of a ply of the seat at a time, in milliseconds, if its client reports that it
// thought for elapsed milliseconds. It is 0 where lag is not credited or the seat is not awaited.
func (s State) Credit(seat int8, at int64, elapsed *int64) int64 {
	c := s.at(seat)
	if c == nil || !c.Running || !s.terms.lag {
		return 0
	}
	return c.credit(c.elapsed(at, s.paused), elapsed)
}
