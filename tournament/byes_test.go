package tournament

import (
	"errors"
	"fmt"
	"testing"
)

func TestByesOnRequest(t *testing.T) {
	tm := swiss(t, PairingRules{}, 2000, 1900, 1800)
	ask := func(byes ...RequestedBye) (*Tournament, error) {
		next, _, err := tm.RequestByes("e2", byes)
		return next, err
	}
	next, err := ask(RequestedBye{3, ZeroPoint}, RequestedBye{1, HalfPoint})
	if err != nil {
		t.Fatal(err)
	}
	tm = next
	e, _ := tm.Entry("e2")
	if got := fmt.Sprint(e.Byes); got != "[{1 HPB} {3 ZPB}]" {
		t.Errorf("asked for %s, want them by round", got)
	}
	for round, want := range map[int]Bye{1: HalfPoint, 2: NoBye, 3: ZeroPoint} {
		if got := e.Away(round); got != want {
			t.Errorf("round %d: %q, want %q", round, got, want)
		}
	}
	for name, byes := range map[string][]RequestedBye{
		"round 0":                      {{0, HalfPoint}},
		"a round too far":              {{6, HalfPoint}},
		"an allocated bye":             {{2, PairingAllocated}},
		"a full point, not allowed":    {{2, FullPoint}},
		"two byes of different values": {{2, HalfPoint}, {2, ZeroPoint}},
	} {
		if _, err := ask(byes...); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if next, err := ask(RequestedBye{1, HalfPoint}, RequestedBye{3, ZeroPoint}); err != nil || next != tm {
		t.Errorf("the same again: %v, want no change", err)
	}
	tm = playedOut(t, tm)
	if _, err := ask(RequestedBye{1, ZeroPoint}); !errors.Is(err, ErrState) {
		t.Errorf("another bye for a past round: %v, want ErrState", err)
	}
	if tm, err = ask(); err != nil {
		t.Fatal(err)
	}
	if e, _ := tm.Entry("e2"); fmt.Sprint(e.Byes) != "[{1 HPB}]" {
		t.Errorf("after taking back what can be: %v, want round 1 alone", e.Byes)
	}
	tm = swiss(t, PairingRules{FullPointByes: true}, 1, 2)
	if tm, err = ask(RequestedBye{2, FullPoint}); err != nil {
		t.Errorf("a full-point bye where it is allowed: %v", err)
	}
	tm, _, err = tm.Withdraw("e2")
	if e, _ := tm.Entry("e2"); err != nil || e.Away(2) != ZeroPoint {
		t.Errorf("withdrawn, away with %q (%v); want ZPB, whatever was asked for", e.Away(2), err)
	}
	if _, _, err := running(t, "A", "B").RequestByes("e1", nil); !errors.Is(err, ErrState) {
		t.Errorf("byes in a round-robin: %v, want ErrState", err)
	}
}

func TestForbiddenPairs(t *testing.T) {
	tm := swiss(t, PairingRules{}, 2000, 1900, 1800)
	next, _, err := tm.SetForbidden([]Ban{
		{Entries: []string{"e3", "e1"}}, {Entries: []string{"e1", "e2"}, First: 2, Last: 3, Why: "family"}, {Entries: []string{"e2", "e3"}, First: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	tm = next
	for round, want := range map[int]string{1: "[[3 1]]", 2: "[[3 1] [1 2]]", 3: "[[3 1] [1 2]]", 4: "[[3 1] [2 3]]"} {
		if got := fmt.Sprint(tm.Bans(round)); got != want {
			t.Errorf("round %d: %s, want %s", round, got, want)
		}
	}
	for name, b := range map[string]Ban{
		"one alone":   {Entries: []string{"e1"}},
		"a stranger":  {Entries: []string{"e1", "x"}},
		"one twice":   {Entries: []string{"e1", "e1"}},
		"backwards":   {Entries: []string{"e1", "e2"}, First: 3, Last: 2},
		"before time": {Entries: []string{"e1", "e2"}, First: -1},
	} {
		if _, _, err := tm.SetForbidden([]Ban{b}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if _, _, err := running(t, "A", "B").SetForbidden(nil); !errors.Is(err, ErrState) {
		t.Errorf("in a round-robin: %v, want ErrState", err)
	}
}

// TestRemovedEntriesAreForbiddenNothing: a ban names no removed entry.
func TestRemovedEntriesAreForbiddenNothing(t *testing.T) {
	s := testSettings()
	s.Format = Swiss
	tm, err := New("t", "ada", s, testChecks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		next, delta, err := tm.AddEntry(seeded(i, 1), Shape{Members: 1})
		tm = ok(t, next, delta, err)
	}
	next, delta, err := tm.SetForbidden([]Ban{{Entries: []string{"e1", "e2"}}, {Entries: []string{"e1", "e2", "e3"}}})
	tm = ok(t, next, delta, err)
	next, delta, err = tm.RemoveEntry("e2")
	if after := ok(t, next, delta, err); fmt.Sprint(after.Forbidden) != "[{[e1 e3] 0 0 }]" ||
		len(tm.Forbidden[1].Entries) != 3 {
		t.Errorf("forbidden %v, before that %v", after.Forbidden, tm.Forbidden)
	}
}

func TestPairingRules(t *testing.T) {
	for name, test := range map[string]struct {
		format Format
		points PointSystem
		rules  PairingRules
		field  string
	}{
		"an unknown acceleration": {Swiss, StandardPoints, PairingRules{Acceleration: "warp"}, "pairing/acceleration"},
		"baku in a round-robin":   {RoundRobin, StandardPoints, PairingRules{Acceleration: Baku}, "pairing/acceleration"},
		"baku with three points": {
			Swiss,
			PointSystem{Win: 30, Draw: 10, Bye: 30},
			PairingRules{Acceleration: Baku},
			"pairing/acceleration",
		},
		"a third colour":        {Swiss, StandardPoints, PairingRules{InitialColour: 3}, "pairing/initial_colour"},
		"a colour for tables":   {TableSwiss, StandardPoints, PairingRules{InitialColour: White}, "pairing/initial_colour"},
		"byes in a round-robin": {RoundRobin, StandardPoints, PairingRules{FullPointByes: true}, "pairing/full_point_byes"},
		"a win for being late":  {Swiss, StandardPoints, PairingRules{MissedRounds: FullPoint}, "pairing/missed_rounds"},
	} {
		s := testSettings()
		s.Format, s.Points, s.Rules = test.format, test.points, test.rules
		var faults FieldErrors
		if _, err := New("t", "ada", s, testChecks, 0); !errors.As(err, &faults) || len(faults) != 1 ||
			faults[0].Field != test.field {
			t.Errorf("%s: %v, want a fault in %s", name, err, test.field)
		}
	}
	tm := swiss(t, PairingRules{Acceleration: Baku}, 1, 2)
	s := tm.Settings()
	s.Rules.FullPointByes, s.Rules.MissedRounds = true, HalfPoint
	next, delta, err := tm.Configure(s, testChecks)
	if tm = ok(t, next, delta, err); !tm.Rules.FullPointByes {
		t.Error("the rules for byes did not change while running")
	}
	s.Rules.Acceleration = NoAcceleration
	if _, _, err := tm.Configure(s, testChecks); !errors.Is(err, ErrState) {
		t.Errorf("no acceleration any more while running: %v, want ErrState", err)
	}
}

// TestHalfPointByesAreLimited by the regulations, for requests and for byes given by hand, and not for what was there
// before.
func TestHalfPointByesAreLimited(t *testing.T) {
	half := func(rounds ...int) (byes []RequestedBye) {
		for _, n := range rounds {
			byes = append(byes, RequestedBye{n, HalfPoint})
		}
		return byes
	}
	for limit, tt := range map[int]struct{ fits, tooMany []RequestedBye }{
		0:               {half(2), half(2, 4)},
		NoHalfPointByes: {nil, half(2)},
		2:               {half(1, 3), half(1, 2, 3)},
	} {
		tm := swiss(t, PairingRules{HalfPointByes: limit}, 2000, 1900, 1800)
		if _, _, err := tm.RequestByes("e1", append(tt.fits, RequestedBye{5, ZeroPoint})); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
		if _, _, err := tm.RequestByes("e1", tt.tooMany); !errors.Is(err, ErrInvalid) {
			t.Errorf("limit %d, asking for %v: %v", limit, tt.tooMany, err)
		}
	}
	tm := swiss(t, PairingRules{HalfPointByes: 2}, 2000, 1900, 1800)
	tm = must(t)(tm.RequestByes("e1", half(2, 4)))
	s := tm.Settings()
	s.Rules.HalfPointByes = NoHalfPointByes
	tm.Rules = s.Rules
	if _, _, err := tm.RequestByes("e1", append(half(2, 4), RequestedBye{5, ZeroPoint})); err != nil {
		t.Errorf("what was asked for before the regulation changed: %v", err)
	}
	if _, _, err := tm.RequestByes("e1", half(2, 3, 4)); !errors.Is(err, ErrInvalid) {
		t.Errorf("one more than before: %v", err)
	}

	tm = swiss(t, PairingRules{}, 2000, 1900, 1800, 1700)
	tm = must(t)(tm.RequestByes("e1", half(3)))
	tm = must(t)(tm.AddRound([]Pairing{{Board: 1, Seats: []string{"e2", "e3"}}}))
	byHand := func(id string) error {
		_, _, err := tm.EditRound(1, []Edit{{Kind: GiveBye, Entries: []string{id}, Bye: HalfPoint}}, Editing{})
		return err
	}
	if err := byHand("e4"); err != nil {
		t.Errorf("a first half-point bye by hand: %v", err)
	}
	if err := byHand("e1"); !errors.Is(err, ErrState) {
		t.Errorf("a second half-point bye by hand: %v", err)
	}
}
