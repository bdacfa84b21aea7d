package seatplan_test

import (
	"errors"
	"os"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing/seatplan"
)

func TestKnownPlans(t *testing.T) {
	for _, k := range []struct{ groups, size, rounds int }{
		{5, 3, 7},
		{6, 3, 8},
		{6, 4, 7},
		{4, 4, 5},
		{5, 5, 6},
		{4, 4, 3},
		{8, 4, 7},
		{8, 4, 9},
		{8, 4, 10},
	} {
		if testing.Short() && k.groups*k.size > 16 {
			continue
		}
		plan, err := seatplan.New(k.groups*k.size, k.rounds, k.size)
		if err != nil {
			t.Fatal(err)
		}
		if again := plan.Again(); again > 0 {
			t.Errorf("%d-%d-%d: %d meetings again", k.groups, k.size, k.rounds, again)
		}
		check(t, plan, k.groups*k.size, k.rounds)
	}
}

// TestLongerPlans checks plans that go on after all rounds without a second meeting.
func TestLongerPlans(t *testing.T) {
	for _, k := range []struct{ groups, size, rounds, again int }{{4, 4, 6, 24}, {8, 4, 11, 48}} {
		if testing.Short() && k.groups*k.size > 16 {
			continue // takes seconds
		}
		plan, err := seatplan.New(k.groups*k.size, k.rounds, k.size)
		if err != nil {
			t.Fatal(err)
		}
		if again := plan.Again(); again > k.again {
			t.Errorf("%d-%d-%d: %d meetings again, want %d at most", k.groups, k.size, k.rounds, again, k.again)
		}
		check(t, plan, k.groups*k.size, k.rounds)
	}
}

func TestEveryPlan(t *testing.T) {
	most := 12
	switch { // larger plans take seconds
	case testing.Short():
		most = 8
	case os.Getenv("QUATUOR_LONG") != "":
		most = 14
	}
	for players := 3; players <= most; players++ {
		for size := 3; size <= 5; size++ {
			rounds := 1 + players%7
			plan, err := seatplan.New(players, rounds, size)
			if players == 7 && size == 5 || err == nil {
				check(t, plan, players, rounds)
			} else if !errors.Is(err, tournament.ErrInvalid) {
				t.Errorf("%d players: %v", players, err)
			}
		}
	}
}

// check checks that all are seated in every round, and with tables of equal size all seats equally often.
func check(t *testing.T, plan seatplan.Plan, players, rounds int) {
	t.Helper()
	if len(plan) != rounds {
		t.Fatalf("%d rounds, want %d", len(plan), rounds)
	}
	had := make([][5]int, players+1)
	sizes := map[int]bool{}
	for r, round := range plan {
		seen := map[int]bool{}
		for _, table := range round {
			sizes[len(table)] = true
			for seat, p := range table {
				if seen[p] || p < 1 || p > players {
					t.Fatalf("round %d: player %d", r+1, p)
				}
				seen[p] = true
				had[p][seat]++
			}
		}
		if len(seen) != players {
			t.Fatalf("round %d seats %d of %d", r+1, len(seen), players)
		}
	}
	for p := 1; p <= players && len(sizes) == 1; p++ {
		low, high := rounds, 0
		for size := range sizes {
			for _, n := range had[p][:size] {
				low, high = min(low, n), max(high, n)
			}
		}
		if high-low > 1 {
			t.Errorf("%d players, %d rounds: player %d had the seats %v times", players, rounds, p, had[p])
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, args := range [][3]int{{2, 1, 4}, {101, 1, 4}, {16, 0, 4}, {16, 41, 4}, {16, 3, 6}} {
		if plan, err := seatplan.New(args[0], args[1], args[2]); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%v: %v, %v", args, plan, err)
		}
	}
}
