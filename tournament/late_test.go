package tournament

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// swiss returns a started Swiss of five rounds with entries e1, e2 … of these ratings.
func swiss(t testing.TB, rules PairingRules, ratings ...float64) *Tournament {
	t.Helper()
	s := testSettings()
	s.Format, s.Rules, s.RoundCount = Swiss, rules, 5
	tm, err := New("t", "ada", s, testChecks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, rating := range ratings {
		next, delta, err := tm.AddEntry(seeded(i+1, rating), Shape{Members: 1})
		tm = ok(t, next, delta, err)
	}
	next, delta, err := tm.Start(5, testSeed, 2000)
	return ok(t, next, delta, err)
}

func seeded(i int, rating float64) Entry {
	return Entry{ID: fmt.Sprint("e", i), Name: fmt.Sprint("N", i), Members: []string{fmt.Sprint("p", i)}, Rating: rating}
}

// playedOut adds a round of neighbours by number in which the first seats win.
func playedOut(t testing.TB, tm *Tournament) *Tournament {
	t.Helper()
	tm = inRound(t, tm, anyRound(tm)...)
	for _, p := range tm.Rounds[len(tm.Rounds)-1].Pairings {
		if p.Result == nil {
			next, delta, err := tm.SetResult(len(tm.Rounds), p.Board, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
			tm = ok(t, next, delta, err)
		}
	}
	return tm
}

func inOrder(tm *Tournament) string {
	var ids []string
	for _, e := range tm.Numbered() {
		ids = append(ids, e.ID)
	}
	return strings.Join(ids, " ")
}

// TestLateEntries come into their places in the list until the fourth round is paired, afterwards at its end; what they
// missed are byes.
func TestLateEntries(t *testing.T) {
	tm := swiss(t, PairingRules{MissedRounds: HalfPoint}, 2000, 1900, 1800, 1700)
	late := func(i int, rating float64) Delta {
		t.Helper()
		next, delta, err := tm.AddEntry(seeded(i, rating), Shape{Members: 1})
		tm = ok(t, next, delta, err)
		return delta
	}
	tm = playedOut(t, tm)
	tm = playedOut(t, tm)
	before := asJSON(tm.Rounds[0].Pairings[:2])
	delta := late(5, 1850)
	if got, want := inOrder(tm), "e1 e2 e5 e3 e4"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	if len(delta.Entries) != 3 || len(delta.Pairings) != 2 {
		t.Errorf("%d entries and %d pairings to store, want the newcomer, two who moved down, and two byes",
			len(delta.Entries), len(delta.Pairings))
	}
	if asJSON(tm.Rounds[0].Pairings[:2]) != before {
		t.Error("a past round was paired anew")
	}
	card := tm.Cards(2)[2]
	if card.Entry.ID != "e5" || card.Cells[0].Bye != HalfPoint || card.Cells[1].Points != 5 ||
		fmt.Sprint(card.Before) != "[0 0.5]" {
		t.Errorf("the newcomer's card %+v", card)
	}
	if opponents := tm.Cards(1)[3].Cells[0].Opponents; !slices.Equal(opponents, []int{5}) {
		t.Errorf("number 4 met %v, want its old opponent under the number it has now", opponents)
	}
	tm = playedOut(t, tm)
	late(6, 1850.5)
	if got, want := inOrder(tm), "e1 e2 e6 e5 e3 e4"; got != want {
		t.Errorf("order before round 4 %s, want %s", got, want)
	}
	tm = playedOut(t, tm)
	late(7, 2500)
	if got, want := inOrder(tm), "e1 e2 e6 e5 e3 e4 e7"; got != want || !tm.NumbersFixed() {
		t.Errorf("order after round 4 %s, want %s", got, want)
	}
	tm = playedOut(t, tm)
	if _, _, err := tm.AddEntry(seeded(8, 1000), Shape{Members: 1}); !errors.Is(err, ErrState) {
		t.Errorf("an entry when all rounds are paired: %v, want ErrState", err)
	}
	fixed := running(t, "A", "B")
	if _, _, err := fixed.AddEntry(seeded(8, 1000), Shape{Members: 1}); !errors.Is(err, ErrState) {
		t.Errorf("a late entry to a round-robin: %v, want ErrState", err)
	}
}

// TestLateIntoADrawnRound: a player entered between drawing up and publishing has a bye there, and takes part if the
// round is drawn up again.
func TestLateIntoADrawnRound(t *testing.T) {
	tm := swiss(t, PairingRules{}, 2000, 1900)
	next, delta, err := tm.AddRound(anyRound(tm))
	tm = ok(t, next, delta, err)
	next, delta, err = tm.AddEntry(seeded(3, 2100), Shape{Members: 1})
	tm = ok(t, next, delta, err)
	if p := tm.Rounds[0].Pairings; len(p) != 2 || p[1].Bye != ZeroPoint || p[1].Result.Points[0] != 0 {
		t.Errorf("the round is %+v, want a zero-point bye for the newcomer", p)
	}
	next, delta, err = tm.DropRound(1, neverBegun)
	tm = ok(t, next, delta, err)
	if away := tm.Numbered()[0].Away(1); away != NoBye || len(tm.Numbered()) != 3 {
		t.Errorf("the newcomer is away with %q, want it to take part", away)
	}
}

func TestCorrectedRatings(t *testing.T) {
	tm := swiss(t, PairingRules{Acceleration: Baku}, 2000, 1900, 1800, 1700, 1600, 1500)
	if tm.GroupA() != 4 || tm.LastOfA != "e4" {
		t.Fatalf("group A of six has %d, the last being %s; want 4 and e4", tm.GroupA(), tm.LastOfA)
	}
	tm = playedOut(t, tm)
	next, delta, err := tm.UpdateEntry(seeded(5, 1950), Shape{Members: 1})
	tm = ok(t, next, delta, err)
	if got, want := inOrder(tm), "e1 e5 e2 e3 e4 e6"; got != want || tm.GroupA() != 4 || tm.LastOfA != "e3" {
		t.Errorf("order %s with %d in group A, want %s with 4", got, tm.GroupA(), want)
	}
	next, delta, err = tm.AddEntry(seeded(7, 1850), Shape{Members: 1})
	tm = ok(t, next, delta, err)
	if tm.GroupA() != 5 || tm.LastOfA != "e3" {
		t.Errorf("group A has %d after a late entry above its last, who is %s; want 5 and e3", tm.GroupA(), tm.LastOfA)
	}
	for range 3 {
		tm = playedOut(t, tm)
	}
	order := inOrder(tm)
	next, delta, err = tm.UpdateEntry(seeded(6, 2400), Shape{Members: 1})
	tm = ok(t, next, delta, err)
	if e, _ := tm.Entry("e6"); inOrder(tm) != order || e.Rating != 2400 {
		t.Errorf("after round 4 the order is %s and the rating %g; want %s and 2400", inOrder(tm), e.Rating, order)
	}
	e, _ := tm.Entry("e6")
	e.Members = []string{"somebody else"}
	if _, _, err := tm.UpdateEntry(e, Shape{Members: 1}); !errors.Is(err, ErrState) {
		t.Errorf("another member after the start: %v, want ErrState", err)
	}
}

// TestBackInASwiss: a player that withdrew before the start comes back as a late entry.
func TestBackInASwiss(t *testing.T) {
	s := testSettings()
	s.Format, s.RoundCount = Swiss, 5
	tm, err := New("t", "ada", s, testChecks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		next, delta, err := tm.AddEntry(seeded(i, float64(2000-i)), Shape{Members: 1})
		tm = ok(t, next, delta, err)
	}
	next, delta, err := tm.Withdraw("e1")
	tm = ok(t, next, delta, err)
	next, delta, err = tm.Start(5, testSeed, 0)
	tm = playedOut(t, ok(t, next, delta, err))
	next, delta, err = tm.Reinstate("e1")
	tm = ok(t, next, delta, err)
	if got := inOrder(tm); got != "e1 e2 e3" || tm.Cards(1)[0].Cells[0].Bye != ZeroPoint || len(tm.Entries) != 3 {
		t.Errorf("order %s, %d entries, first round %+v", got, len(tm.Entries), tm.Cards(1)[0].Cells[0])
	}
}

func TestTheInitialColour(t *testing.T) {
	if tm := swiss(t, PairingRules{InitialColour: Black}, 1, 2); tm.FirstColour != Black {
		t.Errorf("drawn in the hall as black, stored as %d", tm.FirstColour)
	}
	drawn := map[Colour]int{}
	for i := range 64 {
		drawn[DrawColour(fmt.Sprintf("%064x", i))]++
	}
	if drawn[White] < 16 || drawn[Black] < 16 {
		t.Errorf("64 seeds draw %v", drawn)
	}
	if tm := swiss(t, PairingRules{}, 1, 2); tm.FirstColour != DrawColour(testSeed) {
		t.Errorf("the colour is %d, and the seed says %d", tm.FirstColour, DrawColour(testSeed))
	}
}
