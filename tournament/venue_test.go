package tournament

import (
	"errors"
	"strings"
	"testing"
)

// hall returns a running tournament of four in the hall, in its first round.
func hall(t *testing.T, rated bool) *Tournament {
	t.Helper()
	tm := swiss(t, PairingRules{}, 4, 3, 2, 1)
	s := tm.Settings()
	s.Venue = InHall
	next, delta, err := tm.Configure(s, testChecks)
	tm = ok(t, next, delta, err)
	tm.Rated = rated
	return inRound(t, tm, anyRound(tm)...)
}

func board(t *testing.T, tm *Tournament, n int) Pairing {
	t.Helper()
	p, err := tm.Pairing(len(tm.Rounds), n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNoGameIsOpenedInTheHall: a hall board has an id to be rated under, and none of a game on the server.
func TestNoGameIsOpenedInTheHall(t *testing.T) {
	tm := hall(t, true)
	for n := 1; n <= 2; n++ {
		if p := board(t, tm, n); p.GameID != "" || p.HallGame == "" || tm.VenueOf(1, p) != InHall {
			t.Errorf("board %d: %+v", n, p)
		}
	}
}

// TestNoGameOfTheServerEndsInTheHall: and so none opens another one there.
func TestNoGameOfTheServerEndsInTheHall(t *testing.T) {
	tm := hall(t, true)
	for name, end := range map[string]func() (*Tournament, Delta, error){
		"over":    func() (*Tournament, Delta, error) { return tm.GameOver(1, 1, []int{1, 2}, 9, "g", "line", 1) },
		"void":    func() (*Tournament, Delta, error) { return tm.GameVoid(1, 1, "g", "replay", 1) },
		"aborted": func() (*Tournament, Delta, error) { return tm.GameAborted(1, 1, "abort", 1) },
		"table":   func() (*Tournament, Delta, error) { return tm.TableOver(1, 1, []int{1, 2}, []int{2}, "line", 1) },
	} {
		if _, _, err := end(); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "played over the board") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhichResultsInTheHallAreRated also by default.
func TestWhichResultsInTheHallAreRated(t *testing.T) {
	yes, no := true, false
	win := []int{1, 2}
	for _, tt := range []struct {
		what    string
		v       Verdict
		unrated bool // the tournament
		want    bool
		refused string
	}{
		{what: "a win", v: Verdict{Ranks: win}, want: true},
		{what: "a win in an unrated tournament", v: Verdict{Ranks: win}, unrated: true},
		{what: "switched off", v: Verdict{Ranks: win, Rated: &no}},
		{what: "a forfeit", v: Verdict{Ranks: win, Forfeit: true}},
		{what: "a forfeit, switched off", v: Verdict{Ranks: win, Forfeit: true, Rated: &no}},
		{what: "adjudicated", v: Verdict{Ranks: win, Adjudicated: true}},
		{what: "adjudicated, switched on", v: Verdict{Ranks: win, Adjudicated: true, Rated: &yes}, want: true},
		{what: "a forfeit, switched on", v: Verdict{Ranks: win, Forfeit: true, Rated: &yes}, refused: "not played"},
		{what: "switched on in an unrated tournament", v: Verdict{Ranks: win, Rated: &yes}, unrated: true, refused: "not rated"},
	} {
		next, delta, err := hall(t, !tt.unrated).SetResult(1, 1, tt.v, "x", "because", 1)
		var faults FieldErrors
		if tt.refused != "" {
			if !errors.As(err, &faults) || faults[0].Field != "rated" || !strings.Contains(faults[0].Detail, tt.refused) {
				t.Errorf("%s: %v, want it to be refused because %q", tt.what, err, tt.refused)
			}
			continue
		}
		if got := board(t, ok(t, next, delta, err), 1).Result.Rated; got != tt.want {
			t.Errorf("%s: rated is %v", tt.what, got)
		}
	}
	tm := swiss(t, PairingRules{}, 4, 3)
	tm.Rated = true
	tm = inRound(t, tm, anyRound(tm)...)
	if _, _, err := tm.SetResult(1, 1, Verdict{Ranks: win, Rated: &yes}, "x", "", 1); !errors.Is(err, ErrInvalid) {
		t.Errorf("a board on the server: %v", err)
	}
	next, delta, err := tm.SetResult(1, 1, Verdict{Ranks: win}, "x", "", 1)
	if board(t, ok(t, next, delta, err), 1).Result.Rated {
		t.Error("a result by hand of a board on the server is rated")
	}
}

// TestMovingABoard while its game is open and has not begun.
func TestMovingABoard(t *testing.T) {
	tm := swiss(t, PairingRules{}, 4, 3, 2, 1)
	next, delta, err := tm.AddRound(anyRound(tm))
	tm = ok(t, next, delta, err)
	how := Editing{Begun: neverBegun, NewGame: func() string { return "new" }}
	next, delta, err = tm.SetVenue(1, 2, InHall, how)
	drawn := ok(t, next, delta, err)
	next, delta, err = drawn.Publish(games(), 1)
	tm = ok(t, next, delta, err)
	if one, two := board(t, tm, 1), board(t, tm, 2); one.GameID == "" || one.HallGame != "" || two.GameID != "" ||
		two.HallGame == "" {
		t.Errorf("published: %+v and %+v", one, two)
	}
	next, delta, err = tm.SetVenue(1, 1, InHall, how)
	moved := ok(t, next, delta, err)
	if p := board(t, moved, 1); p.GameID != "" || p.HallGame != "new" || p.Games != 0 {
		t.Errorf("moved to the hall: %+v", p)
	}
	if same, delta, err := moved.SetVenue(1, 1, InHall, how); same != moved || !delta.Empty() || err != nil {
		t.Errorf("moved twice: %+v, %v", delta, err)
	}
	next, delta, err = moved.SetVenue(1, 1, OnServer, how)
	if p := board(t, ok(t, next, delta, err), 1); p.GameID != "new" || p.HallGame != "" || p.Games != 1 {
		t.Errorf("moved back: %+v", p)
	}

	refused := func(what string, tm *Tournament, n int, to Venue, how Editing, kind error) {
		t.Helper()
		if _, _, err := tm.SetVenue(1, n, to, how); !errors.Is(err, kind) {
			t.Errorf("%s: %v", what, err)
		}
	}
	begun := Editing{NewGame: games(), Begun: func(string) error { return Refuse(ErrState, "its game has begun") }}
	refused("a game that has begun", tm, 1, InHall, begun, ErrState)
	refused("no such venue", tm, 1, "cellar", how, ErrInvalid)
	refused("no such board", tm, 3, InHall, how, ErrNotFound)
	next, delta, err = moved.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	refused("a board with a result", ok(t, next, delta, err), 1, OnServer, how, ErrState)
	next, delta, err = moved.Adjourn(1, 1, "x", "tomorrow", 1)
	refused("an adjourned game", ok(t, next, delta, err), 1, OnServer, how, ErrState)
}

// TestAResultInTheHallIsRemoved only from the latest round, and only where no game of the server brought it.
func TestAResultInTheHallIsRemoved(t *testing.T) {
	open := hall(t, true)
	next, delta, err := open.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	won := ok(t, next, delta, err)
	next, delta, err = won.SetRecord(1, 1, "moves")
	recorded := ok(t, next, delta, err)
	if p := board(t, recorded, 1); p.Record != NewRecordText("moves").Digest || len(delta.Records) != 1 {
		t.Fatalf("%+v, %+v", p, delta)
	}
	next, delta, err = recorded.ClearResult(1, 1, "x", "the wrong board", 2)
	if p := board(t, ok(t, next, delta, err), 1); p.Result != nil || p.Record != "" || p.HallGame != board(t, open, 1).
		HallGame || len(delta.Changes) != 1 {
		t.Errorf("cleared: %+v, %+v", p, delta.Changes)
	}
	next, delta, err = recorded.SetResult(1, 1, Verdict{Ranks: []int{2, 1}}, "x", "", 2)
	if p := board(t, ok(t, next, delta, err), 1); p.Record != "" {
		t.Errorf("the record contradicts the result: %+v", p)
	}
	next, delta, err = recorded.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "better words", 2)
	if p := board(t, ok(t, next, delta, err), 1); p.Record == "" {
		t.Error("the record went with the reason")
	}
	if same, _, err := open.ClearResult(1, 1, "x", "", 2); same != open || err != nil {
		t.Errorf("no result: %v", err)
	}
	if _, _, err := open.SetRecord(1, 1, "moves"); !errors.Is(err, ErrState) {
		t.Errorf("a record without a result: %v", err)
	}
	next, delta, err = won.SetResult(1, 2, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	later := ok(t, next, delta, err)
	later = inRound(t, later, anyRound(later)...)
	if _, _, err := later.ClearResult(1, 1, "x", "", 2); !errors.Is(err, ErrState) {
		t.Errorf("an earlier round: %v", err)
	}
	server := swiss(t, PairingRules{}, 4, 3)
	server = inRound(t, server, anyRound(server)...)
	next, delta, err = server.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	if _, _, err := ok(t, next, delta, err).ClearResult(1, 1, "x", "", 2); !errors.Is(err, ErrState) {
		t.Errorf("a board on the server: %v", err)
	}
}

// TestTextsOfUndoKnowNoVenue, as before venues could be chosen.
func TestTextsOfUndoKnowNoVenue(t *testing.T) {
	tm := swiss(t, PairingRules{}, 4, 3)
	open := inRound(t, tm, anyRound(tm)...)
	next, delta, err := open.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1)
	text := UndoOf(open, ok(t, next, delta, err), delta)
	for _, word := range []string{"Venue", "HallGame", "Record", "Rated\":true"} {
		if strings.Contains(text, word) {
			t.Errorf("the stored form has changed, it says %s: %s", word, text)
		}
	}
	back, delta, err := next.Undo(text, games(), "x", 2)
	if ok(t, back, delta, err).Venue != OnServer {
		t.Errorf("taken back, the tournament is played at %q", back.Venue)
	}
}
