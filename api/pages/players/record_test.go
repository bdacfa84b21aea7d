package players

import (
	"slices"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament"
)

func TestOpponentsAreOnOtherSides(t *testing.T) {
	met := opponents{}
	for _, g := range []table.Game{
		{Variant: "quixo/duel", Players: []string{"a", "b"}, Outcome: &engine.Outcome{Ranks: []int{1, 2}}},
		{Variant: "quixo/duel", Players: []string{"b", "a"}, Outcome: &engine.Outcome{Ranks: []int{1, 1}}},
		{Variant: "quixo/duel", Players: []string{"b", "a"}, Outcome: &engine.Outcome{}}, // void
		{Variant: "quivive/melee", Players: []string{"c", "a", "b"}, Outcome: &engine.Outcome{Ranks: []int{1, 2, 3}}},
		{Variant: "quixo/teams", Players: []string{"a", "b", "c", "d"}, Outcome: &engine.Outcome{Ranks: []int{1, 2, 1, 2}}},
	} {
		if err := met.addGame(g, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if got := met.frequent(2); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("most frequent: %v", got)
	}
	for id, want := range map[string]record{"b": {Won: 3, Drawn: 1}, "c": {Lost: 1}, "d": {Won: 1}} {
		if met[id] == nil || *met[id] != want {
			t.Errorf("%s: %v, want %v", id, met[id], want)
		}
	}
	if own, other := met["b"].Score(), met["b"].Against(); own != 35 || other != 5 {
		t.Errorf("%v – %v", own, other)
	}
}

func TestResultsOfPairings(t *testing.T) {
	var r record
	for _, p := range []tournament.Pairing{
		{Seats: []string{"a", "b"}, Result: &tournament.Result{Ranks: []int{1, 2}}},
		{Seats: []string{"a", "b"}, Result: &tournament.Result{Ranks: []int{1, 1}}},
		{Seats: []string{"a", "b"}, Result: &tournament.Result{Ranks: []int{1, 2}, Forfeit: true}},
		{Seats: []string{"a"}, Bye: tournament.HalfPoint, Result: &tournament.Result{}},
		{Seats: []string{"a", "b", "c"}, Result: &tournament.Result{Ranks: []int{2, 1, 0}}},
		{Seats: []string{"a", "b"}},
	} {
		r.addPairing(p, 0)
	}
	if want := (record{Won: 1, Drawn: 1, Lost: 1}); r != want {
		t.Errorf("%v, want %v", r, want)
	}
}

func TestTheHighestRatingIsAfterAGame(t *testing.T) {
	rows := []ledger.Row{{After: 1900, Unrated: true}, {Before: 1950, After: 1510}, {After: 1620}, {After: 1580}}
	if got := highest(rows); got != 1620 {
		t.Errorf("highest %v", got)
	}
}
