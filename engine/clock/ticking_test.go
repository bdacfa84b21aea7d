package clock

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The model is a second clock, slow and simple: it lets time pass millisecond by millisecond and spends each by the
// time control, so that no formula of the package is used.
type model struct {
	seats  []modelSeat
	now    int64
	paused bool
	lag    bool
}

type modelSeat struct {
	control        Control
	left           int
	periods        int
	stage, inStage int
	plies          int
	quota          int
	awaited        bool
	out            bool
	e              int // milliseconds of the turn so far
}

func newModel(controls []Control, lag bool) *model {
	m := &model{lag: lag}
	for _, c := range controls {
		s := modelSeat{control: c, quota: 1000}
		if !c.None() {
			first := c.stages[0]
			s.left, s.periods = int(first.base), first.periods
			if s.left == 0 && first.rule == fischer {
				s.left = int(first.extra)
			}
		}
		m.seats = append(m.seats, s)
	}
	return m
}

// spend lets a turn pass, millisecond by millisecond; ok is false if the time ran out before e milliseconds.
func (s *modelSeat) spend(e int) (left, periods int, ok bool) {
	if s.control.None() {
		return 0, 0, true
	}
	st := s.control.stages[s.stage]
	left, periods = s.left, s.periods
	free, inPeriod := 0, 0
	if st.rule == delay {
		free = int(st.extra)
	}
	for range e {
		switch {
		case free > 0:
			free--
		case left > 0:
			left--
		case st.rule == byoyomi && periods > 0 && inPeriod < int(st.extra):
			inPeriod++
		case st.rule == byoyomi && periods > 1:
			periods--
			inPeriod = 1
		default:
			return 0, 0, false
		}
	}
	return left, periods, true
}

// to lets time pass and returns the flags that fell before at.
func (m *model) to(at int64) (flags []Flag) {
	for ; m.now < at; m.now++ {
		if m.paused {
			continue
		}
		for i := range m.seats {
			s := &m.seats[i]
			if !s.awaited {
				continue
			}
			if _, _, ok := s.spend(s.e + 1); !ok {
				s.awaited, s.out = false, true
				s.left, s.periods = 0, 0
				flags = append(flags, Flag{Seat: int8(i + 1), At: m.now})
				continue
			}
			s.e++
		}
	}
	return flags
}

// apply judges and carries out an event at the present time.
func (m *model) apply(ev Event) error {
	if err := m.judge(ev); err != nil {
		return err
	}
	switch ev.Kind {
	case Moved:
		m.seats[ev.Seat-1].move(m.lag, ev.Elapsed)
	case Paused, Resumed:
		m.paused = ev.Kind == Paused
	case Set, Add:
		m.seats[ev.Seat-1].change(ev)
	}
	if ev.HasAwait {
		for i := range m.seats {
			m.seats[i].await(slices.Contains(ev.Await, int8(i+1)))
		}
	}
	return nil
}

func (m *model) judge(ev Event) error {
	known := ev.Seat >= 1 && int(ev.Seat) <= len(m.seats)
	var s modelSeat
	if known {
		s = m.seats[ev.Seat-1]
	}
	if ev.Kind == Moved {
		if m.paused {
			return ErrPaused
		}
		if s.out {
			return ErrFlagged
		}
		if !s.awaited {
			return ErrTurn
		}
	}
	for _, n := range ev.Await {
		if n < 1 || int(n) > len(m.seats) {
			return ErrState
		}
	}
	bad := false
	switch ev.Kind {
	case Awaited:
		bad = !ev.HasAwait
	case Paused:
		bad = m.paused
	case Resumed:
		bad = !m.paused
	case Add:
		bad = !known || s.out || s.control.None()
	case Set:
		bad = !known || s.out || s.control.None() || ev.Remaining < 0
		if !bad && ev.Periods != nil {
			bad = *ev.Periods < 0 || s.control.stages[s.stage].rule != byoyomi
		}
	}
	if bad {
		return ErrState
	}
	return nil
}

func (s *modelSeat) move(lag bool, elapsed *int64) {
	e := s.e
	if lag {
		credit := 0
		if elapsed != nil {
			credit = max(min(e-int(max(*elapsed, 0)), 500, s.quota), 0)
		}
		e -= credit
		s.quota = min(s.quota-credit+100, 1000)
	}
	s.left, s.periods, _ = s.spend(e)
	s.awaited, s.e = false, 0
	s.plies++
	s.inStage++
	if s.control.None() {
		return
	}
	switch st := s.control.stages[s.stage]; st.rule {
	case fischer:
		s.left += int(st.extra)
	case bronstein:
		s.left += min(e, int(st.extra))
	case correspondence:
		s.left = int(st.base)
	}
	if s.stage < len(s.control.stages)-1 && s.inStage == s.control.stages[s.stage].moves {
		s.stage++
		s.inStage = 0
		s.left += int(s.control.stages[s.stage].base)
		s.periods = s.control.stages[s.stage].periods
	}
}

func (s *modelSeat) change(ev Event) {
	s.left, s.periods, _ = s.spend(s.e)
	s.e = 0
	if ev.Kind == Add {
		s.left = max(s.left+int(ev.Remaining), 0)
		return
	}
	s.left = int(ev.Remaining)
	if ev.Periods != nil {
		s.periods = *ev.Periods
	}
}

func (s *modelSeat) await(named bool) {
	switch {
	case s.out || s.awaited == named:
	case named:
		s.awaited, s.e = true, 0
	default:
		s.left, s.periods, _ = s.spend(s.e)
		s.awaited, s.e = false, 0
	}
}

// drawGame draws clocks with few milliseconds, so that much happens in a short time.
func drawGame(t *rapid.T) ([]Control, bool) {
	controls := make([]Control, rapid.IntRange(1, 4).Draw(t, "seats"))
	for i := range controls {
		c, err := Parse(drawControl(t, 30))
		if err != nil {
			t.Fatal(err)
		}
		controls[i] = c
	}
	return controls, rapid.Bool().Draw(t, "lag")
}

// drawEvent draws an event, mostly a possible event.
func drawEvent(t *rapid.T, s State) Event {
	seats := int8(s.Seats())
	anyone := rapid.Int8Range(1, seats)
	if rapid.IntRange(0, 25).Draw(t, "stray") == 0 {
		anyone = rapid.Int8Range(0, seats+1)
	}
	ev := Event{
		At: s.LastAt() + rapid.Int64Range(0, 25).Draw(t, "wait"),
		Kind: rapid.SampledFrom([]Kind{Moved, Moved, Moved, Moved, Awaited, Awaited, Look, Paused, Resumed, Set, Add}).
			Draw(t, "kind"),
		Seat: anyone.Draw(t, "seat"),
	}
	if f, ok := s.Next(); ok && rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
		ev.At = max(s.LastAt(), min(f.At, s.LastAt()+1000)+rapid.Int64Range(-1, 1).Draw(t, "off"))
	}
	if ev.Kind == Awaited || rapid.IntRange(0, 2).Draw(t, "with list") > 0 {
		ev.HasAwait = true
		ev.Await = rapid.SliceOfN(anyone, 0, int(seats)).Draw(t, "await")
	}
	switch ev.Kind {
	case Moved:
		ev.Elapsed = rapid.Ptr(rapid.Int64Range(-3, 30), true).Draw(t, "elapsed")
	case Set:
		ev.Remaining = rapid.Int64Range(-1, 40).Draw(t, "remaining")
		ev.Periods = rapid.Ptr(rapid.IntRange(-1, 3), true).Draw(t, "periods")
	case Add:
		ev.Remaining = rapid.Int64Range(-20, 20).Draw(t, "ms")
	}
	return ev
}

// compare compares the clocks with the model.
func (m *model) compare(t *rapid.T, s State) {
	for i := range m.seats {
		want := &m.seats[i]
		left, periods, _ := want.spend(want.e)
		got := s.Seat(int8(i+1), s.LastAt())
		quota := int64(0)
		if m.lag {
			quota = int64(want.quota)
		}
		if got.Remaining != int64(left) || got.Periods != periods || got.Stage != want.stage+1 || got.Moves != want.plies ||
			got.Quota != quota || got.Out != want.out || got.Running != (want.awaited && !m.paused) ||
			got.None != want.control.None() || want.awaited && got.Used != int64(want.e) {
			t.Fatalf("seat %d, %v: got %+v, the model has %d left, %+v", i+1, want.control, got, left, *want)
		}
	}
}

// next lets a copy of the model run until something falls, for a second at most.
func (m *model) next() (Flag, bool) {
	future := *m
	future.seats = slices.Clone(m.seats)
	for range 1000 {
		if flags := future.to(future.now + 1); flags != nil {
			return flags[0], true
		}
	}
	return Flag{}, false
}

func TestAgainstTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		controls, lag := drawGame(t)
		s, m := New(controls, lag), newModel(controls, lag)
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			ev := drawEvent(t, s)
			next, flags, err := s.Apply(ev)
			fell := m.to(ev.At)
			if !slices.Equal(flags, fell) {
				t.Fatalf("%+v: flags %v, want %v", ev, flags, fell)
			}
			if want := m.apply(ev); !errors.Is(err, want) {
				t.Fatalf("%+v: %v, want %v", ev, err, want)
			}
			s = next
			m.compare(t, s)
			f, ok := s.Next()
			want, soon := m.next()
			if soon && f != want || !soon && ok && f.At < s.LastAt()+1000 {
				t.Fatalf("%+v: next flag %v, want %v", ev, f, want)
			}
		}
	})
}
