package tournament_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// boards prints a round: "e1-e2 e3-e4 e5:PAB".
func boards(r tournament.Round) string {
	var out []string
	for _, p := range r.Pairings {
		text := strings.Join(p.Seats, "-")
		if p.Bye != tournament.NoBye {
			text += ":" + string(p.Bye)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestPairingByHand(t *testing.T) {
	swap := func(a, b string) tournament.Edit {
		return tournament.Edit{Kind: tournament.SwapEntries, Entries: []string{a, b}}
	}
	pair := func(ids ...string) tournament.Edit { return tournament.Edit{Kind: tournament.Pair, Entries: ids} }
	unpair := func(board int) tournament.Edit { return tournament.Edit{Kind: tournament.Unpair, Board: board} }
	bye := func(id string, b tournament.Bye) tournament.Edit {
		return tournament.Edit{Kind: tournament.GiveBye, Entries: []string{id}, Bye: b}
	}
	tests := []struct {
		name             string
		edits            []tournament.Edit
		drawn, published string // the round after the edits, as a draft and if it was published
	}{
		{"two change boards", []tournament.Edit{swap("e1", "e4")}, "e4-e2 e3-e1 e5-e6 e7:PAB", ""},
		{"with who has the bye", []tournament.Edit{swap("e7", "e5")}, "e1-e2 e3-e4 e7-e6 e5:PAB", ""},
		{"two of one board", []tournament.Edit{swap("e1", "e2")}, "e2-e1 e3-e4 e5-e6 e7:PAB", ""},
		{"other seats", []tournament.Edit{{Kind: tournament.Reseat, Board: 2}}, "e1-e2 e4-e3 e5-e6 e7:PAB", ""},
		{
			"seats by name",
			[]tournament.Edit{{Kind: tournament.Reseat, Board: 2, Entries: []string{"e4", "e3"}}},
			"e1-e2 e4-e3 e5-e6 e7:PAB",
			"",
		},
		{"a board less", []tournament.Edit{unpair(2)}, "e1-e2 e5-e6 e7:PAB", "error"},
		{"one comes in for another", []tournament.Edit{unpair(2), swap("e1", "e3")}, "e3-e2 e5-e6 e7:PAB", "error"},
		{
			"the bye of a board that is no more",
			[]tournament.Edit{unpair(2), pair("e3", "e7"), bye("e4", tournament.PairingAllocated)},
			"e1-e2 e5-e6 e3-e7 e4:PAB", "e1-e2 e3-e7 e5-e6 e4:PAB",
		},
		{
			"two byes",
			[]tournament.Edit{unpair(3), bye("e5", tournament.HalfPoint), bye("e6", tournament.ZeroPoint)},
			"e1-e2 e3-e4 e7:PAB e5:HPB e6:ZPB",
			"e1-e2 e3-e4 e5:HPB e7:PAB e6:ZPB",
		},
		{"another bye", []tournament.Edit{bye("e7", tournament.FullPoint)}, "e1-e2 e3-e4 e5-e6 e7:FPB", ""},
		{
			"two boards mixed",
			[]tournament.Edit{unpair(1), unpair(3), pair("e1", "e6"), pair("e5", "e2")},
			"e3-e4 e1-e6 e5-e2 e7:PAB",
			"e1-e6 e3-e4 e5-e2 e7:PAB",
		},
		{
			"everything away",
			[]tournament.Edit{unpair(1), unpair(2), unpair(3), bye("e7", tournament.ZeroPoint), swap("e7", "e1")},
			"e1:ZPB",
			"error",
		},
	}
	for _, test := range tests {
		for _, published := range []bool{false, true} {
			tm := tournamenttest.DrawnUp(t, published)
			before := tournamenttest.AsJSON(tm)
			next, err := tm.EditRound(1, test.edits,
				tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: func() string { return "new" }})
			want := test.drawn
			if published && test.published != "" {
				want = test.published
			}
			switch {
			case tournamenttest.AsJSON(tm) != before:
				t.Errorf("%s: the round was changed in place", test.name)
			case want == "error":
				if !errors.Is(err, tournament.ErrState) {
					t.Errorf("%s: %v, want ErrState", test.name, err)
				}
				continue
			case err != nil:
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			r := next.Rounds[0]
			if got := boards(r); got != want || len(next.Delta.Rounds) != 1 {
				t.Errorf("%s, published %v: %s, want %s", test.name, published, got, want)
			}
			for i, p := range r.Pairings {
				same := i < len(tm.Rounds[0].Pairings) && fmt.Sprint(tm.Rounds[0].Pairings[i].Seats) == fmt.Sprint(p.Seats)
				if published && p.Bye == tournament.NoBye && (p.GameID == "new") == same {
					t.Errorf("%s: board %d has the game %q", test.name, p.Board, p.GameID)
				}
				if p.Bye != tournament.NoBye && p.Result.Points[0] != tm.Points.ForBye(p.Bye) {
					t.Errorf("%s: a %s is worth %s", test.name, p.Bye, p.Result.Points[0])
				}
			}
		}
	}
}

func TestPairingByHandRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		edit tournament.Edit
		want error
	}{
		"no such board":             {tournament.Edit{Kind: tournament.Unpair, Board: 9}, tournament.ErrNotFound},
		"a bye is no game":          {tournament.Edit{Kind: tournament.Unpair, Board: 4}, tournament.ErrInvalid},
		"a stranger":                {tournament.Edit{Kind: tournament.SwapEntries, Entries: []string{"e1", "x"}}, tournament.ErrInvalid},
		"with oneself":              {tournament.Edit{Kind: tournament.SwapEntries, Entries: []string{"e1", "e1"}}, tournament.ErrInvalid},
		"who is paired":             {tournament.Edit{Kind: tournament.Pair, Entries: []string{"e1", "e7"}}, tournament.ErrInvalid},
		"a game of one":             {tournament.Edit{Kind: tournament.Pair, Entries: []string{"e7"}}, tournament.ErrInvalid},
		"oneself":                   {tournament.Edit{Kind: tournament.Pair, Entries: []string{"e7", "e7"}}, tournament.ErrInvalid},
		"a bye for who is paired":   {tournament.Edit{Kind: tournament.GiveBye, Entries: []string{"e1"}, Bye: tournament.HalfPoint}, tournament.ErrInvalid},
		"a bye of no kind":          {tournament.Edit{Kind: tournament.GiveBye, Entries: []string{"e7"}, Bye: "XYZ"}, tournament.ErrInvalid},
		"another's seats":           {tournament.Edit{Kind: tournament.Reseat, Board: 1, Entries: []string{"e1", "e3"}}, tournament.ErrInvalid},
		"something else altogether": {tournament.Edit{Kind: "shuffle"}, tournament.ErrInvalid},
	} {
		tm := tournamenttest.DrawnUp(t, false)
		_, err := tm.EditRound(1, []tournament.Edit{test.edit},
			tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: tournamenttest.Games()})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	tm := tournamenttest.DrawnUp(t, false)
	tm = tournamenttest.Must(t)(tm.EditRound(1, []tournament.Edit{{Kind: tournament.Unpair, Board: 1}},
		tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: tournamenttest.Games()}))
	if left := tm.Unpaired(1); len(left) != 2 || left[0].ID != "e1" {
		t.Errorf("left without a pairing: %v", left)
	}
	if _, err := tm.Publish(tournamenttest.Games(), 1); !errors.Is(err, tournament.ErrState) ||
		!strings.Contains(err.Error(), "N1") {
		t.Errorf("published with two left out: %v", err)
	}
}

// TestWhatWasPlayedStays checks that no edit changes earlier rounds, or boards of a published round that have a result
// or a game with a move.
func TestWhatWasPlayedStays(t *testing.T) {
	tm := tournamenttest.DrawnUp(t, true)
	tm = tournamenttest.Must(t)(scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1))
	tm = tournamenttest.Must(t)(scoring.SetResult(tm, 1, 3, tournament.Verdict{Ranks: []int{1, 2}, Forfeit: true}, "x",
		"e6 never came", 1))
	how := tournament.Editing{NewGame: func() string { return "new" }, By: "x", Begun: func(id string) error {
		if id == tm.Rounds[0].Pairings[1].GameID {
			return tournament.NotNow("it has begun")
		}
		return nil
	}}
	for _, board := range []int{1, 2} {
		_, err := tm.EditRound(1, []tournament.Edit{{Kind: tournament.Reseat, Board: board}}, how)
		if !errors.Is(err, tournament.ErrState) {
			t.Errorf("board %d: %v, want ErrState", board, err)
		}
	}
	if _, err := tm.DropRound(1, tournamenttest.NeverBegun); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a round with a result was deleted: %v", err)
	}
	// A player without an opponent is paired with the player that has the bye.
	after, err := tm.EditRound(1, []tournament.Edit{
		{
			Kind:  tournament.Unpair,
			Board: 3,
		}, {Kind: tournament.Pair, Entries: []string{"e5", "e7"}}, {Kind: tournament.GiveBye, Entries: []string{"e6"}, Bye: tournament.ZeroPoint},
	}, how)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := boards(after.Rounds[0]), "e1-e2 e3-e4 e5-e7 e6:ZPB"; got != want ||
		after.Rounds[0].Pairings[2].GameID != "new" {
		t.Errorf("%s, want %s", got, want)
	}
	if c := after.Delta.Changes; len(c) != 1 || c[0].Before == nil || c[0].After != nil || c[0].Board != 3 {
		t.Errorf("the history says %+v, want the forfeit taken back", c)
	}
	tm = tournamenttest.PlayedOut(t, tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1))
	tm = tournamenttest.PlayedOut(t, tm)
	_, err = tm.EditRound(1, []tournament.Edit{{Kind: tournament.Reseat, Board: 1}}, how)
	if !errors.Is(err, tournament.ErrState) {
		t.Errorf("a past round: %v, want ErrState", err)
	}
	_, err = tm.EditRound(3, []tournament.Edit{{Kind: tournament.Reseat, Board: 1}}, how)
	if !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("a round to come: %v, want ErrNotFound", err)
	}
}

func TestRepairableRounds(t *testing.T) {
	tm := tournamenttest.PlayedOut(t, tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1))
	if got := tm.Repairable(1, tournamenttest.NeverBegun); got != nil {
		t.Errorf("after the only round: %v", got)
	}
	tm = tournamenttest.InRound(t, tm, tournamenttest.AnyRound(tm)...)
	begun := func(string) error { return tournament.NotNow("begun") }
	if got := tm.Repairable(1, tournamenttest.NeverBegun); fmt.Sprint(got) != "[2]" || tm.Repairable(1, begun) != nil ||
		tm.Repairable(2, tournamenttest.NeverBegun) != nil {
		t.Errorf("round 2, not begun: %v", got)
	}
	next, err := tm.DropRound(2, tournamenttest.NeverBegun)
	if dropped := tournamenttest.Must(t)(next, err); len(dropped.Rounds) != 1 || fmt.Sprint(next.Delta.RemovedRounds) != "[2]" {
		t.Errorf("%d rounds, removed %v", len(dropped.Rounds), next.Delta.RemovedRounds)
	}
	if _, err := tm.DropRound(1, tournamenttest.NeverBegun); !errors.Is(err, tournament.ErrState) {
		t.Errorf("the round before the last was deleted: %v", err)
	}
}
