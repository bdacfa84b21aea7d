// Package clock is the arithmetic of game clocks: time controls and the clocks of a game as immutable values.
//
// Nothing here reads the time. Every time is an argument: an int64 of milliseconds on a scale that the caller chooses
// (the tables use milliseconds since 1970, UTC). All arithmetic is exact in whole milliseconds.
//
// # Time controls
//
//	control = "none" | N "days" | stage *( ":" stage )
//	stage   = [ moves "/" ] base [ "+" inc | "d" delay | "b" bonus | "y" periods "x" period ]
//
// How R, the time that a seat has left at the start of its turn, changes when the turn lasted e:
//
//	300          sudden death       R − e                                    flag at start + R
//	300+3        Fischer            R − e + inc                              flag at start + R
//	300d5        simple delay       R − max(0, e − delay)                    flag at start + delay + R
//	300b5        Bronstein          R − e + min(e, bonus)                    flag at start + R
//	600y5x30     byo-yomi           R − e while e ≤ R; then whole periods    flag at start + R + periods · period
//	40/5400:1800 stages             by the stage's rule; the next base is added with the last move of a stage
//	3days        correspondence     3 days after every move                  flag at start + R
//	none         no clock           –                                        never
//
// # What ends, keeps or starts a turn
//
//	event                             the seat's turn
//	its own move                      ends: charged, with increment or bonus; a new one if it is awaited again
//	others' events, still awaited     goes on
//	others' events, awaited no more   withdrawn: charged, without increment, bonus, lag credit or new days
//	pause and resume                  stopped in between; what it used so far is kept
//	set or add by the arbiter         goes on from the new time, with nothing used and its delay afresh
//	its flag, or leaving the game     over, with all clocks of that seat: it shows 0
//
// A move at the deadline is in time, even if it is judged later. Before an event at time t is judged, every flag with a
// deadline before t has fallen. [State.Advance] does that for clocks alone; a game with rules about the seats awaited
// after a flag calls [State.Next] and [State.Fall], flag by flag.
package clock

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxSeats is the maximum of clocks in a game.
const MaxSeats = 8

// The kinds of refusal; each is named as on the command line.
var (
	ErrOrder   = errors.New("order")   // the time lies before that of an earlier event
	ErrPaused  = errors.New("paused")  // a ply while all clocks are stopped
	ErrFlagged = errors.New("flagged") // a ply of a seat with a fallen flag
	ErrTurn    = errors.New("turn")    // a ply of a seat that is not awaited, has left, or does not exist
	ErrState   = errors.New("state")   // an event that makes no sense now
)

// Kind is the effect of an event on the clocks.
type Kind uint8

// The kinds of event.
const (
	Look    Kind = iota // nothing; time moves on
	Moved               // a seat made a ply
	Awaited             // only the list of awaited seats changes
	Paused              // all running turns are stopped
	Resumed             // they go on
	Set                 // the arbiter sets a seat's time
	Add                 // the arbiter adds to a seat's time, or takes from it
	Berserk             // a seat takes half of its time, and no increment, delay, bonus or periods from then on
)

// Event is something that happened at a time. Whatever its kind, it may also list the seats that are awaited from
// then on.
type Event struct {
	At        int64  // milliseconds
	Kind      Kind   //
	Seat      int8   // of Moved, Set, Add and Berserk
	Elapsed   *int64 // Moved: the thinking time that the client reports, in milliseconds; nil for none
	Remaining int64  // Set: the new time; Add: the addition, may be negative; milliseconds
	Periods   *int   // Set: byo-yomi periods; nil leaves them unchanged
	Await     []int8 // the seats awaited after the event; seats that are out are ignored
	HasAwait  bool   // false: those awaited before, without the mover
}

// Flag is the fall of a seat's flag.
type Flag struct {
	Seat  int8
	At    int64 // the deadline, in milliseconds
	Grace bool  // the deadline was the grace for the seat's first turn, not its clock: a forfeit, not a loss on time
}

// State has the clocks of a game at the time of the last event. It is an immutable value; the zero State has no seats.
// It encodes to JSON and back without loss.
type State struct {
	terms  *terms
	seats  []seat // never written to once the State has been handed out
	last   int64  // time of the last event
	begun  bool   // whether any event has been applied
	paused bool
}

// terms are the constants of a game.
type terms struct {
	controls []Control
	lag      bool
	grace    int64 // 0: none
}

// New returns the clocks of a game before its first event, with no seat awaited. Each seat has its own control, at
// most [MaxSeats]; with lag, network delay is credited within a quota. The controls are not copied.
func New(controls []Control, lag bool) State {
	s := State{terms: &terms{controls: controls, lag: lag}, seats: make([]seat, len(controls))}
	for i, c := range controls {
		s.seats[i].Left, s.seats[i].Periods = c.start()
		if lag {
			s.seats[i].Quota = quotaMax
		}
	}
	return s
}

// WithGrace returns the same clocks with a second deadline for each seat's own first turn, ms milliseconds after its
// start, pauses not counted; 0 for none.
func (s State) WithGrace(ms int64) State {
	t := terms{grace: ms}
	if s.terms != nil {
		t.controls, t.lag = s.terms.controls, s.terms.lag
	}
	s.terms = &t
	return s
}

// Grace returns the grace for first turns set by WithGrace, in milliseconds.
func (s State) Grace() int64 {
	if s.terms == nil {
		return 0
	}
	return s.terms.grace
}

// Paused reports whether all clocks are stopped.
func (s State) Paused() bool { return s.paused }

// LastAt returns the time of the last event, in milliseconds; 0 before the first.
func (s State) LastAt() int64 { return s.last }

// Seats returns the number of clocks.
func (s State) Seats() int { return len(s.seats) }

// Control returns the time control of a seat; "none" for a seat that does not exist.
func (s State) Control(seat int8) Control {
	if s.at(seat) == nil {
		return Control{}
	}
	return s.terms.controls[seat-1]
}

// Advance moves time on to at, if that lies ahead, and records every flag with a deadline before it, by deadline and
// then by seat. Those seats are out afterwards; the other awaited seats stay the same. A game with rules for that uses
// [State.Next] and [State.Fall] instead.
func (s State) Advance(at int64) (State, []Flag) {
	if s.begun && at <= s.last {
		return s, nil
	}
	s.last, s.begun = at, true
	flags := s.due(at)
	if flags != nil {
		s.seats = slices.Clone(s.seats)
		for _, f := range flags {
			s.at(f.Seat).drop(flagged)
		}
	}
	return s, flags
}

// Apply moves time on to the event's and carries it out. Refusals wrap ErrOrder, ErrPaused, ErrFlagged, ErrTurn or
// ErrState, the first that applies; all but ErrOrder leave the clocks at the event's time, with the flags on the way
// recorded, and nothing else done.
func (s State) Apply(ev Event) (State, []Flag, error) {
	if s.begun && ev.At < s.last {
		return s, nil, fmt.Errorf("%w: time %d lies before %d, the time of the event before", ErrOrder, ev.At, s.last)
	}
	next, flags := s.Advance(ev.At)
	if err := next.check(&ev); err != nil {
		return next, flags, err
	}
	if ev.Kind == Look && !ev.HasAwait {
		return next, flags, nil
	}
	next.seats = slices.Clone(next.seats)
	next.carryOut(&ev)
	if ev.HasAwait {
		next.await(ev.Await)
	}
	return next, flags, nil
}

// carryOut applies the event according to its kind, to a receiver that owns its seats.
func (s *State) carryOut(ev *Event) {
	switch ev.Kind {
	case Moved:
		s.ply(ev.Seat, ev.Elapsed)
	case Paused:
		s.pause()
	case Resumed:
		s.paused = false
		for i := range s.seats {
			s.seats[i].Since = s.last
		}
	case Berserk:
		s.berserk(ev.Seat)
	case Set:
		s.set(ev.Seat, ev.Remaining, ev.Periods)
	case Add:
		s.set(ev.Seat, max(0, plus(s.Seat(ev.Seat, s.last).Remaining, ev.Remaining)), nil)
	}
}

// Next returns the flag that falls next if nothing happens: the earliest deadline, of the lowest seat; none in a pause,
// or while no seat with a clock is awaited.
func (s State) Next() (Flag, bool) {
	next, found := Flag{}, false
	for i := range s.seats {
		if !s.seats[i].Running {
			continue // true of most seats: skip the check
		}
		if f, ok := s.deadline(int8(i + 1)); ok && (!found || f.At < next.At) {
			next, found = f, true
		}
	}
	return next, found
}

// Earliest returns a time before which no flag falls, whatever plies are made, as long as no seat's turn begins before
// at and no arbiter changes a clock or takes plies back; false if no seat can lose on time.
func (s State) Earliest(at int64) (int64, bool) {
	paused := s.paused
	s.paused, s.seats = false, slices.Clone(s.seats)
	for i := range s.seats {
		switch c := &s.seats[i]; {
		case c.Fate != playing:
		case !c.Running:
			c.begin(max(at, s.last))
		case paused:
			c.Since = max(at, s.last)
		}
	}
	next, ok := s.Next()
	for i := range s.seats {
		c := &s.seats[i]
		if stages := s.terms.controls[i].stages; c.Fate == playing && len(stages) > 0 {
			next.At = min(next.At, plus(plus(c.Since, -c.Used), c.minAllowance(stages)))
		}
	}
	return next.At, ok
}

// minAllowance returns the shortest time of this turn and those of plies to come: another stage may have no delay, and
// time that was added by hand lasts for a single turn of a correspondence game.
func (c *seat) minAllowance(stages []stage) int64 {
	left, periods, least := c.Left, c.Periods, int64(math.MaxInt64)
	for i := c.Stage; i < len(stages); i++ {
		st := c.of(&stages[i])
		if i > c.Stage {
			left, periods = plus(left, st.base), st.periods
		}
		if st.rule == correspondence {
			left = min(left, st.base)
		}
		least = min(least, st.allowance(left, periods))
	}
	return least
}

// due returns the flags with a deadline before at.
func (s *State) due(at int64) (flags []Flag) {
	for i := range s.seats {
		if !s.seats[i].Running {
			continue
		}
		if f, ok := s.deadline(int8(i + 1)); ok && f.At < at {
			flags = append(flags, f)
		}
	}
	if len(flags) > 1 {
		slices.SortStableFunc(flags, func(a, b Flag) int { return cmp.Compare(a.At, b.At) })
	}
	return flags
}

// at returns a seat by its number; nil for a seat that does not exist.
func (s *State) at(seat int8) *seat {
	if seat < 1 || int(seat) > len(s.seats) {
		return nil
	}
	return &s.seats[seat-1]
}

// stage returns the stage that a seat plays; nil without a clock.
func (s *State) stage(seat int8) *stage {
	stages := s.terms.controls[seat-1].stages
	if len(stages) == 0 {
		return nil
	}
	c := &s.seats[seat-1]
	return c.of(&stages[c.Stage])
}

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
