package tournament

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// boards prints a round: "e1-e2 e3-e4 e5:PAB".
func boards(r Round) string {
	var out []string
	for _, p := range r.Pairings {
		text := strings.Join(p.Seats, "-")
		if p.Bye != NoBye {
			text += ":" + string(p.Bye)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// drawnUp returns a Swiss of seven with the first round e1-e2 e3-e4 e5-e6 e7:PAB, published or not.
func drawnUp(t testing.TB, published bool) *Tournament {
	t.Helper()
	tm := swiss(t, PairingRules{}, 7, 6, 5, 4, 3, 2, 1)
	pairings := anyRound(tm)
	pairings[3].Bye = PairingAllocated
	next, delta, err := tm.AddRound(pairings)
	tm = ok(t, next, delta, err)
	if published {
		next, delta, err = tm.Publish(games(), 3000)
		tm = ok(t, next, delta, err)
	}
	return tm
}

func TestPairingByHand(t *testing.T) {
	swap := func(a, b string) Edit { return Edit{Kind: SwapEntries, Entries: []string{a, b}} }
	pair := func(ids ...string) Edit { return Edit{Kind: Pair, Entries: ids} }
	unpair := func(board int) Edit { return Edit{Kind: Unpair, Board: board} }
	bye := func(id string, b Bye) Edit { return Edit{Kind: GiveBye, Entries: []string{id}, Bye: b} }
	tests := []struct {
		name             string
		edits            []Edit
		drawn, published string // what becomes of a round that is drawn up, and of one that is published
	}{
		{"two change boards", []Edit{swap("e1", "e4")}, "e4-e2 e3-e1 e5-e6 e7:PAB", ""},
		{"with who has the bye", []Edit{swap("e7", "e5")}, "e1-e2 e3-e4 e7-e6 e5:PAB", ""},
		{"two of one board", []Edit{swap("e1", "e2")}, "e2-e1 e3-e4 e5-e6 e7:PAB", ""},
		{"other seats", []Edit{{Kind: Reseat, Board: 2}}, "e1-e2 e4-e3 e5-e6 e7:PAB", ""},
		{"seats by name", []Edit{{Kind: Reseat, Board: 2, Entries: []string{"e4", "e3"}}}, "e1-e2 e4-e3 e5-e6 e7:PAB", ""},
		{"a board less", []Edit{unpair(2)}, "e1-e2 e5-e6 e7:PAB", "error"},
		{"one comes in for another", []Edit{unpair(2), swap("e1", "e3")}, "e3-e2 e5-e6 e7:PAB", "error"},
		{
			"the bye of a board that is no more",
			[]Edit{unpair(2), pair("e3", "e7"), bye("e4", PairingAllocated)},
			"e1-e2 e5-e6 e3-e7 e4:PAB", "e1-e2 e3-e7 e5-e6 e4:PAB",
		},
		{"two byes", []Edit{unpair(3), bye("e5", HalfPoint), bye("e6", ZeroPoint)}, "e1-e2 e3-e4 e7:PAB e5:HPB e6:ZPB", "e1-e2 e3-e4 e5:HPB e7:PAB e6:ZPB"},
		{"another bye", []Edit{bye("e7", FullPoint)}, "e1-e2 e3-e4 e5-e6 e7:FPB", ""},
		{"two boards mixed", []Edit{unpair(1), unpair(3), pair("e1", "e6"), pair("e5", "e2")}, "e3-e4 e1-e6 e5-e2 e7:PAB", "e1-e6 e3-e4 e5-e2 e7:PAB"},
		{"everything away", []Edit{unpair(1), unpair(2), unpair(3), bye("e7", ZeroPoint), swap("e7", "e1")}, "e1:ZPB", "error"},
	}
	for _, test := range tests {
		for _, published := range []bool{false, true} {
			tm := drawnUp(t, published)
			before := asJSON(tm)
			next, delta, err := tm.EditRound(1, test.edits, Editing{Begun: neverBegun, NewGame: func() string { return "new" }})
			want := test.drawn
			if published && test.published != "" {
				want = test.published
			}
			switch {
			case asJSON(tm) != before:
				t.Errorf("%s: the round was changed in place", test.name)
			case want == "error":
				if !errors.Is(err, ErrState) {
					t.Errorf("%s: %v, want ErrState", test.name, err)
				}
				continue
			case err != nil:
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			r := next.Rounds[0]
			if got := boards(r); got != want || len(delta.Rounds) != 1 {
				t.Errorf("%s, published %v: %s, want %s", test.name, published, got, want)
			}
			for i, p := range r.Pairings {
				same := i < len(tm.Rounds[0].Pairings) && fmt.Sprint(tm.Rounds[0].Pairings[i].Seats) == fmt.Sprint(p.Seats)
				if published && p.Bye == NoBye && (p.GameID == "new") == same {
					t.Errorf("%s: board %d has the game %q", test.name, p.Board, p.GameID)
				}
				if p.Bye != NoBye && p.Result.Points[0] != tm.Points.ForBye(p.Bye) {
					t.Errorf("%s: a %s is worth %s", test.name, p.Bye, p.Result.Points[0])
				}
			}
		}
	}
}

func TestPairingByHandRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		edit Edit
		want error
	}{
		"no such board":             {Edit{Kind: Unpair, Board: 9}, ErrNotFound},
		"a bye is no game":          {Edit{Kind: Unpair, Board: 4}, ErrInvalid},
		"a stranger":                {Edit{Kind: SwapEntries, Entries: []string{"e1", "x"}}, ErrInvalid},
		"with oneself":              {Edit{Kind: SwapEntries, Entries: []string{"e1", "e1"}}, ErrInvalid},
		"who is paired":             {Edit{Kind: Pair, Entries: []string{"e1", "e7"}}, ErrInvalid},
		"a game of one":             {Edit{Kind: Pair, Entries: []string{"e7"}}, ErrInvalid},
		"oneself":                   {Edit{Kind: Pair, Entries: []string{"e7", "e7"}}, ErrInvalid},
		"a bye for who is paired":   {Edit{Kind: GiveBye, Entries: []string{"e1"}, Bye: HalfPoint}, ErrInvalid},
		"a bye of no kind":          {Edit{Kind: GiveBye, Entries: []string{"e7"}, Bye: "XYZ"}, ErrInvalid},
		"another's seats":           {Edit{Kind: Reseat, Board: 1, Entries: []string{"e1", "e3"}}, ErrInvalid},
		"something else altogether": {Edit{Kind: "shuffle"}, ErrInvalid},
	} {
		tm := drawnUp(t, false)
		if _, _, err := tm.EditRound(1, []Edit{test.edit}, Editing{Begun: neverBegun, NewGame: games()}); !errors.Is(err,
			test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	tm := drawnUp(t, false)
	next, delta, err := tm.EditRound(1, []Edit{{Kind: Unpair, Board: 1}}, Editing{Begun: neverBegun, NewGame: games()})
	tm = ok(t, next, delta, err)
	if left := tm.Unpaired(1); len(left) != 2 || left[0].ID != "e1" {
		t.Errorf("left without a pairing: %v", left)
	}
	if _, _, err := tm.Publish(games(), 1); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "N1") {
		t.Errorf("published with two left out: %v", err)
	}
}

// TestWhatWasPlayedStays: boards of a published round that have a result, or a game with a move, and every earlier
// round.
func TestWhatWasPlayedStays(t *testing.T) {
	tm := drawnUp(t, true)
	next, delta, err := tm.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	tm = ok(t, next, delta, err)
	next, delta, err = tm.SetResult(1, 3, Verdict{Ranks: []int{1, 2}, Forfeit: true}, "x", "e6 never came", 1)
	tm = ok(t, next, delta, err)
	how := Editing{NewGame: func() string { return "new" }, By: "x", Begun: func(id string) error {
		if id == tm.Rounds[0].Pairings[1].GameID {
			return Refuse(ErrState, "it has begun")
		}
		return nil
	}}
	for _, board := range []int{1, 2} {
		if _, _, err := tm.EditRound(1, []Edit{{Kind: Reseat, Board: board}}, how); !errors.Is(err, ErrState) {
			t.Errorf("board %d: %v, want ErrState", board, err)
		}
	}
	if _, _, err := tm.DropRound(1, neverBegun); !errors.Is(err, ErrState) {
		t.Errorf("a round with a result was deleted: %v", err)
	}
	// A player without an opponent gets a game against the one with the bye.
	next, delta, err = tm.EditRound(1, []Edit{
		{Kind: Unpair, Board: 3}, {Kind: Pair, Entries: []string{"e5", "e7"}}, {Kind: GiveBye, Entries: []string{"e6"}, Bye: ZeroPoint},
	}, how)
	after := ok(t, next, delta, err)
	if got, want := boards(after.Rounds[0]), "e1-e2 e3-e4 e5-e7 e6:ZPB"; got != want ||
		after.Rounds[0].Pairings[2].GameID != "new" {
		t.Errorf("%s, want %s", got, want)
	}
	if c := delta.Changes; len(c) != 1 || c[0].Before == nil || c[0].After != nil || c[0].Board != 3 {
		t.Errorf("the history says %+v, want the forfeit taken back", c)
	}
	tm = playedOut(t, swiss(t, PairingRules{}, 4, 3, 2, 1))
	tm = playedOut(t, tm)
	if _, _, err := tm.EditRound(1, []Edit{{Kind: Reseat, Board: 1}}, how); !errors.Is(err, ErrState) {
		t.Errorf("a past round: %v, want ErrState", err)
	}
	if _, _, err := tm.EditRound(3, []Edit{{Kind: Reseat, Board: 1}}, how); !errors.Is(err, ErrNotFound) {
		t.Errorf("a round to come: %v, want ErrNotFound", err)
	}
}

func TestRepairableRounds(t *testing.T) {
	tm := playedOut(t, swiss(t, PairingRules{}, 4, 3, 2, 1))
	if got := tm.Repairable(1, neverBegun); got != nil {
		t.Errorf("after the only round: %v", got)
	}
	tm = inRound(t, tm, anyRound(tm)...)
	begun := func(string) error { return Refuse(ErrState, "begun") }
	if got := tm.Repairable(1, neverBegun); fmt.Sprint(got) != "[2]" || tm.Repairable(1, begun) != nil ||
		tm.Repairable(2, neverBegun) != nil {
		t.Errorf("round 2, not begun: %v", got)
	}
	next, delta, err := tm.DropRound(2, neverBegun)
	if dropped := ok(t, next, delta, err); len(dropped.Rounds) != 1 || fmt.Sprint(delta.RemovedRounds) != "[2]" {
		t.Errorf("%d rounds, removed %v", len(dropped.Rounds), delta.RemovedRounds)
	}
	if _, _, err := tm.DropRound(1, neverBegun); !errors.Is(err, ErrState) {
		t.Errorf("the round before the last was deleted: %v", err)
	}
}
