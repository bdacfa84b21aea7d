package registration_test

import (
	"errors"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestAnEntryGetsItsPlayerLate checks that players are assigned only once while the tournament runs: boards that were
// published before stay unrated in the hall, and those of the next round are rated.
func TestAnEntryGetsItsPlayerLate(t *testing.T) {
	tm := lateHall(t)
	one := tournament.Shape{Members: 1}
	e, _ := tm.Entry("e2")
	e.Members = []string{"p1"}
	if _, err := registration.UpdateEntry(tm, e, one); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a player who is entered already: %v", err)
	}
	e.Members = []string{"late"}
	next, err := registration.UpdateEntry(tm, e, one)
	bound := tournamenttest.Must(t)(next, err)
	if !registration.BindsLate(tm, next.Delta) || registration.BindsLate(bound, next.Delta) {
		t.Error("the binding is not known as one")
	}
	e.Members = []string{"another"}
	if _, err := registration.UpdateEntry(bound, e, one); !errors.Is(err, tournament.ErrState) {
		t.Errorf("another player, later: %v", err)
	}
	e.Members = nil
	if _, err := registration.UpdateEntry(bound, e, one); !errors.Is(err, tournament.ErrState) {
		t.Errorf("no player, later: %v", err)
	}
	p := bound.Rounds[0].Pairings[0]
	if bound.VenueOf(1, p) != tournament.InHall || p.HallGame != "" || p.GameID != "" {
		t.Errorf("the board that was published before: %+v", p)
	}
	yes := true
	_, err = scoring.SetResult(bound, 1, 1, tournament.Verdict{Ranks: []int{1, 2}, Rated: &yes}, "x", "", 1)
	if !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a board of before, rated: %v", err)
	}
	bound = tournamenttest.Must(t)(scoring.SetResult(bound, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1))
	if bound.Rounds[0].Pairings[0].Result.Rated {
		t.Error("a game of before is rated")
	}
	bound = tournamenttest.Must(t)(bound.AddRound([]tournament.Pairing{{Board: 1, Seats: []string{"e2", "e1"}}}))
	bound = tournamenttest.Must(t)(bound.Publish(func() string { return "h2" }, 2))
	bound = tournamenttest.Must(t)(scoring.SetResult(bound, 2, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 3))
	if p := bound.Rounds[1].Pairings[0]; p.HallGame != "h2" || !p.Result.Rated {
		t.Errorf("the next round's board: %+v", p)
	}
	bound.Status = tournament.Finished
	fresh := *tm
	fresh.Status = tournament.Finished
	e.Members = []string{"late"}
	if _, err := registration.UpdateEntry(&fresh, e, one); !errors.Is(err, tournament.ErrState) {
		t.Errorf("after the end: %v", err)
	}
}

// lateHall returns a tournament in the hall in its first round, with a player and an entry by name alone.
func lateHall(t *testing.T) *tournament.Tournament {
	t.Helper()
	return &tournament.Tournament{
		ID: "t", Name: "Hall", Variant: "quixo/duel", Format: tournament.Swiss, RoundCount: 3, Status: tournament.Running, Venue: tournament.InHall,
		Rated: true, TimeControl: "none",
		Points: tournament.StandardPoints,
		Entries: []tournament.Entry{
			{ID: "e1", Name: "One", Number: 1, Status: tournament.Confirmed, Members: []string{"p1"}},
			{ID: "e2", Name: "Two", Number: 2, Status: tournament.Confirmed},
		},
		Rounds: []tournament.Round{
			{Number: 1, Status: tournament.Published, Pairings: []tournament.Pairing{{Board: 1, Seats: []string{"e1", "e2"}}}},
		},
	}
}
