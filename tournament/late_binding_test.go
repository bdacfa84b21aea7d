package tournament

import (
	"errors"
	"testing"
)

// TestAnEntryGetsItsPlayerLate: once, while the tournament runs; boards that were published before stay unrated in the
// hall, and the next round's are rated.
func TestAnEntryGetsItsPlayerLate(t *testing.T) {
	tm := lateHall(t)
	one := Shape{Members: 1}
	e, _ := tm.Entry("e2")
	e.Members = []string{"p1"}
	if _, _, err := tm.UpdateEntry(e, one); !errors.Is(err, ErrInvalid) {
		t.Errorf("a player who is entered already: %v", err)
	}
	e.Members = []string{"late"}
	next, delta, err := tm.UpdateEntry(e, one)
	bound := ok(t, next, delta, err)
	if !tm.BindsLate(delta) || bound.BindsLate(delta) {
		t.Error("the binding is not known as one")
	}
	e.Members = []string{"another"}
	if _, _, err := bound.UpdateEntry(e, one); !errors.Is(err, ErrState) {
		t.Errorf("another player, later: %v", err)
	}
	e.Members = nil
	if _, _, err := bound.UpdateEntry(e, one); !errors.Is(err, ErrState) {
		t.Errorf("no player, later: %v", err)
	}
	p := bound.Rounds[0].Pairings[0]
	if bound.VenueOf(1, p) != InHall || p.HallGame != "" || p.GameID != "" {
		t.Errorf("the board that was published before: %+v", p)
	}
	yes := true
	if _, _, err := bound.SetResult(1, 1, Verdict{Ranks: []int{1, 2}, Rated: &yes}, "x", "", 1); !errors.Is(err,
		ErrInvalid) {
		t.Errorf("a board of before, rated: %v", err)
	}
	next, delta, err = bound.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	bound = ok(t, next, delta, err)
	if bound.Rounds[0].Pairings[0].Result.Rated {
		t.Error("a game of before is rated")
	}
	next, delta, err = bound.AddRound([]Pairing{{Board: 1, Seats: []string{"e2", "e1"}}})
	bound = ok(t, next, delta, err)
	next, delta, err = bound.Publish(func() string { return "h2" }, 2)
	bound = ok(t, next, delta, err)
	next, delta, err = bound.SetResult(2, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 3)
	bound = ok(t, next, delta, err)
	if p := bound.Rounds[1].Pairings[0]; p.HallGame != "h2" || !p.Result.Rated {
		t.Errorf("the next round's board: %+v", p)
	}
	bound.Status = Finished
	fresh := *tm
	fresh.Status = Finished
	e.Members = []string{"late"}
	if _, _, err := fresh.UpdateEntry(e, one); !errors.Is(err, ErrState) {
		t.Errorf("after the end: %v", err)
	}
}

// lateHall returns a tournament in the hall in its first round, with a player and an entry by name alone.
func lateHall(t *testing.T) *Tournament {
	t.Helper()
	return &Tournament{
		ID: "t", Name: "Hall", Variant: "quixo/duel", Format: Swiss, RoundCount: 3, Status: Running, Venue: InHall,
		Rated: true, TimeControl: "none",
		Points: StandardPoints,
		Entries: []Entry{
			{ID: "e1", Name: "One", Number: 1, Status: Confirmed, Members: []string{"p1"}},
			{ID: "e2", Name: "Two", Number: 2, Status: Confirmed},
		},
		Rounds: []Round{{Number: 1, Status: Published, Pairings: []Pairing{{Board: 1, Seats: []string{"e1", "e2"}}}}},
	}
}
