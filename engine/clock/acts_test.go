package clock

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func encoded(t rapid.TB, s State) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFallStartsTurnsAtTheDeadline(t *testing.T) {
	s, _ := apply(t, game(t, "3 4 9+1 5", false), await(0, 1, 2, 4))
	s = s.Fall(1, []int8{2, 3})
	if got, want := shown(s), "out 1000 9000 2000 2@4000"; got != want || s.LastAt() != 3000 {
		t.Fatalf("got %q at %d, want %q at 3000", got, s.LastAt(), want)
	}
	s = s.Fall(2, []int8{3})
	s, _ = apply(t, s, moved(5000, 3, 4))
	if got, want := shown(s), "out out 8000 2000 4@7000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFallOfEqualDeadlinesIsOneByOne(t *testing.T) {
	s, _ := apply(t, game(t, "3 3 3", false), await(0, 1, 2, 3))
	var fallen []int8
	for f, ok := s.Next(); ok && f.At < 4000; f, ok = s.Next() {
		fallen = append(fallen, f.Seat)
		if f.Seat == 2 {
			s = s.Fall(2, nil) // the game ends here: the third never falls
			continue
		}
		s = s.Fall(f.Seat, []int8{2, 3})
	}
	if got, want := shown(s), "out out 0"; got != want || !slices.Equal(fallen, []int8{1, 2}) {
		t.Errorf("%v fell and %q is left, want [1 2] and %q", fallen, got, want)
	}
}

func TestFallWithoutDeadlineChangesNothing(t *testing.T) {
	s, _ := apply(t, game(t, "3 none 3", false), await(0, 1, 2))
	for _, seat := range []int8{0, 2, 3, 4} {
		if got := encoded(t, s.Fall(seat, nil)); got != encoded(t, s) {
			t.Errorf("seat %d: got %s", seat, got)
		}
	}
}

func TestLeave(t *testing.T) {
	s, _ := apply(t, game(t, "5+1 5 5", false), await(0, 1))
	s = s.Leave(2000, 1, []int8{2})
	if got, want := shown(s), "out 5000 5000 2@7000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, _, err := s.Apply(moved(2000, 1)); err == nil || err.Error() == "" {
		t.Error("a seat that has left moved")
	}
	s, _ = apply(t, s, await(2500, 1, 3))
	if got, want := shown(s), "out 4500 5000 3@7500"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := s.Leave(100, 9, nil); encoded(t, got) != encoded(t, s) {
		t.Error("a seat that does not exist left")
	}
	if got := s.Leave(100, 3, nil).LastAt(); got != 2500 {
		t.Errorf("time ran back to %d", got)
	}
}

func TestStop(t *testing.T) {
	s, _ := apply(t, game(t, "5+1 5d1 5", false), await(0, 1, 2))
	s = s.Stop(3000)
	if got, want := shown(s), "2000 3000 5000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	later, flags := s.Advance(99_999)
	if flags != nil || later.Seat(1, 99_999).Remaining != 2000 || later.Seat(1, 99_999).Running {
		t.Errorf("a clock ran after the end: %v %s", flags, shown(later))
	}
	paused, _ := apply(t, game(t, "5 5", false), await(0, 1), do(1000, Paused))
	if stopped := paused.Stop(9000); stopped.Paused() || shown(stopped) != "4000 5000" {
		t.Errorf("stopped in a pause: %s", shown(stopped))
	}
}

func TestTakeback(t *testing.T) {
	start, _ := apply(t, game(t, "2/5+1:9 5", true), await(0, 1, 2))
	start, _ = apply(t, start, thought(moved(1000, 1, 1, 2), 500))
	late, _ := apply(t, start, moved(2000, 1, 2), moved(3000, 2, 1))
	back := late.Takeback(7000, start)
	if got, want := shown(back), "5500 4000 2@11000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r := back.Seat(1, 7000); r.Moves != 1 || r.Stage != 1 || r.Quota != 600 {
		t.Errorf("got %+v", r)
	}
	fallen := start.Fall(2, []int8{1}).Takeback(9000, start)
	if got, want := shown(fallen), "5500 4000 2@13000"; got != want {
		t.Errorf("after a flag: got %q, want %q", got, want)
	}
	paused, _ := apply(t, late, do(3500, Paused))
	if got, want := shown(paused.Takeback(7000, start)), "5500 4000"; got != want {
		t.Errorf("in a pause: got %q, want %q", got, want)
	}
}

func TestGrace(t *testing.T) {
	fresh := game(t, "60+1 60 none", false).WithGrace(5000)
	s, _ := apply(t, fresh, await(0, 1))
	if f, ok := s.Next(); !ok || f != (Flag{Seat: 1, At: 5000, Grace: true}) {
		t.Fatalf("got %v %v", f, ok)
	}
	if r := s.Seat(1, 0); r.Deadline != 5000 || r.Remaining != 60_000 {
		t.Errorf("got %+v", r)
	}
	paused, _ := apply(t, s, do(1000, Paused), do(11_000, Resumed), set(12_000, 1, 60_000))
	if f, _ := paused.Next(); f != (Flag{Seat: 1, At: 15_000, Grace: true}) {
		t.Errorf("a pause stops it and a set does not: got %v", f)
	}
	short, _ := apply(t, s, set(1000, 1, 500))
	if f, _ := short.Next(); f != (Flag{Seat: 1, At: 1500}) {
		t.Errorf("the clock runs out first: got %v", f)
	}
	equal, _ := apply(t, s, set(1000, 1, 4000))
	if f, _ := equal.Next(); f != (Flag{Seat: 1, At: 5000}) {
		t.Errorf("at the same time the clock comes first: got %v", f)
	}
	s, _ = apply(t, s, moved(4000, 1, 1))
	if f, _ := s.Next(); f != (Flag{Seat: 1, At: 61_000}) {
		t.Errorf("only the first turn: got %v", f)
	}
	withdrawn, _ := apply(t, fresh, await(0, 2), await(1, 1), await(2, 2))
	if f, _ := withdrawn.Next(); f != (Flag{Seat: 2, At: 60_001}) {
		t.Errorf("a first turn that was withdrawn was the first all the same: got %v", f)
	}
	s, flags, err := s.Apply(await(5000, 3))
	if f, _ := s.Next(); err != nil || flags != nil || f != (Flag{Seat: 3, At: 10_000, Grace: true}) {
		t.Errorf("without a clock there is a grace too: got %v, %v, %v", f, flags, err)
	}
	s, flags = s.Advance(10_001)
	if !slices.Equal(flags, []Flag{{Seat: 3, At: 10_000, Grace: true}}) || !s.Seat(3, 10_001).Out {
		t.Errorf("got %v", flags)
	}
}

func TestZeroState(t *testing.T) {
	var s State
	if _, ok := s.Next(); ok || s.Seats() != 0 || s.Paused() || s.Seat(1, 0) != (Reading{}) || !s.Control(1).None() {
		t.Error("the zero State has clocks")
	}
	for _, next := range []State{s.Fall(1, nil), s.Leave(0, 1, nil), s.Stop(5), s.WithGrace(0), s.Takeback(5, s)} {
		if next.Seats() != 0 {
			t.Errorf("got %s", encoded(t, next))
		}
	}
	if _, _, err := s.Apply(moved(0, 1)); err == nil {
		t.Error("no seat moved")
	}
}
