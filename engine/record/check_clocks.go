package record

import (
	"fmt"

	"quatuor/engine"
	"quatuor/engine/clock"
)

// clockwork follows the clocks of a game through its record. Clocks are determined by the time controls and by the
// times of events, so a record that has both can be compared with them.
type clockwork struct {
	state clock.State
	last  int64 // time of the latest entry
	// after holds the clocks at the start and after each event of the match; paused is the number of pauses in
	// force.
	after  []clock.State
	paused int
}

// startClocks returns the clocks at the start of a game; nil where the record does not have enough to follow them.
func (c *checker) startClocks() *clockwork {
	r := c.r
	seats := c.Match.Setup().Seats
	if len(r.Controls) > 1 && len(r.Controls) != seats {
		c.tag(tagTimeControl, "%d time controls for %d seats", len(r.Controls), seats)
		return nil
	}
	if len(r.Controls) == 0 || r.Start == 0 {
		return nil
	}
	controls := make([]clock.Control, seats)
	for i := range controls {
		control, err := clock.Parse(r.Controls[i%len(r.Controls)])
		if err != nil {
			c.tag(tagTimeControl, "%v", err)
			return nil
		}
		controls[i] = control
	}
	for i, e := range r.Entries {
		if e.At == 0 {
			c.note("the clocks were not checked: line %d of the moves does not say when it happened", i+1)
			return nil
		}
	}
	state, _, err := clock.New(controls, r.Lag).Apply(clock.Event{
		At: r.Start, Kind: clock.Awaited, Await: awaited(c.Match.Pending()), HasAwait: true,
	})
	if err != nil {
		c.tag(tagStart, "%v", err)
		return nil
	}
	return &clockwork{state: state, last: r.Start, after: []clock.State{state}}
}

func awaited(p engine.Pending) []int8 {
	seats := make([]int8, len(p.Awaited))
	for i, s := range p.Awaited {
		seats[i] = int8(s)
	}
	return seats
}

// follow moves the clocks past an entry, from the seats awaited before it to those awaited after it. It returns the
// disagreement, or "".
func (w *clockwork) follow(e Entry, before, after *engine.Match) string {
	began, what := e.At, "came"
	if e.Kind == Outage {
		began, what = e.At-e.Length, "began"
	}
	if began < w.last {
		return fmt.Sprintf("it %s at %s, before what stands above it (%s)", what, moment(began), moment(w.last))
	}
	w.last = e.At
	flag, falls := w.state.Next()
	if e.Kind == Left && e.Text == string(engine.ReasonTime) {
		if !falls || flag.Seat != int8(e.Seat) || flag.At != e.At {
			return "its flag did not fall then; " + nextFlag(flag, falls)
		}
		w.state = w.state.Fall(int8(e.Seat), awaited(after.Pending()))
		w.after = append(w.after, w.state)
		return ""
	}
	if falls && flag.At < began {
		return "time was up before that; " + nextFlag(flag, falls)
	}
	if e.Kind == Takeback {
		w.state = w.state.Takeback(e.At, w.after[after.Len()])
		w.after = append(w.after[:after.Len()], w.state)
		return ""
	}
	why := w.carryOut(e, before.Pending(), after.Pending())
	if e.ofTheGame() {
		w.after = append(w.after, w.state)
	}
	return why
}

func nextFlag(flag clock.Flag, falls bool) string {
	if !falls {
		return "no clock was running"
	}
	return fmt.Sprintf("the flag of seat %d fell at %s", flag.Seat, moment(flag.At))
}

func (w *clockwork) carryOut(e Entry, before, after engine.Pending) string {
	switch e.Kind {
	case Move:
		return w.move(e, before, after)
	case Left:
		w.state = w.state.Leave(e.At, int8(e.Seat), awaited(after))
	case Agreement, Abort, Adjudication:
		w.state = w.state.Stop(e.At)
	case Pause:
		if w.paused++; w.paused == 1 {
			return w.apply(clock.Event{At: e.At, Kind: clock.Paused})
		}
	case Resume:
		if w.paused--; w.paused == 0 {
			return w.apply(clock.Event{At: e.At, Kind: clock.Resumed})
		}
	case Berserk:
		return w.apply(clock.Event{At: e.At, Kind: clock.Berserk, Seat: int8(e.Seat)})
	case Set, Add:
		return w.change(e)
	case Outage:
		if why := w.apply(clock.Event{At: e.At - e.Length, Kind: clock.Paused}); why != "" {
			return why
		}
		return w.apply(clock.Event{At: e.At, Kind: clock.Resumed})
	}
	return ""
}

// change sets a clock, or adds to it.
func (w *clockwork) change(e Entry) string {
	ms, periods, err := parseClock(e.Text)
	if err != nil {
		return err.Error()
	}
	kind := clock.Set
	if e.Kind == Add {
		kind = clock.Add
	}
	return w.apply(clock.Event{At: e.At, Kind: kind, Seat: int8(e.Seat), Remaining: ms, Periods: periods})
}

func (w *clockwork) apply(e clock.Event) string {
	next, _, err := w.state.Apply(e)
	w.state = next
	if err != nil {
		return err.Error()
	}
	return ""
}

// move charges a move and compares its duration, and the time left, with the record's claims.
func (w *clockwork) move(e Entry, before, after engine.Pending) string {
	seat := int8(e.Seat)
	if seat == 0 {
		seat = int8(before.Awaited[0])
	}
	used := w.state.Seat(seat, e.At).Used
	why := w.apply(clock.Event{
		At: e.At, Kind: clock.Moved, Seat: seat, Elapsed: e.Claimed, Await: awaited(after), HasAwait: true,
	})
	if why != "" {
		return why
	}
	left := w.state.Seat(seat, e.At)
	switch {
	case e.Elapsed != nil && *e.Elapsed != used:
		return fmt.Sprintf("it took %s, not %s", duration(used), duration(*e.Elapsed))
	case e.Remaining == nil:
	case left.None:
		return fmt.Sprintf("seat %d plays without a clock, so none can show %s", seat, duration(*e.Remaining))
	case *e.Remaining != left.Remaining:
		return fmt.Sprintf("it leaves seat %d with %s on the clock, not %s", seat, duration(left.Remaining),
			duration(*e.Remaining))
	}
	return ""
}
