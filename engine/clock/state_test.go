package clock

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// game starts clocks for a control per seat, separated by spaces.
func game(t testing.TB, controls string, lag bool) State {
	t.Helper()
	var all []Control
	for _, text := range strings.Fields(controls) {
		all = append(all, mustParse(t, text))
	}
	return New(all, lag)
}

// apply carries out events that must not be refused.
func apply(t rapid.TB, s State, events ...Event) (State, []Flag) {
	t.Helper()
	var all []Flag
	for i, ev := range events {
		next, flags, err := s.Apply(ev)
		if err != nil {
			t.Fatalf("event %d, %+v: %v", i, ev, err)
		}
		s, all = next, append(all, flags...)
	}
	return s, all
}

func await(at int64, seats ...int8) Event {
	return Event{At: at, Kind: Awaited, Await: seats, HasAwait: true}
}

func moved(at int64, seat int8, then ...int8) Event {
	return Event{At: at, Kind: Moved, Seat: seat, Await: then, HasAwait: true}
}

func thought(ev Event, elapsed int64) Event {
	ev.Elapsed = &elapsed
	return ev
}

func do(at int64, kind Kind) Event { return Event{At: at, Kind: kind} }

func set(at int64, seat int8, remaining int64, periods ...int) Event {
	ev := Event{At: at, Kind: Set, Seat: seat, Remaining: remaining}
	if periods != nil {
		ev.Periods = &periods[0]
	}
	return ev
}

func add(at int64, seat int8, ms int64) Event {
	return Event{At: at, Kind: Add, Seat: seat, Remaining: ms}
}

// shown prints what the clocks show at the time of the last event: seat by seat the time left, the periods after a
// "y" and the stage after an "s" unless they are the usual, and at the end the next flag.
func shown(s State) string {
	var parts []string
	for n := int8(1); int(n) <= s.Seats(); n++ {
		r := s.Seat(n, s.LastAt())
		text := fmt.Sprint(r.Remaining)
		switch {
		case r.None:
			text = "none"
		case r.Out:
			text = "out"
		}
		if r.Periods > 0 {
			text += fmt.Sprintf("y%d", r.Periods)
		}
		if r.Stage > 1 {
			text += fmt.Sprintf("s%d", r.Stage)
		}
		parts = append(parts, text)
	}
	if f, ok := s.Next(); ok {
		parts = append(parts, fmt.Sprintf("%d@%d", f.Seat, f.At))
	}
	return strings.Join(parts, " ")
}

func TestWorkedExamples(t *testing.T) {
	tests := []struct {
		name     string
		controls string
		events   []Event
		want     string
	}{
		{"nothing runs before the first turn", "5+1 5", nil, "5000 5000"},
		{"sudden death", "5 5", []Event{await(100, 1), moved(1100, 1, 2), do(1600, Look)}, "4000 4500 2@6100"},
		{"Fischer adds with the move", "5+1 5", []Event{await(0, 1), moved(3000, 1, 2)}, "3000 5000 2@8000"},
		{"Fischer adds nothing before", "5+1 5", []Event{await(0, 1), do(3000, Look)}, "2000 5000 1@5000"},
		{"Fischer from base 0 starts with the increment", "0+2 5", nil, "2000 5000"},
		{"a delay is free", "5d2 5", []Event{await(0, 1), do(2000, Look)}, "5000 5000 1@7000"},
		{"beyond it time runs", "5d2 5", []Event{await(0, 1), moved(3500, 1, 2)}, "3500 5000 2@8500"},
		{"what is left of a delay is lost", "5d2 5", []Event{await(0, 1), moved(500, 1, 1), moved(3500, 1, 2)}, "4000 5000 2@8500"},
		{"Bronstein returns what was used", "5b2 5", []Event{await(0, 1), moved(1500, 1, 2)}, "5000 5000 2@6500"},
		{"up to the bonus", "5b2 5", []Event{await(0, 1), moved(3500, 1, 2)}, "3500 5000 2@8500"},
		{"and runs visibly", "5b2 5", []Event{await(0, 1), do(1500, Look)}, "3500 5000 1@5000"},
		{"byo-yomi: main time first", "5y3x2 5", []Event{await(0, 1), moved(5000, 1, 1)}, "0y3 5000 1@11000"},
		{"a period that is not used up stays", "5y3x2 5", []Event{await(0, 1), moved(7000, 1, 1)}, "0y3 5000 1@13000"},
		{"one that is used up is gone", "5y3x2 5", []Event{await(0, 1), moved(7001, 1, 1)}, "0y2 5000 1@11001"},
		{"the last period counts to its end", "5y3x2 5", []Event{await(0, 1), moved(11000, 1, 2)}, "0y1 5000 2@16000"},
		{"the period running is counted", "5y3x2 5", []Event{await(0, 1), do(9500, Look)}, "0y1 5000 1@11000"},
		{"stages: the next base on top", "2/5+1:3 5", []Event{await(0, 1), moved(1000, 1, 1), moved(3000, 1, 1)}, "7000s2 5000 1@10000"},
		{"a stage's last move has its increment", "1/5+1:3 5", []Event{await(0, 1), moved(0, 1, 2)}, "9000s2 5000 2@5000"},
		{"a stage counts from its own beginning", "1/1:2/1:1 5", []Event{await(0, 1), moved(0, 1, 1), moved(0, 1, 1)}, "2000s2 5000 1@2000"},
		{"unused periods of a stage are lost", "1/5y3x2:3 5", []Event{await(0, 1), moved(0, 1, 2)}, "8000s2 5000 2@5000"},
		{"and the next stage's come", "1/5:3y2x1 5", []Event{await(0, 1), moved(0, 1, 2)}, "8000y2s2 5000 2@5000"},
		{"correspondence starts afresh", "1days 5", []Event{await(0, 1), moved(80_000_000, 1, 1), do(80_000_001, Look)}, "86399999 5000 1@166400000"},
		{"no clock", "none none", []Event{await(0, 1), moved(99_999_999_999, 1, 2)}, "none none"},
		{"several run at once", "5 6 7", []Event{await(0, 1, 2, 3), {At: 1000, Kind: Moved, Seat: 2}, do(2000, Look)}, "3000 5000 5000 1@5000"},
		{"others' plies leave a turn alone", "5 6", []Event{await(0, 1, 2), moved(1000, 2, 2, 1), do(2000, Look)}, "3000 4000 1@5000"},
		{"a withdrawn turn is charged without increment", "5+1 5", []Event{await(0, 1), await(1000, 2)}, "4000 5000 2@6000"},
		{"without bonus", "5b2 5", []Event{await(0, 1), await(1000)}, "4000 5000"},
		{"with its delay", "5d2 5", []Event{await(0, 1), await(3000)}, "4000 5000"},
		{"without new days", "1days 5", []Event{await(0, 1), await(1000)}, "86399000 5000"},
		{"and its period stays whole", "0y3x2 5", []Event{await(0, 1), await(3000), await(4000, 1)}, "0y2 5000 1@8000"},
		{"pause and resume", "5d1 5", []Event{await(0, 1), do(1500, Paused), do(9000, Resumed), do(9500, Look)}, "4000 5000 1@13500"},
		{"a turn that begins in a pause", "5 5", []Event{do(0, Paused), await(100, 1), do(9000, Resumed), do(9500, Look)}, "4500 5000 1@14000"},
		{"a turn withdrawn in a pause", "5 5", []Event{await(0, 1), do(700, Paused), await(9000)}, "4300 5000"},
		{"no deadline in a pause", "5 5", []Event{await(0, 1), do(700, Paused)}, "4300 5000"},
		{"set", "5 5", []Event{await(0, 1), set(700, 1, 9000), do(1000, Look)}, "8700 5000 1@9700"},
		{"set starts the delay afresh", "5d2 5", []Event{await(0, 1), set(1500, 1, 9000), do(3500, Look)}, "9000 5000 1@12500"},
		{"set leaves the periods shown, the running one whole", "0y3x2 5", []Event{await(0, 1), set(3000, 1, 0), do(5000, Look)}, "0y2 5000 1@7000"},
		{"set with periods", "0y3x2 5", []Event{await(0, 1), set(3000, 1, 500, 7)}, "500y7 5000 1@17500"},
		{"set without any period", "0y3x2 5", []Event{await(0, 1), set(3000, 1, 500, 0)}, "500 5000 1@3500"},
		{"set before the first turn", "5 5", []Event{set(0, 2, 1), await(10, 2)}, "5000 1 2@11"},
		{"set in a pause", "5d1 5", []Event{await(0, 1), do(2000, Paused), set(3000, 1, 800), do(4000, Resumed)}, "800 5000 1@5800"},
		{"days hold what was set until the next move", "1days 5", []Event{await(0, 1), set(10, 1, 500), moved(100, 1, 2)}, "86400000 5000 2@5100"},
		{"add to a running turn", "5b2 5", []Event{await(0, 1), add(1000, 1, 500), moved(1500, 1, 2)}, "4500 5000 2@6500"},
		{"take away, but not below 0", "5 5", []Event{await(0, 1), add(1000, 1, -4500)}, "0 5000 1@1000"},
		{"add within byo-yomi", "0y3x2 5", []Event{await(0, 1), add(3000, 1, 500)}, "500y2 5000 1@7500"},
		{"add to a seat at rest", "5 5", []Event{await(0, 1), add(1000, 2, 500)}, "4000 5500 1@5000"},
		{"handicap", "5+1 9d1", []Event{await(0, 1), moved(1000, 1, 2), moved(4000, 2, 1)}, "5000 7000 1@9000"},
		{"a time before the first event counts from there", "5 5", []Event{await(-700, 1), do(-200, Look)}, "4500 5000 1@4300"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, flags := apply(t, game(t, tt.controls, false), tt.events...)
			if got := shown(s); got != tt.want || flags != nil {
				t.Errorf("got %q and flags %v, want %q and none", got, flags, tt.want)
			}
		})
	}
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name     string
		controls string
		events   []Event
		flags    []Flag
		want     string
	}{
		{"at the deadline is in time", "5 5", []Event{await(0, 1), moved(5000, 1, 2)}, nil, "0 5000 2@10000"},
		{"a millisecond later is not", "5 5", []Event{await(0, 1), do(5001, Look)}, []Flag{{Seat: 1, At: 5000}}, "out 5000"},
		{"a delay postpones it", "5d2 5", []Event{await(0, 1), do(7001, Look)}, []Flag{{Seat: 1, At: 7000}}, "out 5000"},
		{"periods postpone it", "5y2x3 5", []Event{await(0, 1), do(11001, Look)}, []Flag{{Seat: 1, At: 11000}}, "out 5000"},
		{"days", "1days 5", []Event{await(0, 1), do(86_400_001, Look)}, []Flag{{Seat: 1, At: 86_400_000}}, "out 5000"},
		{
			"by deadline, then seat", "3 5 2 3",
			[]Event{await(0, 1, 2, 3, 4), do(4000, Look)},
			[]Flag{{Seat: 3, At: 2000}, {Seat: 1, At: 3000}, {Seat: 4, At: 3000}},
			"out 1000 out out 2@5000",
		},
		{
			"a flag ends no other turn and begins none", "3 5",
			[]Event{await(0, 1, 2), do(4000, Look)},
			[]Flag{{Seat: 1, At: 3000}},
			"out 1000 2@5000",
		},
		{"out stays out", "3 5", []Event{await(0, 1), await(4000, 1, 2)}, []Flag{{Seat: 1, At: 3000}}, "out 5000 2@9000"},
		{"nothing falls in a pause", "3 5", []Event{await(0, 1), do(3000, Paused), do(99999, Look)}, nil, "0 5000"},
		{"but before it", "3 5", []Event{await(0, 1), do(3001, Paused)}, []Flag{{Seat: 1, At: 3000}}, "out 5000"},
		{"set to 0 falls at once", "3 5", []Event{await(0, 1), set(100, 1, 0), do(101, Look)}, []Flag{{Seat: 1, At: 100}}, "out 5000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, flags := apply(t, game(t, tt.controls, false), tt.events...)
			if got := shown(s); got != tt.want || !slices.Equal(flags, tt.flags) {
				t.Errorf("got %q and flags %v, want %q and %v", got, flags, tt.want, tt.flags)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	minus := -1
	tests := []struct {
		name     string
		controls string
		before   []Event
		event    Event
		want     error
	}{
		{"time runs back", "5 5", []Event{await(100, 1)}, do(99, Look), ErrOrder},
		{"time runs back, whatever else", "5 5", []Event{await(100, 1)}, moved(99, 9), ErrOrder},
		{"a ply in a pause", "5 5", []Event{await(0, 1), do(1, Paused)}, moved(2, 1), ErrPaused},
		{"a ply in a pause, by any seat", "5 5", []Event{await(0, 1), do(1, Paused)}, moved(2, 7), ErrPaused},
		{"too late", "5 5", []Event{await(0, 1)}, moved(5001, 1), ErrFlagged},
		{"too late, though awaited", "5 5", []Event{await(0, 1), await(6000, 1)}, moved(6000, 1), ErrFlagged},
		{"not its turn", "5 5", []Event{await(0, 1)}, moved(1, 2), ErrTurn},
		{"no such seat", "5 5", []Event{await(0, 1)}, moved(1, 3), ErrTurn},
		{"seat 0", "5 5", []Event{await(0, 1)}, moved(1, 0), ErrTurn},
		{"turn before state", "5 5", []Event{await(0, 1)}, moved(1, 2, 9), ErrTurn},
		{"awaiting an unknown seat", "5 5", []Event{await(0, 1)}, moved(1, 1, 2, 3), ErrState},
		{"awaiting seat 0", "5 5", nil, await(0, 0), ErrState},
		{"a list that is missing", "5 5", nil, do(0, Awaited), ErrState},
		{"resume without pause", "5 5", []Event{await(0, 1)}, do(1, Resumed), ErrState},
		{"pause in a pause", "5 5", []Event{do(0, Paused)}, do(1, Paused), ErrState},
		{"set for no seat", "5 5", nil, set(0, 3, 1), ErrState},
		{"set for who is out", "5 5", []Event{await(0, 1), do(6000, Look)}, set(6000, 1, 1), ErrState},
		{"set without a clock", "none 5", nil, set(0, 1, 1), ErrState},
		{"set below 0", "5 5", nil, set(0, 1, -1), ErrState},
		{"set periods without byo-yomi", "5 5", nil, set(0, 1, 1, 0), ErrState},
		{"set periods of another stage", "1/5:0y1x1 5", nil, set(0, 1, 1, 1), ErrState},
		{"set periods below 0", "5y1x1 5", nil, Event{Kind: Set, Seat: 1, Periods: &minus}, ErrState},
		{"add for no seat", "5 5", nil, add(0, 0, 1), ErrState},
		{"add for who is out", "5 5", []Event{await(0, 1), do(6000, Look)}, add(6000, 1, 1), ErrState},
		{"add without a clock", "5 none", nil, add(0, 2, 1), ErrState},
		{"no such kind", "5 5", nil, do(0, Add+1), ErrState},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := apply(t, game(t, tt.controls, false), tt.before...)
			after, _, err := before.Apply(tt.event)
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			want := before
			if !errors.Is(err, ErrOrder) {
				want, _ = before.Advance(tt.event.At)
			}
			if encoded(t, after) != encoded(t, want) {
				t.Errorf("the refused event left %s, want %s", encoded(t, after), encoded(t, want))
			}
		})
	}
}

func TestRefusedEventStillLetsFlagsFall(t *testing.T) {
	s, _ := apply(t, game(t, "5 9", false), await(0, 1, 2))
	s, flags, err := s.Apply(do(6000, Resumed))
	if !errors.Is(err, ErrState) || !slices.Equal(flags, []Flag{{Seat: 1, At: 5000}}) || s.LastAt() != 6000 {
		t.Errorf("got %v, flags %v at %d", err, flags, s.LastAt())
	}
}

func TestLag(t *testing.T) {
	s, _ := apply(t, game(t, "10+1 10 none", true), await(0, 1))
	steps := []struct {
		event     Event
		remaining int64
		quota     int64
		mover     int8
		because   string
		credit    int64
	}{
		{thought(moved(1000, 1, 1), 800), 10200, 900, 1, "200 credited, 100 regained", 200},
		{thought(moved(2000, 1, 1), 0), 10700, 500, 1, "at most 500 a ply", 500},
		{thought(moved(3000, 1, 1), -70), 11200, 100, 1, "below 0 counts as 0", 500},
		{thought(moved(4000, 1, 1), 0), 11300, 100, 1, "no more than the quota", 100},
		{moved(4000, 1, 1), 12300, 200, 1, "nothing without elapsed", 0},
		{thought(moved(5000, 1, 1), 1700), 12300, 300, 1, "never below 0", 0},
		{thought(moved(5250, 1, 2), 200), 13100, 350, 1, "from what was really used", 50},
		{thought(moved(6250, 2, 3), 900), 9100, 1000, 2, "each seat has its own quota, at most 1000", 100},
		{thought(moved(7250, 3, 1), 500), 0, 600, 3, "a seat without a clock has one too", 500},
	}
	for _, step := range steps {
		if got := s.Credit(step.mover, step.event.At, step.event.Elapsed); got != step.credit {
			t.Errorf("%s: credit %d, want %d", step.because, got, step.credit)
		}
		s, _ = apply(t, s, step.event)
		if r := s.Seat(step.mover, s.LastAt()); r.Remaining != step.remaining || r.Quota != step.quota {
			t.Errorf("%s: %d ms and quota %d left, want %d and %d", step.because, r.Remaining, r.Quota, step.remaining,
				step.quota)
		}
	}
}

func TestLagNeverSavesAndPausesDoNotCount(t *testing.T) {
	s, _ := apply(t, game(t, "1 10", true), await(0, 1))
	if _, _, err := s.Apply(thought(moved(1001, 1, 2), 0)); !errors.Is(err, ErrFlagged) {
		t.Errorf("a credit saved from the flag: %v", err)
	}
	s, _ = apply(t, s, do(300, Paused), do(9000, Resumed), thought(moved(9100, 1, 2), 350))
	if r := s.Seat(1, 9100); r.Remaining != 650 || r.Quota != 1000 {
		t.Errorf("%d ms, quota %d; want 650 and 1000: 400 used, of which 350 were thought", r.Remaining, r.Quota)
	}
	s, _ = apply(t, s, set(9200, 2, 5000), thought(moved(9300, 2), 90))
	if r := s.Seat(2, 9300); r.Remaining != 4910 {
		t.Errorf("%d ms left, want 4910: only what was used since the set counts", r.Remaining)
	}
	if got := game(t, "1", false).Credit(1, 0, new(int64)); got != 0 {
		t.Errorf("credit %d without lag", got)
	}
}

// TestBerserk halves what is left, and what later plies bring.
func TestBerserk(t *testing.T) {
	for _, control := range []string{"60", "60+5", "60d5", "60b5", "40/60:30+5"} {
		c, err := Parse(control)
		if err != nil {
			t.Fatal(err)
		}
		s := New([]Control{c, c}, false)
		s, _, _ = s.Apply(Event{At: 0, Kind: Awaited, Await: []int8{1}, HasAwait: true})
		s, _, err = s.Apply(Event{At: 10_000, Kind: Berserk, Seat: 1})
		if err != nil {
			t.Fatal(control, err)
		}
		s, _, err = s.Apply(Event{At: 15_000, Kind: Moved, Seat: 1, Await: []int8{2}, HasAwait: true})
		if got := s.Seat(1, 15_000).Remaining; err != nil || got != 20_000 && control != "60d5" || control == "60d5" && got > 22_500 {
			t.Errorf("%s: %d ms left, %v", control, got, err)
		}
		if _, _, err := s.Apply(Event{At: 16_000, Kind: Berserk, Seat: 1}); !errors.Is(err, ErrState) {
			t.Errorf("%s: after a ply: %v", control, err)
		}
		text, _ := s.MarshalJSON()
		var back State
		if err := back.UnmarshalJSON(text); err != nil || !slices.Equal(back.seats, s.seats) {
			t.Errorf("%s: %s, %v", control, text, err)
		}
	}
	c, _ := Parse("2days")
	s := New([]Control{c}, false)
	if _, _, err := s.Apply(Event{Kind: Berserk, Seat: 1}); !errors.Is(err, ErrState) {
		t.Errorf("days a move: %v", err)
	}
}

// TestShift has a clock show at a later time what it showed before, running, paused and between turns.
func TestShift(t *testing.T) {
	control, err := Parse("300+3")
	if err != nil {
		t.Fatal(err)
	}
	const week = 7 * 24 * 3600 * 1000
	s := New([]Control{control, control}, false)
	for _, ev := range []Event{
		{At: 10 * week, Await: []int8{1}, HasAwait: true, Kind: Awaited},
		{At: 10*week + 4000, Kind: Moved, Seat: 1, Await: []int8{2}, HasAwait: true},
		{At: 10*week + 9000, Kind: Paused},
		{At: 10*week + 60000, Kind: Resumed},
	} {
		if s, _, err = s.Apply(ev); err != nil {
			t.Fatal(err)
		}
		for _, by := range []int64{-week, 0, week} {
			moved, at := s.Shift(by), ev.At+2500
			for seat := range int8(2) {
				got, want := moved.Seat(seat+1, at+by), s.Seat(seat+1, at)
				if want.HasDeadline {
					want.Deadline += by
				}
				if got != want {
					t.Errorf("after %+v, by %d: seat %d shows %+v, want %+v", ev, by, seat+1, got, want)
				}
			}
			before, armed := s.Next()
			after, stillArmed := moved.Next()
			if armed != stillArmed || armed && after.At-by != before.At {
				t.Errorf("after %+v, by %d: the next flag is %+v, before %+v", ev, by, after, before)
			}
		}
	}
}
