package tournament_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestWhatCannotBeTakenBack undoes acts that later acts depend on or have changed.
func TestWhatCannotBeTakenBack(t *testing.T) {
	tm := tournamenttest.PlayedOut(t, tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1))
	win := tournament.Verdict{Ranks: []int{1, 2}}
	refused := func(name, text string, tm *tournament.Tournament) {
		t.Helper()
		if _, err := tm.Undo(text, tournamenttest.Games(), "x", 1); !errors.Is(err, tournament.ErrState) {
			t.Errorf("%s: %v, want ErrState", name, err)
		}
	}
	published := tournamenttest.InRound(t, tm, tournamenttest.AnyRound(tm)...)
	open := tournamenttest.Must(t)(scoring.PlayAgain(published, 2, 1, "g", "x", "", 1))
	first, err := scoring.SetResult(open, 2, 1, win, "x", "", 1)
	text := tournament.UndoOf(open, first.Tournament, first.Delta)
	second, err2 := scoring.SetResult(tournamenttest.Must(t)(first, err), 2, 1,
		tournament.Verdict{Ranks: []int{2, 1}}, "x", "", 2)
	refused("a result that was corrected since", text, tournamenttest.Must(t)(second, err2))

	other, err := scoring.SetResult(first.Tournament, 2, 2, win, "x", "", 2)
	next, err := tournamenttest.Must(t)(other, err).Undo(text, tournamenttest.Games(), "x", 3)
	if back := tournamenttest.Must(t)(next, err); back.Rounds[1].Pairings[0].Result != nil ||
		back.Rounds[1].Status != tournament.Published ||
		len(next.Delta.Changes) != 1 {
		t.Errorf("a result of another board stands in the way: %+v", back.Rounds[1])
	}

	third := tournamenttest.InRound(t, other.Tournament, tournamenttest.AnyRound(other.Tournament)...)
	refused("a result from which a round was paired", text, third)

	newcomer, err := registration.AddEntry(other.Tournament, tournamenttest.Seeded(5, 9), tournament.Shape{Members: 1})
	text = tournament.UndoOf(other.Tournament, newcomer.Tournament, newcomer.Delta)
	paired := tournamenttest.InRound(t, tournamenttest.Must(t)(newcomer, err), tournamenttest.AnyRound(newcomer.Tournament)...)
	refused("an entry that has been paired", text, paired)
	refused("half a way back", text[:len(text)/2], newcomer.Tournament)
	refused("an act of an earlier version of the program", strings.Replace(text, `{"Form":2,`, `{`, 1), newcomer.Tournament)
	next, err = newcomer.Undo(text, tournamenttest.Games(), "x", 3)
	if back := tournamenttest.Must(t)(next, err); len(back.Entries) != 4 || len(back.Rounds[0].Pairings) != 2 ||
		tournamenttest.InOrder(back) != "e1 e2 e3 e4" {
		t.Errorf("without the newcomer: %s, round 1 %s", tournamenttest.InOrder(back), boards(back.Rounds[0]))
	}
}

// TestDroppedRoundsComeBack checks that restored rounds have new games, since the old games were given up.
func TestDroppedRoundsComeBack(t *testing.T) {
	tm := tournamenttest.InRound(
		t,
		tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1),
		tournamenttest.AnyRound(tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1))...)
	dropped, err := tm.DropRound(1, tournamenttest.NeverBegun)
	text := tournament.UndoOf(tm, dropped.Tournament, dropped.Delta, tournament.PairingInput{Round: 1, Text: "kept"})
	if !strings.Contains(text, `"Snapshots":[{"Round":1,"Text":"kept"}]`) {
		t.Errorf("the stored form has changed: %s", text)
	}
	next, err2 := tournamenttest.Must(t)(dropped, err).Undo(text, func() string { return "new" }, "x", 1)
	back := tournamenttest.Must(t)(next, err2)
	if got := boards(back.Rounds[0]); got != "e1-e2 e3-e4" || back.Rounds[0].Pairings[0].GameID != "new" ||
		next.Delta.Inputs[0].Text != "kept" {
		t.Errorf("round %s, game %q, inputs %v", got, back.Rounds[0].Pairings[0].GameID, next.Delta.Inputs)
	}
}

func TestAdjournedAndAdjudicated(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3)
	tm = tournamenttest.InRound(t, tm, tournamenttest.AnyRound(tm)...)
	var faults tournament.FieldErrors
	if _, err := scoring.Adjourn(tm, 1, 1, "x", " ", 1); !errors.As(err, &faults) || faults[0].Field != "reason" {
		t.Errorf("adjourned without a word: %v", err)
	}
	tm = tournamenttest.Must(t)(scoring.Adjourn(tm, 1, 1, "x", "Friday at 8", 1))
	if again, err := scoring.Adjourn(tm, 1, 1, "x", "Friday at 8", 2); again.Tournament != tm || !tournamenttest.Empty(again.Delta) || err != nil {
		t.Errorf("the same again: %+v, %v", again.Delta, err)
	}
	if err := tm.CanPair(); err == nil || !strings.Contains(err.Error(), "Friday at 8") {
		t.Errorf("the next round: %v, want it to wait for Friday", err)
	}
	decided := tournament.Verdict{Ranks: []int{1, 1}, Adjudicated: true}
	if _, err := scoring.SetResult(tm, 1, 1, decided, "x", " ", 2); !errors.As(err, &faults) || faults[0].Field != "reason" {
		t.Errorf("adjudicated without a reason: %v", err)
	}
	forfeited := tournament.Verdict{Ranks: []int{1, 2}, Adjudicated: true, Forfeit: true}
	if _, err := scoring.SetResult(tm, 1, 1, forfeited, "x", "y", 2); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("an adjudicated forfeit: %v, want ErrInvalid", err)
	}
	tm = tournamenttest.Must(t)(scoring.SetResult(tm, 1, 1, decided, "x", "dead position", 2))
	if p := tm.Rounds[0].Pairings[0]; !p.Result.Adjudicated || p.Adjourned != "" ||
		tm.Cards(1)[0].Cells[0].Kind != tournament.Played {
		t.Errorf("adjudicated: %+v, a cell of kind %d", p, tm.Cards(1)[0].Cells[0].Kind)
	}
	again, err := scoring.Adjourn(tm, 1, 1, "x", "after all", 3)
	tm = tournamenttest.Must(t)(again, err)
	if tm.Rounds[0].Status != tournament.Published || again.Delta.Changes[0].Before == nil {
		t.Errorf("adjourned after a result: %s, %+v", tm.Rounds[0].Status, again.Delta.Changes)
	}
	tm = tournamenttest.PlayedOut(t, tournamenttest.PlayedOut(t, tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3)))
	if _, err := scoring.Adjourn(tm, 1, 1, "x", "late", 3); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a game from which a round was paired: %v, want ErrState", err)
	}
}

// TestRemovedEntriesComeBack checks that entries return to their places, before entries that came later.
func TestRemovedEntriesComeBack(t *testing.T) {
	order := func(tm *tournament.Tournament) string {
		var ids []string
		for _, e := range tm.Entries {
			ids = append(ids, e.ID)
		}
		return strings.Join(ids, " ")
	}
	open := &tournament.Tournament{Status: tournament.Open, Format: tournament.Swiss}
	for i := 1; i <= 4; i++ {
		open = tournamenttest.Must(t)(registration.AddEntry(open, tournamenttest.Seeded(i, 1000), tournament.Shape{Members: 1}))
	}
	for _, id := range []string{"e1", "e2", "e4"} {
		without, err := registration.RemoveEntry(open, id)
		if err != nil {
			t.Fatal(err)
		}
		text := tournament.UndoOf(open, without.Tournament, without.Delta)
		next, err := without.Undo(text, tournamenttest.Games(), "x", 1)
		if back := tournamenttest.Must(t)(next, err); order(back) != "e1 e2 e3 e4" {
			t.Errorf("%s is back: %s", id, order(back))
		}
		later, err := registration.AddEntry(without.Tournament, tournamenttest.Seeded(5, 2000), tournament.Shape{Members: 1})
		next, err2 := tournamenttest.Must(t)(later, err).Undo(text, tournamenttest.Games(), "x", 1)
		if back := tournamenttest.Must(t)(next, err2); order(back) != "e1 e2 e3 e4 e5" {
			t.Errorf("%s is back before who came later: %s", id, order(back))
		}
	}
}
