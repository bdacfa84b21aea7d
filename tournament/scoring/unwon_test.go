package scoring_test

import (
	"errors"
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestResultsThatNeitherWon: an arbiter enters them as games that were played; players cannot report them.
func TestResultsThatNeitherWon(t *testing.T) {
	for _, tt := range []struct {
		text   string
		points []tournament.Points
	}{
		{"1/2-0", []tournament.Points{5, 0}},
		{"0-1/2", []tournament.Points{0, 5}},
		{"0-0", []tournament.Points{0, 0}},
	} {
		tm := tournamenttest.DrawnUp(t, true)
		v, err := tournament.ParseVerdict(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		next, err := scoring.SetResult(tm, 1, 1, v, "arbiter", "both had their phones on", 9)
		if err != nil {
			t.Fatalf("%s: %v", tt.text, err)
		}
		p, _ := next.Pairing(1, 1)
		cells := []tournament.Cell{p.Cell(0, next.Numbers()), p.Cell(1, next.Numbers())}
		if p.Text() != tt.text || !slices.Equal(p.Result.Points, tt.points) || p.Result.Rateable() ||
			cells[0].Kind != tournament.Played || cells[1].Kind != tournament.Played || next.Delta.Changes[0].Act().After != tt.text {
			t.Errorf("%s is %s with %v, cells %+v", tt.text, p.Text(), p.Result.Points, cells)
		}
		if err := scoring.CheckReport(tm, 1, 1, v); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("players report %s: %v", tt.text, err)
		}
		keizer := *tm
		keizer.Format = tournament.Keizer
		if _, err := scoring.SetResult(&keizer, 1, 1, v, "arbiter", "", 9); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s in a Keizer season: %v", tt.text, err)
		}
		rated := true
		v.Rated = &rated
		if _, err := scoring.SetResult(tm, 1, 1, v, "arbiter", "", 9); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s is rated: %v", tt.text, err)
		}
	}
}

// TestCorrectionForTheRatingsAlone leaves points, ranks and pairings as they are.
func TestCorrectionForTheRatingsAlone(t *testing.T) {
	tm := tournamenttest.DrawnUp(t, true)
	tm.Rounds[0].Pairings[0].GameID = ""
	entered, err := scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "arbiter", "", 9)
	if err != nil {
		t.Fatal(err)
	}
	lost := tournament.Verdict{Ranks: []int{2, 1}, RatingOnly: true}
	if _, err := scoring.SetResult(entered.Tournament, 1, 1, lost, "arbiter", "sheet", 10); !errors.Is(err, tournament.ErrState) {
		t.Errorf("no round follows, and it is corrected: %v", err)
	}
	over := *entered.Tournament
	over.Status = tournament.Finished
	for why, v := range map[string]tournament.Verdict{
		"":      lost,
		"a":     {Forfeit: true, Ranks: []int{1, 2}, RatingOnly: true},
		"sheet": {Ranks: []int{1, 2, 3}, RatingOnly: true},
	} {
		if _, err := scoring.SetResult(&over, 1, 1, v, "arbiter", why, 10); err == nil {
			t.Errorf("%+v because %q is taken", v, why)
		}
	}
	next, err := scoring.SetResult(&over, 1, 1, lost, "arbiter", "sheet", 10)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := next.Pairing(1, 1)
	act := next.Delta.Changes[0].Act()
	if p.Text() != "1-0" || p.Result.RatedText() != "0-1" || p.Result.Points[0] != tournament.StandardPoints.Win ||
		!slices.Equal(next.GameRanks(p), []int{2, 1}) || act.Kind != tournament.ActRating || act.Before != "1-0" ||
		act.After != "0-1" {
		t.Errorf("corrected to %+v as %+v", p.Result, act)
	}
	undone, err := next.Undo(tournament.UndoOf(&over, next.Tournament, next.Delta), func() string { return "g" }, "arbiter", 11)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := undone.Pairing(1, 1); p.Result.RatedAs != nil || len(undone.Delta.Changes) != 1 || !undone.Delta.Changes[0].RatingOnly() {
		t.Errorf("taken back: %+v, %+v", p.Result, undone.Delta.Changes)
	}
	back, err := scoring.SetResult(next.Tournament, 1, 1, tournament.Verdict{Ranks: []int{1, 2}, RatingOnly: true}, "arbiter",
		"it was right", 12)
	if p, _ := back.Pairing(1, 1); err != nil || p.Result.RatedAs != nil {
		t.Errorf("the result as it stands: %+v, %v", p.Result, err)
	}
}
