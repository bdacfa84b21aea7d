package ledger

import (
	"errors"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
)

// TestAPairCountsSoManyGamesAPeriod: further games of two players change nothing until the next period begins.
func TestAPairCountsSoManyGamesAPeriod(t *testing.T) {
	m := newMemory()
	for i := range 5 {
		f := duel(string(rune('a'+i)), "ada", "bob")
		m.finish(f)
	}
	m.finish(duel("other", "ada", "cyd"))
	next := duel("later", "bob", "ada")
	next.FinishedAt = 32 * 86_400_000
	m.finish(next)
	by := lists{next.List: Rules{System: elo.Club{}, Limits: []PairLimit{{Games: 2}}}}
	if _, err := NewBy(m, by).CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	games := map[string]bool{}
	for _, r := range m.rows {
		games[r.GameID] = true
	}
	if len(games) != 4 || !games["a"] || !games["b"] || games["c"] || !games["other"] || !games["later"] {
		t.Errorf("rated: %v", games)
	}
}

// TestNoPlayerLosesToAMarkedOne, and the marked player wins no points, but losses against others stay.
func TestNoPlayerLosesToAMarkedOne(t *testing.T) {
	for _, tt := range []struct {
		what   string
		ranks  []int
		change [2]bool // by seat: the rating changes; seat 1 is marked
	}{
		{"marked player wins", []int{1, 2}, [2]bool{false, false}},
		{"marked player loses", []int{2, 1}, [2]bool{true, true}},
	} {
		f := duel("g", "ada", "bob")
		f.Ranks, f.Marked = tt.ranks, []bool{true, false}
		m := newMemory(f)
		if _, err := New(m, elo.Club{}).CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, r := range m.rows {
			if changed := r.After != r.Before; changed != tt.change[i] || r.Refunded == changed || r.Change != r.After-r.Before {
				t.Errorf("%s: %+v", tt.what, r)
			}
		}
		if n := m.rows[0].GamesAfter; (n == 1) != tt.change[0] {
			t.Errorf("%s: %d games", tt.what, n)
		}
	}
}

func TestASystemForTwoLeavesLargerGamesOut(t *testing.T) {
	f := duel("g", "ada", "bob")
	f.Players = []string{"ada", "bob", "cyd"}
	f.Sides = []int{1, 2, 3}
	f.Ranks = []int{1, 2, 3}
	f.Moved = []bool{true, true, true}
	m := newMemory(f, duel("h", "ada", "bob"))
	by := lists{f.List: Rules{System: glicko2.Games{}, Duels: true}}
	if _, err := NewBy(m, by).CatchUp(t.Context()); err != nil || len(m.rows) != 2 || m.rows[0].GameID != "h" ||
		m.rows[0].Deviation >= 350 {
		t.Errorf("%v, %+v", err, m.rows)
	}
}

// TestGivenRatingsLackNothing: a player entered with a rating alone has the system's deviation.
func TestGivenRatingsLackNothing(t *testing.T) {
	f := duel("g", "ada", "bob")
	m := newMemory(f)
	m.given[place{f.List, "ada"}] = rating.Rating{Value: 1800}
	if _, err := NewBy(m, lists{f.List: Rules{System: glicko2.Games{}}}).CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := m.rows[0]; r.Before != 1800 || r.DeviationBefore != 350 || r.Volatility == 0 {
		t.Errorf("%+v", r)
	}
}

func TestAnotherRegulationIsReported(t *testing.T) {
	m := newMemory(duel("g", "ada", "bob"))
	m.beforeCommit = func(int) error { return ErrRegulation }
	if _, err := New(m, elo.Club{}).CatchUp(t.Context()); !errors.Is(err, ErrRegulation) || len(m.rows) > 0 {
		t.Errorf("%v, %d rows", err, len(m.rows))
	}
}
