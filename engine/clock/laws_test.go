package clock

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// drawState draws a game that has been going on for some events.
func drawState(t *rapid.T) State {
	controls, lag := drawGame(t)
	s := New(controls, lag)
	if rapid.Bool().Draw(t, "with grace") {
		s = s.WithGrace(rapid.Int64Range(1, 40).Draw(t, "grace"))
	}
	for range rapid.IntRange(0, 15).Draw(t, "events") {
		s, _, _ = s.Apply(drawEvent(t, s))
	}
	return s
}

// bounty is the most that a ply may add to what its seat has left.
func bounty(s State, seat int8, credit int64) int64 {
	stages := s.Control(seat).stages
	if stages == nil {
		return 0
	}
	at := s.Seat(seat, s.LastAt()).Stage - 1
	most := credit
	switch stages[at].rule {
	case fischer, bronstein, delay: // a credit may be taken from what the delay had covered already
		most += stages[at].extra
	case correspondence:
		most += stages[at].base
	case plain, byoyomi:
	}
	if at+1 < len(stages) {
		most += stages[at+1].base
	}
	return most
}

// TestNoTimeFromNowhere: what a seat has left grows only with its own ply, by no more than its control allows, and by
// the arbiter; it never gets below 0; and a seat at 0 while the clock runs has no deadline in the past.
func TestNoTimeFromNowhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		ev := drawEvent(t, s)
		credit := int64(0)
		if ev.Kind == Moved {
			credit = s.Credit(ev.Seat, ev.At, ev.Elapsed)
		}
		next, _, _ := s.Apply(ev)
		for n := int8(1); int(n) <= s.Seats(); n++ {
			before, after := s.Seat(n, s.LastAt()), next.Seat(n, next.LastAt())
			if after.Remaining < 0 || after.Periods < 0 || after.HasDeadline && after.Deadline < next.LastAt() {
				t.Fatalf("seat %d, %+v: %+v", n, ev, after)
			}
			if n == ev.Seat && (ev.Kind == Set || ev.Kind == Add) {
				continue
			}
			may := before.Remaining
			if after.Moves > before.Moves {
				may += bounty(s, n, credit)
			} else if after.Periods > before.Periods {
				t.Fatalf("seat %d, %+v: periods grew from %+v to %+v", n, ev, before, after)
			}
			if after.Remaining > may {
				t.Fatalf("seat %d, %+v: %d became %d, more than %d", n, ev, before.Remaining, after.Remaining, may)
			}
		}
	})
}

// TestNoFlagBeforeTheEarliest plays on for a while: whatever happens, but for what an arbiter does, no flag falls, and
// none is about to, before the time that was foretold.
func TestNoFlagBeforeTheEarliest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		at := s.LastAt() + rapid.Int64Range(0, 20).Draw(t, "later")
		earliest, known := s.Earliest(at)
		for {
			if next, ok := s.Next(); ok && (!known || next.At < earliest) && !s.Paused() {
				t.Fatalf("a flag at %d, before %d (%v)", next.At, earliest, known)
			}
			if rapid.IntRange(0, 9).Draw(t, "end") == 0 {
				return
			}
			ev := drawEvent(t, s)
			if ev.Kind == Set || ev.Kind == Add {
				continue
			}
			ev.At = max(ev.At, at)
			var flags []Flag
			s, flags, _ = s.Apply(ev)
			for _, f := range flags {
				if !known || f.At < earliest {
					t.Fatalf("a flag fell at %d, before %d (%v)", f.At, earliest, known)
				}
			}
		}
	})
}

// TestEarliestCountsPliesToCome: time that an arbiter has added lasts for a single turn of a correspondence game, and a
// delay until its stage ends.
func TestEarliestCountsPliesToCome(t *testing.T) {
	for control, want := range map[string]int64{"1days": 86_400_000, "1/60d30:0+1": 61_000, "60d30": 91_000} {
		c, err := Parse(control)
		if err != nil {
			t.Fatal(err)
		}
		s := New([]Control{c, c}, false)
		s, _, _ = s.Apply(Event{At: 0, Kind: Awaited, HasAwait: true, Await: []int8{1}})
		s, _, err = s.Apply(Event{At: 0, Kind: Add, Seat: 1, Remaining: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if earliest, ok := s.Earliest(0); !ok || earliest > want {
			t.Errorf("%s: no flag before %d (%v), but one may fall at %d", control, earliest, ok, want)
		}
	}
}

// shift returns an event some milliseconds later.
func shift(ev Event, by int64) Event {
	ev.At += by
	return ev
}

// same compares two states of a game, the second later than the first by some milliseconds.
func same(t *rapid.T, a, b State, by int64) {
	for n := int8(1); int(n) <= a.Seats(); n++ {
		x, y := a.Seat(n, a.LastAt()), b.Seat(n, a.LastAt()+by)
		if x.HasDeadline {
			x.Deadline += by
		}
		if x != y {
			t.Fatalf("seat %d: %+v without and %+v with the pause", n, x, y)
		}
	}
}

// TestPauseIsNeutral: a pause moves all that comes after it by its length and changes nothing else.
func TestPauseIsNeutral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		if s.Paused() {
			s, _, _ = s.Apply(do(s.LastAt(), Resumed))
		}
		length := rapid.Int64Range(0, 1000).Draw(t, "length")
		with, flags := apply(t, s, do(s.LastAt(), Paused), do(s.LastAt()+length, Resumed))
		if flags != nil {
			t.Fatalf("flags fell in the pause: %v", flags)
		}
		without, _ := apply(t, s, do(s.LastAt(), Look))
		for range 5 {
			same(t, without, with, length)
			ev := drawEvent(t, without)
			without, _, _ = without.Apply(ev)
			with, _, _ = with.Apply(shift(ev, length))
		}
	})
}

// TestPauseCanBeSplit: two pauses with nothing between them equal a single pause.
func TestPauseCanBeSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		if s.Paused() {
			s, _, _ = s.Apply(do(s.LastAt(), Resumed))
		}
		from := s.LastAt() + rapid.Int64Range(0, 20).Draw(t, "from")
		middle := from + rapid.Int64Range(0, 500).Draw(t, "middle")
		to := middle + rapid.Int64Range(0, 500).Draw(t, "to")
		whole, _ := apply(t, s, do(from, Paused), do(to, Resumed))
		split, _ := apply(t, s, do(from, Paused), do(middle, Resumed), do(middle, Paused), do(to, Resumed))
		if encoded(t, whole) != encoded(t, split) {
			t.Fatalf("split %s, whole %s", encoded(t, split), encoded(t, whole))
		}
	})
}

// TestLooksChangeNothing: reading the clocks on the way makes no difference to what is read at the end.
func TestLooksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		ev := drawEvent(t, s)
		looked, first, _ := s.Apply(do(rapid.Int64Range(s.LastAt(), ev.At).Draw(t, "look"), Look))
		looked, second, _ := looked.Apply(ev)
		direct, all, _ := s.Apply(ev)
		if encoded(t, looked) != encoded(t, direct) || len(first)+len(second) != len(all) {
			t.Fatalf("%+v: looked %s, direct %s", ev, encoded(t, looked), encoded(t, direct))
		}
	})
}

// TestFallIsAdvanceOneByOne: where flags do not change the awaited seats, both ways end alike.
func TestFallIsAdvanceOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		at := s.LastAt() + rapid.Int64Range(0, 100).Draw(t, "later")
		want, flags := s.Advance(at)
		var fallen []Flag
		for f, ok := s.Next(); ok && f.At < at; f, ok = s.Next() {
			fallen = append(fallen, f)
			var rest []int8
			for n := int8(1); int(n) <= s.Seats(); n++ {
				if n != f.Seat && s.Seat(n, f.At).Running {
					rest = append(rest, n)
				}
			}
			s = s.Fall(f.Seat, rest)
		}
		s, _ = s.Advance(at)
		if encoded(t, s) != encoded(t, want) || len(fallen) != len(flags) {
			t.Fatalf("got %s and %v, want %s and %v", encoded(t, s), fallen, encoded(t, want), flags)
		}
		for i := range flags {
			if fallen[i] != flags[i] {
				t.Fatalf("fell %v, want %v", fallen, flags)
			}
		}
	})
}

// TestJSONKeepsEverything: the state read back is the same to the last field, and goes on in the same way.
func TestJSONKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		var back State
		if err := json.Unmarshal([]byte(encoded(t, s)), &back); err != nil {
			t.Fatal(err)
		}
		if encoded(t, back) != encoded(t, s) || !reflect.DeepEqual(back.seats, s.seats) || back.last != s.last ||
			back.begun != s.begun || back.paused != s.paused || back.terms.lag != s.terms.lag ||
			back.terms.grace != s.terms.grace {
			t.Fatalf("%+v came back as %+v", s, back)
		}
		ev := drawEvent(t, s)
		a, _, _ := s.Apply(ev)
		b, _, _ := back.Apply(ev)
		if encoded(t, a) != encoded(t, b) {
			t.Fatalf("%+v: %s and %s", ev, encoded(t, a), encoded(t, b))
		}
	})
}

// TestStatesAreValues: nothing that is done with a state changes it.
func TestStatesAreValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		before := encoded(t, s)
		later := s.LastAt() + 50
		for range 3 {
			_, _, _ = s.Apply(drawEvent(t, s))
		}
		s.Advance(later)
		s.Fall(1, []int8{1, 2})
		s.Leave(later, 1, []int8{2})
		s.Stop(later)
		s.Takeback(later, s)
		s.WithGrace(7)
		if after := encoded(t, s); after != before {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestJSONOfAFullTable(t *testing.T) {
	s, _ := apply(t, game(t, "1 2 3days none 5+1 6d1 7b1 1/8y1x1:9", true), await(0, 3, 4, 8))
	var back State
	if err := json.Unmarshal([]byte(encoded(t, s)), &back); err != nil || shown(back) != shown(s) {
		t.Errorf("%v: %s came back as %s", err, shown(s), shown(back))
	}
}

func TestJSONRefusesWhatIsNoState(t *testing.T) {
	for _, text := range []string{
		`{"controls":["5"],"seats":[]}`,
		`{"controls":["x"],"seats":[{"left":5}]}`,
		`{"controls":["5"],"seats":[{"left":5,"stage":1}]}`,
		`{"controls":["5"],"seats":[{"left":5,"stage":-1}]}`,
		`{"controls":["none"],"seats":[{"left":5,"stage":1}]}`,
		`{"controls":["1","1","1","1","1","1","1","1","1"],"seats":[{},{},{},{},{},{},{},{},{}]}`,
		`[]`,
		`{"controls":[5],"seats":[{}]}`,
	} {
		var s State
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s was read as %s", text, encoded(t, s))
		}
	}
}

// TestExtremes: amounts of time beyond all measure stop at the ends of what can be counted and do not wrap around.
func TestExtremes(t *testing.T) {
	huge := int64(math.MaxInt64)
	s, flags := apply(t, game(t, "5+1 0y2x1", false), await(1000, 1), set(1000, 1, huge), moved(2000, 1, 2),
		set(2000, 2, huge, math.MaxInt), do(huge-1, Look), add(huge-1, 1, huge), add(huge-1, 1, -huge))
	if flags != nil || s.Seat(1, huge).Remaining != 0 || s.Seat(2, huge).Deadline != huge {
		t.Errorf("flags %v, %+v, %+v", flags, s.Seat(1, huge), s.Seat(2, huge))
	}
	s, flags = apply(t, game(t, "5", false), await(-huge, 1), do(huge, Look))
	if len(flags) != 1 || flags[0].At != 5000-huge || !s.Seat(1, huge).Out {
		t.Errorf("flags %v", flags)
	}
}
