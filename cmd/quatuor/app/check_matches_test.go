package app

import (
	"io"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// drawnMatch returns a knock-out of two with a match of two games, both without a winner.
func drawnMatch(t *testing.T, d tournament.Decision) *tournament.Tournament {
	t.Helper()
	tm := &tournament.Tournament{
		Format: tournament.Knockout, Status: tournament.Running, RoundCount: 1, Points: tournament.StandardPoints,
		LotSeed: strings.Repeat("5a", 32), Rules: tournament.PairingRules{Match: tournament.KnockoutRules{Decision: d}},
		Entries: []tournament.Entry{
			{ID: "a", Number: 1, Members: []string{"pa"}}, {ID: "b", Number: 2, Members: []string{"pb"}},
		},
	}
	if d == tournament.ByLot {
		tm.Rules.Match.Replays = 1
	}
	do := func(next *tournament.Revision, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		tm = next.Tournament
	}
	do(tm.AddRound([]tournament.Pairing{{Board: 1, Seats: []string{"a", "b"}}}))
	do(tm.Publish(func() string { return "g1" }, 1))
	do(scoring.GameOver(tm, 1, 1, []int{1, 1}, 9, "g2", "agreement", 2))
	do(scoring.GameOver(tm, 1, 1, []int{1, 1}, 9, "g3", "agreement", 3))
	return tm
}

// TestCheckOfMatches: check accepts the outcome of a lot or armageddon for the last game, and no other.
func TestCheckOfMatches(t *testing.T) {
	drawn := gameEnd{
		status: table.Finished, outcome: &engine.Outcome{Ranks: []int{1, 1}, Reason: "agreement"}, plies: 9, at: 3, seq: 2,
	}
	won := drawn
	won.outcome = &engine.Outcome{Ranks: []int{1, 2}, Reason: "line"}
	for _, d := range []tournament.Decision{tournament.ByLot, tournament.Armageddon} {
		tm := drawnMatch(t, d)
		p, err := tm.Pairing(1, 1)
		if err != nil || p.GameID != "g2" || p.Result == nil {
			t.Fatalf("%s: %+v, %v", d, p, err)
		}
		if fault := (board{tm, 1, p}).compareResult(drawn, true, 9); fault != "" {
			t.Errorf("%s: %s", d, fault)
		}
		if fault := (board{tm, 1, p}).compareResult(won, true, 9); !strings.Contains(fault, "brings 1-0") {
			t.Errorf("%s, had the game been won: %q", d, fault)
		}
		early := p
		early.Games = 1
		early.Result = &tournament.Result{
			Ranks: p.Result.Ranks, Points: p.Result.Points, Source: p.Result.Source, Reason: p.Result.Reason,
		}
		first := *tm
		first.Rounds = []tournament.Round{{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{early}}}
		if fault := (board{&first, 1, early}).compareResult(drawn, true, 9); fault == "" {
			t.Errorf("%s: a match that was decided too early was not found", d)
		}
	}
}

// TestCheckOfEarlierGames compares the drawn games of a match with what is kept of them.
func TestCheckOfEarlierGames(t *testing.T) {
	match := drawnMatch(t, tournament.Armageddon)
	p, err := match.Pairing(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for ranks, faults := range map[[2]int]int{{1, 1}: 0, {1, 2}: 1} {
		c := &checker{out: io.Discard, ends: map[string]gameEnd{
			"g1": {
				status: table.Finished, outcome: &engine.Outcome{Ranks: ranks[:], Reason: "agreement"},
				players: []string{"pa", "pb"}, place: table.Place{Round: 1, Board: 1},
			},
		}}
		if err := c.compareEarlier(t.Context(), board{match, 1, p}); err != nil {
			t.Fatal(err)
		}
		if c.faults != faults {
			t.Errorf("game 1 ended %v: %d faults, want %d", ranks, c.faults, faults)
		}
	}
}
