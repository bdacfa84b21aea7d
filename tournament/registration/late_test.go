package registration_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/tournamenttest"
)

// TestLateEntries checks that late entries get their place in the list until the fourth round is paired, and the last
// place afterwards; the rounds that they missed are byes.
func TestLateEntries(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{MissedRounds: tournament.HalfPoint}, 2000, 1900, 1800, 1700)
	late := func(i int, rating float64) tournament.Delta {
		t.Helper()
		next, err := registration.AddEntry(tm, tournamenttest.Seeded(i, rating), tournament.Shape{Members: 1})
		tm = tournamenttest.Must(t)(next, err)
		return next.Delta
	}
	tm = tournamenttest.PlayedOut(t, tm)
	tm = tournamenttest.PlayedOut(t, tm)
	before := tournamenttest.AsJSON(tm.Rounds[0].Pairings[:2])
	delta := late(5, 1850)
	if got, want := tournamenttest.InOrder(tm), "e1 e2 e5 e3 e4"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	if len(delta.Entries) != 3 || len(delta.Pairings) != 2 {
		t.Errorf("%d entries and %d pairings to store, want the newcomer, two who moved down, and two byes",
			len(delta.Entries), len(delta.Pairings))
	}
	if tournamenttest.AsJSON(tm.Rounds[0].Pairings[:2]) != before {
		t.Error("a past round was paired anew")
	}
	card := tm.Cards(2)[2]
	if card.Entry.ID != "e5" || card.Cells[0].Bye != tournament.HalfPoint || card.Cells[1].Points != 5 ||
		fmt.Sprint(card.Before) != "[0 0.5]" {
		t.Errorf("the newcomer's card %+v", card)
	}
	if opponents := tm.Cards(1)[3].Cells[0].Opponents; !slices.Equal(opponents, []int{5}) {
		t.Errorf("number 4 met %v, want its old opponent under the number it has now", opponents)
	}
	tm = tournamenttest.PlayedOut(t, tm)
	late(6, 1850.5)
	if got, want := tournamenttest.InOrder(tm), "e1 e2 e6 e5 e3 e4"; got != want {
		t.Errorf("order before round 4 %s, want %s", got, want)
	}
	tm = tournamenttest.PlayedOut(t, tm)
	late(7, 2500)
	if got, want := tournamenttest.InOrder(tm), "e1 e2 e6 e5 e3 e4 e7"; got != want || !tm.NumbersFixed() {
		t.Errorf("order after round 4 %s, want %s", got, want)
	}
	tm = tournamenttest.PlayedOut(t, tm)
	_, err := registration.AddEntry(tm, tournamenttest.Seeded(8, 1000), tournament.Shape{Members: 1})
	if !errors.Is(err, tournament.ErrState) {
		t.Errorf("an entry when all rounds are paired: %v, want ErrState", err)
	}
	fixed := tournamenttest.Running(t, "A", "B")
	_, err = registration.AddEntry(fixed, tournamenttest.Seeded(8, 1000), tournament.Shape{Members: 1})
	if !errors.Is(err, tournament.ErrState) {
		t.Errorf("a late entry to a round-robin: %v, want ErrState", err)
	}
}

// TestLateIntoADrawnRound: a player entered between drawing up and publishing has a bye there, and takes part if the
// round is drawn up again.
func TestLateIntoADrawnRound(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 2000, 1900)
	tm = tournamenttest.Must(t)(tm.AddRound(tournamenttest.AnyRound(tm)))
	tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(3, 2100), tournament.Shape{Members: 1}))
	if p := tm.Rounds[0].Pairings; len(p) != 2 || p[1].Bye != tournament.ZeroPoint || p[1].Result.Points[0] != 0 {
		t.Errorf("the round is %+v, want a zero-point bye for the newcomer", p)
	}
	tm = tournamenttest.Must(t)(tm.DropRound(1, tournamenttest.NeverBegun))
	if away := tm.Numbered()[0].Away(1); away != tournament.NoBye || len(tm.Numbered()) != 3 {
		t.Errorf("the newcomer is away with %q, want it to take part", away)
	}
}

func TestCorrectedRatings(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{Acceleration: tournament.Baku}, 2000, 1900, 1800, 1700, 1600, 1500)
	if tm.GroupA() != 4 || tm.LastOfA != "e4" {
		t.Fatalf("group A of six has %d, the last being %s; want 4 and e4", tm.GroupA(), tm.LastOfA)
	}
	tm = tournamenttest.PlayedOut(t, tm)
	tm = tournamenttest.Must(t)(registration.UpdateEntry(tm, tournamenttest.Seeded(5, 1950), tournament.Shape{Members: 1}))
	if got, want := tournamenttest.InOrder(tm), "e1 e5 e2 e3 e4 e6"; got != want || tm.GroupA() != 4 || tm.LastOfA != "e3" {
		t.Errorf("order %s with %d in group A, want %s with 4", got, tm.GroupA(), want)
	}
	tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(7, 1850), tournament.Shape{Members: 1}))
	if tm.GroupA() != 5 || tm.LastOfA != "e3" {
		t.Errorf("group A has %d after a late entry above its last, who is %s; want 5 and e3", tm.GroupA(), tm.LastOfA)
	}
	for range 3 {
		tm = tournamenttest.PlayedOut(t, tm)
	}
	order := tournamenttest.InOrder(tm)
	tm = tournamenttest.Must(t)(registration.UpdateEntry(tm, tournamenttest.Seeded(6, 2400), tournament.Shape{Members: 1}))
	if e, _ := tm.Entry("e6"); tournamenttest.InOrder(tm) != order || e.Rating != 2400 {
		t.Errorf("after round 4 the order is %s and the rating %g; want %s and 2400", tournamenttest.InOrder(tm), e.Rating, order)
	}
	e, _ := tm.Entry("e6")
	e.Members = []string{"somebody else"}
	if _, err := registration.UpdateEntry(tm, e, tournament.Shape{Members: 1}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("another member after the start: %v, want ErrState", err)
	}
}

// TestBackInASwiss: a player that withdrew before the start comes back as a late entry.
func TestBackInASwiss(t *testing.T) {
	s := tournamenttest.Settings()
	s.Format, s.RoundCount = tournament.Swiss, 5
	tm, err := tournament.New("t", "ada", s, tournamenttest.Checks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(i, float64(2000-i)), tournament.Shape{Members: 1}))
	}
	tm = tournamenttest.Must(t)(registration.Withdraw(tm, "e1"))
	next, err := tm.Start(5, tournamenttest.Seed, 0)
	tm = tournamenttest.PlayedOut(t, tournamenttest.Must(t)(next, err))
	next, err = registration.Reinstate(tm, "e1")
	tm = tournamenttest.Must(t)(next, err)
	if got := tournamenttest.InOrder(tm); got != "e1 e2 e3" || tm.Cards(1)[0].Cells[0].Bye != tournament.ZeroPoint ||
		len(tm.Entries) != 3 {
		t.Errorf("order %s, %d entries, first round %+v", got, len(tm.Entries), tm.Cards(1)[0].Cells[0])
	}
}

func TestTheInitialColour(t *testing.T) {
	if tm := tournamenttest.Swiss(t, tournament.PairingRules{InitialColour: tournament.Black}, 1, 2); tm.FirstColour != tournament.Black {
		t.Errorf("drawn in the hall as black, stored as %d", tm.FirstColour)
	}
	drawn := map[tournament.Colour]int{}
	for i := range 64 {
		drawn[tournament.DrawColour(fmt.Sprintf("%064x", i))]++
	}
	if drawn[tournament.White] < 16 || drawn[tournament.Black] < 16 {
		t.Errorf("64 seeds draw %v", drawn)
	}
	tm, want := tournamenttest.Swiss(t, tournament.PairingRules{}, 1, 2), tournament.DrawColour(tournamenttest.Seed)
	if tm.FirstColour != want {
		t.Errorf("the colour is %d, and the seed says %d", tm.FirstColour, want)
	}
}
