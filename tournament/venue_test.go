package tournament_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestNoGameIsOpenedInTheHall checks that a hall board has an id to be rated under, and no game on the server.
func TestNoGameIsOpenedInTheHall(t *testing.T) {
	tm := tournamenttest.Hall(t, true)
	for n := 1; n <= 2; n++ {
		if p := tournamenttest.Board(t, tm, n); p.GameID != "" || p.HallGame == "" || tm.VenueOf(1, p) != tournament.InHall {
			t.Errorf("board %d: %+v", n, p)
		}
	}
}

// TestNoGameOfTheServerEndsInTheHall checks that the end of a server's game opens no other game on a hall board.
func TestNoGameOfTheServerEndsInTheHall(t *testing.T) {
	tm := tournamenttest.Hall(t, true)
	for name, end := range map[string]func() (*tournament.Revision, error){
		"over": func() (*tournament.Revision, error) {
			return scoring.GameOver(tm, 1, 1, []int{1, 2}, 9, "g", "line", 1)
		},
		"void": func() (*tournament.Revision, error) {
			return scoring.GameVoid(tm, 1, 1, "g", "replay", 1)
		},
		"aborted": func() (*tournament.Revision, error) {
			return scoring.GameAborted(tm, 1, 1, "abort", 1)
		},
		"table": func() (*tournament.Revision, error) {
			return scoring.TableOver(tm, 1, 1, []int{1, 2}, []int{2}, "line", 1)
		},
	} {
		if _, err := end(); !errors.Is(err, tournament.ErrState) || !strings.Contains(err.Error(), "played over the board") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhichResultsInTheHallAreRated checks explicit settings and the default.
func TestWhichResultsInTheHallAreRated(t *testing.T) {
	yes, no := true, false
	win := []int{1, 2}
	for _, tt := range []struct {
		what    string
		v       tournament.Verdict
		unrated bool // the tournament
		want    bool
		refused string
	}{
		{what: "a win", v: tournament.Verdict{Ranks: win}, want: true},
		{what: "a win in an unrated tournament", v: tournament.Verdict{Ranks: win}, unrated: true},
		{what: "switched off", v: tournament.Verdict{Ranks: win, Rated: &no}},
		{what: "a forfeit", v: tournament.Verdict{Ranks: win, Forfeit: true}},
		{what: "a forfeit, switched off", v: tournament.Verdict{Ranks: win, Forfeit: true, Rated: &no}},
		{what: "adjudicated", v: tournament.Verdict{Ranks: win, Adjudicated: true}},
		{what: "adjudicated, switched on", v: tournament.Verdict{Ranks: win, Adjudicated: true, Rated: &yes}, want: true},
		{what: "a forfeit, switched on", v: tournament.Verdict{Ranks: win, Forfeit: true, Rated: &yes}, refused: "not played"},
		{what: "switched on in an unrated tournament", v: tournament.Verdict{Ranks: win, Rated: &yes}, unrated: true, refused: "not rated"},
	} {
		next, err := scoring.SetResult(tournamenttest.Hall(t, !tt.unrated), 1, 1, tt.v, "x", "because", 1)
		var faults tournament.FieldErrors
		if tt.refused != "" {
			if !errors.As(err, &faults) || faults[0].Field != "rated" || !strings.Contains(faults[0].Detail, tt.refused) {
				t.Errorf("%s: %v, want it to be refused because %q", tt.what, err, tt.refused)
			}
			continue
		}
		if got := tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1).Result.Rated; got != tt.want {
			t.Errorf("%s: rated is %v", tt.what, got)
		}
	}
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3)
	tm.Rated = true
	tm = tournamenttest.InRound(t, tm, tournamenttest.AnyRound(tm)...)
	_, err := scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: win, Rated: &yes}, "x", "", 1)
	if !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a board on the server: %v", err)
	}
	next, err := scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: win}, "x", "", 1)
	if tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1).Result.Rated {
		t.Error("a result by hand of a board on the server is rated")
	}
}

// TestMovingABoard moves a board while its game is open and has not begun.
func TestMovingABoard(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1)
	next, err := tm.AddRound(tournamenttest.AnyRound(tm))
	tm = tournamenttest.Must(t)(next, err)
	how := tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: func() string { return "new" }}
	drawn := tournamenttest.Must(t)(tm.SetVenue(1, 2, tournament.InHall, how))
	tm = tournamenttest.Must(t)(drawn.Publish(tournamenttest.Games(), 1))
	if one, two := tournamenttest.Board(t, tm, 1), tournamenttest.Board(t, tm, 2); one.GameID == "" || one.HallGame != "" ||
		two.GameID != "" ||
		two.HallGame == "" {
		t.Errorf("published: %+v and %+v", one, two)
	}
	moved := tournamenttest.Must(t)(tm.SetVenue(1, 1, tournament.InHall, how))
	if p := tournamenttest.Board(t, moved, 1); p.GameID != "" || p.HallGame != "new" || p.Games != 0 {
		t.Errorf("moved to the hall: %+v", p)
	}
	if same, err := moved.SetVenue(1, 1, tournament.InHall, how); same.Tournament != moved || !tournamenttest.Empty(same.Delta) || err != nil {
		t.Errorf("moved twice: %+v, %v", same.Delta, err)
	}
	next, err = moved.SetVenue(1, 1, tournament.OnServer, how)
	if p := tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1); p.GameID != "new" || p.HallGame != "" ||
		p.Games != 1 {
		t.Errorf("moved back: %+v", p)
	}

	refused := func(what string, tm *tournament.Tournament, n int, to tournament.Venue, how tournament.Editing, kind error) {
		t.Helper()
		if _, err := tm.SetVenue(1, n, to, how); !errors.Is(err, kind) {
			t.Errorf("%s: %v", what, err)
		}
	}
	begun := tournament.Editing{
		NewGame: tournamenttest.Games(),
		Begun:   func(string) error { return tournament.NotNow("its game has begun") },
	}
	refused("a game that has begun", tm, 1, tournament.InHall, begun, tournament.ErrState)
	refused("no such venue", tm, 1, "cellar", how, tournament.ErrInvalid)
	refused("no such board", tm, 3, tournament.InHall, how, tournament.ErrNotFound)
	next, err = scoring.SetResult(moved, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	refused("a board with a result", tournamenttest.Must(t)(next, err), 1, tournament.OnServer, how, tournament.ErrState)
	next, err = scoring.Adjourn(moved, 1, 1, "x", "tomorrow", 1)
	refused("an adjourned game", tournamenttest.Must(t)(next, err), 1, tournament.OnServer, how, tournament.ErrState)
}

// TestAResultInTheHallIsRemoved checks that only results of the latest round are removed, and none of a server's game.
func TestAResultInTheHallIsRemoved(t *testing.T) {
	open := tournamenttest.Hall(t, true)
	next, err := scoring.SetResult(open, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	won := tournamenttest.Must(t)(next, err)
	next, err = scoring.SetRecord(won, 1, 1, "moves")
	recorded := tournamenttest.Must(t)(next, err)
	if p := tournamenttest.Board(t, recorded, 1); p.Record != tournament.NewRecordText("moves").Digest ||
		len(next.Delta.Records) != 1 {
		t.Fatalf("%+v, %+v", p, next.Delta)
	}
	next, err = scoring.ClearResult(recorded, 1, 1, "x", "the wrong board", 2)
	if p := tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1); p.Result != nil || p.Record != "" || p.HallGame != tournamenttest.Board(t, open, 1).
		HallGame ||
		len(next.Delta.Changes) != 1 {
		t.Errorf("cleared: %+v, %+v", p, next.Delta.Changes)
	}
	next, err = scoring.SetResult(recorded, 1, 1, tournament.Verdict{Ranks: []int{2, 1}}, "x", "", 2)
	if p := tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1); p.Record != "" {
		t.Errorf("the record contradicts the result: %+v", p)
	}
	next, err = scoring.SetResult(recorded, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "better words", 2)
	if p := tournamenttest.Board(t, tournamenttest.Must(t)(next, err), 1); p.Record == "" {
		t.Error("the record went with the reason")
	}
	if same, err := scoring.ClearResult(open, 1, 1, "x", "", 2); same.Tournament != open || err != nil {
		t.Errorf("no result: %v", err)
	}
	if _, err := scoring.SetRecord(open, 1, 1, "moves"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a record without a result: %v", err)
	}
	next, err = scoring.SetResult(won, 1, 2, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	later := tournamenttest.Must(t)(next, err)
	later = tournamenttest.InRound(t, later, tournamenttest.AnyRound(later)...)
	if _, err := scoring.ClearResult(later, 1, 1, "x", "", 2); !errors.Is(err, tournament.ErrState) {
		t.Errorf("an earlier round: %v", err)
	}
	server := tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3)
	server = tournamenttest.InRound(t, server, tournamenttest.AnyRound(server)...)
	next, err = scoring.SetResult(server, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	_, err = scoring.ClearResult(tournamenttest.Must(t)(next, err), 1, 1, "x", "", 2)
	if !errors.Is(err, tournament.ErrState) {
		t.Errorf("a board on the server: %v", err)
	}
}

// TestTextsOfUndoKnowNoVenue checks that undo texts of tournaments without a chosen venue are as before venues existed.
func TestTextsOfUndoKnowNoVenue(t *testing.T) {
	tm := tournamenttest.Swiss(t, tournament.PairingRules{}, 4, 3)
	open := tournamenttest.InRound(t, tm, tournamenttest.AnyRound(tm)...)
	next, err := scoring.SetResult(open, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	text := tournament.UndoOf(open, tournamenttest.Must(t)(next, err), next.Delta)
	for _, word := range []string{"Venue", "HallGame", "Record", "Rated\":true"} {
		if strings.Contains(text, word) {
			t.Errorf("the stored form has changed, it says %s: %s", word, text)
		}
	}
	back, err := next.Undo(text, tournamenttest.Games(), "x", 2)
	if tournamenttest.Must(t)(back, err).Venue != tournament.OnServer {
		t.Errorf("taken back, the tournament is played at %q", back.Venue)
	}
}
