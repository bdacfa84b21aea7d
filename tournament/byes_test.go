package tournament_test

import (
	"errors"
	"fmt"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/tournamenttest"
)

func TestByesOnRequest(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 2000, 1900, 1800)
	ask := func(byes ...tournament.RequestedBye) (*tournament.Revision, error) { return tm.RequestByes("e2", byes) }
	next, err := ask(tournament.RequestedBye{3, tournament.ZeroPoint}, tournament.RequestedBye{1, tournament.HalfPoint})
	if err != nil {
		t.Fatal(err)
	}
	tm = next.Tournament
	e, _ := tm.Entry("e2")
	if got := fmt.Sprint(e.Byes); got != "[{1 HPB} {3 ZPB}]" {
		t.Errorf("asked for %s, want them by round", got)
	}
	for round, want := range map[int]tournament.Bye{1: tournament.HalfPoint, 2: tournament.NoBye, 3: tournament.ZeroPoint} {
		if got := e.Away(round); got != want {
			t.Errorf("round %d: %q, want %q", round, got, want)
		}
	}
	for name, byes := range map[string][]tournament.RequestedBye{
		"round 0":                      {{0, tournament.HalfPoint}},
		"a round too far":              {{6, tournament.HalfPoint}},
		"an allocated bye":             {{2, tournament.PairingAllocated}},
		"a full point, not allowed":    {{2, tournament.FullPoint}},
		"two byes of different values": {{2, tournament.HalfPoint}, {2, tournament.ZeroPoint}},
	} {
		if _, err := ask(byes...); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if next, err := ask(tournament.RequestedBye{1, tournament.HalfPoint}, tournament.RequestedBye{3, tournament.ZeroPoint}); err != nil ||
		next.Tournament != tm {
		t.Errorf("the same again: %v, want no change", err)
	}
	tm = tournamenttest.PlayedOut(t, tm)
	if _, err := ask(tournament.RequestedBye{1, tournament.ZeroPoint}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("another bye for a past round: %v, want ErrState", err)
	}
	next, err = ask()
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := next.Entry("e2"); fmt.Sprint(e.Byes) != "[{1 HPB}]" {
		t.Errorf("after taking back what can be: %v, want round 1 alone", e.Byes)
	}
	tm = tournamenttest.Swiss(t, tournament.PairingRules{FullPointByes: true}, 1, 2)
	next, err = ask(tournament.RequestedBye{2, tournament.FullPoint})
	if err != nil {
		t.Errorf("a full-point bye where it is allowed: %v", err)
	}
	next, err = registration.Withdraw(next.Tournament, "e2")
	if e, _ := next.Entry("e2"); err != nil || e.Away(2) != tournament.ZeroPoint {
		t.Errorf("withdrawn, away with %q (%v); want ZPB, whatever was asked for", e.Away(2), err)
	}
	if _, err := tournamenttest.Running(t, "A", "B").RequestByes("e1", nil); !errors.Is(err, tournament.ErrState) {
		t.Errorf("byes in a round-robin: %v, want ErrState", err)
	}
}

func TestForbiddenPairs(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 2000, 1900, 1800)
	next, err := tm.SetForbidden([]tournament.Ban{
		{
			Entries: []string{"e3", "e1"},
		}, {Entries: []string{"e1", "e2"}, First: 2, Last: 3, Why: "family"}, {Entries: []string{"e2", "e3"}, First: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	tm = next.Tournament
	for round, want := range map[int]string{1: "[[3 1]]", 2: "[[3 1] [1 2]]", 3: "[[3 1] [1 2]]", 4: "[[3 1] [2 3]]"} {
		if got := fmt.Sprint(tm.Bans(round)); got != want {
			t.Errorf("round %d: %s, want %s", round, got, want)
		}
	}
	for name, b := range map[string]tournament.Ban{
		"one alone":   {Entries: []string{"e1"}},
		"a stranger":  {Entries: []string{"e1", "x"}},
		"one twice":   {Entries: []string{"e1", "e1"}},
		"backwards":   {Entries: []string{"e1", "e2"}, First: 3, Last: 2},
		"before time": {Entries: []string{"e1", "e2"}, First: -1},
	} {
		if _, err := tm.SetForbidden([]tournament.Ban{b}); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if _, err := tournamenttest.Running(t, "A", "B").SetForbidden(nil); !errors.Is(err, tournament.ErrState) {
		t.Errorf("in a round-robin: %v, want ErrState", err)
	}
}

// TestRemovedEntriesAreForbiddenNothing: a ban names no removed entry.
func TestRemovedEntriesAreForbiddenNothing(t *testing.T) {
	s := tournamenttest.Settings()
	s.Format = tournament.Swiss
	tm, err := tournament.New("t", "ada", s, tournamenttest.Checks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(i, 1), tournament.Shape{Members: 1}))
	}
	tm = tournamenttest.Must(t)(tm.SetForbidden([]tournament.Ban{{Entries: []string{"e1", "e2"}}, {Entries: []string{"e1", "e2", "e3"}}}))
	next, err := registration.RemoveEntry(tm, "e2")
	if after := tournamenttest.Must(t)(next, err); fmt.Sprint(after.Forbidden) != "[{[e1 e3] 0 0 }]" ||
		len(tm.Forbidden[1].Entries) != 3 {
		t.Errorf("forbidden %v, before that %v", after.Forbidden, tm.Forbidden)
	}
}

func TestPairingRules(t *testing.T) {
	for name, test := range map[string]struct {
		format tournament.Format
		points tournament.PointSystem
		rules  tournament.PairingRules
		field  string
	}{
		"an unknown acceleration": {tournament.Swiss, tournament.StandardPoints, tournament.PairingRules{Acceleration: "warp"}, "pairing/acceleration"},
		"baku in a round-robin":   {tournament.RoundRobin, tournament.StandardPoints, tournament.PairingRules{Acceleration: tournament.Baku}, "pairing/acceleration"},
		"baku with three points": {
			tournament.Swiss,
			tournament.PointSystem{Win: 30, Draw: 10, Bye: 30},
			tournament.PairingRules{Acceleration: tournament.Baku},
			"pairing/acceleration",
		},
		"a third colour":        {tournament.Swiss, tournament.StandardPoints, tournament.PairingRules{InitialColour: 3}, "pairing/initial_colour"},
		"a colour for tables":   {tournament.TableSwiss, tournament.StandardPoints, tournament.PairingRules{InitialColour: tournament.White}, "pairing/initial_colour"},
		"byes in a round-robin": {tournament.RoundRobin, tournament.StandardPoints, tournament.PairingRules{FullPointByes: true}, "pairing/full_point_byes"},
		"a win for being late":  {tournament.Swiss, tournament.StandardPoints, tournament.PairingRules{MissedRounds: tournament.FullPoint}, "pairing/missed_rounds"},
	} {
		s := tournamenttest.Settings()
		s.Format = test.format
		s.Points = test.points
		s.Rules = test.rules
		var faults tournament.FieldErrors
		if _, err := tournament.New("t", "ada", s, tournamenttest.Checks, 0); !errors.As(err, &faults) || len(faults) != 1 ||
			faults[0].Field != test.field {
			t.Errorf("%s: %v, want a fault in %s", name, err, test.field)
		}
	}
	tm := tournamenttest.Swiss(t, tournament.PairingRules{Acceleration: tournament.Baku}, 1, 2)
	s := tm.Settings()
	s.Rules.FullPointByes, s.Rules.MissedRounds = true, tournament.HalfPoint
	tm = tournamenttest.Must(t)(tm.Configure(s, tournamenttest.Checks))
	if !tm.Rules.FullPointByes {
		t.Error("the rules for byes did not change while running")
	}
	s.Rules.Acceleration = tournament.NoAcceleration
	if _, err := tm.Configure(s, tournamenttest.Checks); !errors.Is(err, tournament.ErrState) {
		t.Errorf("no acceleration any more while running: %v, want ErrState", err)
	}
}

// TestHalfPointByesAreLimited by the regulations, for requests and for byes given by hand, and not for what was there
// before.
func TestHalfPointByesAreLimited(t *testing.T) {
	half := func(rounds ...int) (byes []tournament.RequestedBye) {
		for _, n := range rounds {
			byes = append(byes, tournament.RequestedBye{n, tournament.HalfPoint})
		}
		return byes
	}
	for limit, tt := range map[int]struct{ fits, tooMany []tournament.RequestedBye }{
		0:                          {half(2), half(2, 4)},
		tournament.NoHalfPointByes: {nil, half(2)},
		2:                          {half(1, 3), half(1, 2, 3)},
	} {
		tm := tournamenttest.Swiss(t, tournament.PairingRules{HalfPointByes: limit}, 2000, 1900, 1800)
		if _, err := tm.RequestByes("e1", append(tt.fits, tournament.RequestedBye{5, tournament.ZeroPoint})); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
		if _, err := tm.RequestByes("e1", tt.tooMany); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("limit %d, asking for %v: %v", limit, tt.tooMany, err)
		}
	}
	tm := tournamenttest.Swiss(t, tournament.PairingRules{HalfPointByes: 2}, 2000, 1900, 1800)
	tm = tournamenttest.Must(t)(tm.RequestByes("e1", half(2, 4)))
	s := tm.Settings()
	s.Rules.HalfPointByes = tournament.NoHalfPointByes
	tm.Rules = s.Rules
	if _, err := tm.RequestByes("e1", append(half(2, 4), tournament.RequestedBye{5, tournament.ZeroPoint})); err != nil {
		t.Errorf("what was asked for before the regulation changed: %v", err)
	}
	if _, err := tm.RequestByes("e1", half(2, 3, 4)); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one more than before: %v", err)
	}

	tm = tournamenttest.Swiss(t, tournament.PairingRules{}, 2000, 1900, 1800, 1700)
	tm = tournamenttest.Must(t)(tm.RequestByes("e1", half(3)))
	tm = tournamenttest.Must(t)(tm.AddRound([]tournament.Pairing{{Board: 1, Seats: []string{"e2", "e3"}}}))
	byHand := func(id string) error {
		edit := tournament.Edit{Kind: tournament.GiveBye, Entries: []string{id}, Bye: tournament.HalfPoint}
		_, err := tm.EditRound(1, []tournament.Edit{edit}, tournament.Editing{})
		return err
	}
	if err := byHand("e4"); err != nil {
		t.Errorf("a first half-point bye by hand: %v", err)
	}
	if err := byHand("e1"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a second half-point bye by hand: %v", err)
	}
}
