package engine_test

import (
	"errors"
	"testing"

	"quatuor/engine"
)

func TestParseToken(t *testing.T) {
	tests := []struct {
		info engine.Info
		text string
		want engine.Event // the zero event if it is no token
	}{
		{open, "c1-c5", engine.Event{Kind: engine.Moved, Text: "c1-c5"}},
		{open, "2:c1-c5", engine.Event{Kind: engine.Moved, Seat: 2, Text: "c1-c5"}},
		{secret, "3:g22", engine.Event{Kind: engine.Moved, Seat: 3, Text: "g22"}},
		{secret, "g22", engine.Event{}},
		{open, "3:c1-c5", engine.Event{}},
		{open, "0:c1-c5", engine.Event{}},
		{open, "01:c1-c5", engine.Event{}},
		{open, "+1:c1-c5", engine.Event{}},
		{open, ":c1-c5", engine.Event{}},
		{open, "::", engine.Event{}},
		{open, "1:!time", engine.Event{Kind: engine.Left, Seat: 1, Text: "time"}},
		{open, "2:!resignation", engine.Event{Kind: engine.Left, Seat: 2, Text: "resignation"}},
		{open, "2:!forfeit", engine.Event{Kind: engine.Left, Seat: 2, Text: "forfeit"}},
		{open, "!forfeit", engine.Event{}},
		{open, "3:!forfeit", engine.Event{}},
		{open, "1:!line", engine.Event{}},
		{open, "1:!", engine.Event{}},
		{open, "!agreement", engine.Event{Kind: engine.Agreed}},
		{secret, "!agreement", engine.Event{Kind: engine.Agreed}},
		{open, "1:!agreement", engine.Event{}},
		{open, "!Agreement", engine.Event{}},
	}
	for _, tt := range tests {
		got, err := engine.ParseToken(tt.info, tt.info.Seats[0], tt.text)
		if got != tt.want || (err == nil) == (tt.want == engine.Event{}) || err != nil &&
			!errors.Is(err, engine.ErrNotation) {
			t.Errorf("%s of %s reads as %v, error %v; want %v", tt.text, tt.info.ID, got, err, tt.want)
		}
	}
}

// FuzzParseToken: a token that is read prints as the same token, with or without its seat.
func FuzzParseToken(f *testing.F) {
	for _, text := range []string{"c1-c5", "2:c1-c5", "1:!time", "!agreement", "::", "", "1:", "9:!time", "1:2:g22"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, info := range []engine.Info{open, secret} {
			e, err := engine.ParseToken(info, info.Seats[0], text)
			if err != nil {
				if engine.KindOf(err) != "notation" || e != (engine.Event{}) {
					t.Errorf("%q: event %v, error %v", text, e, err)
				}
				continue
			}
			if got := e.Token(e.Kind == engine.Moved && e.Seat != 0); got != text {
				t.Errorf("%q prints as %q", text, got)
			}
		}
	})
}

// TestMover: a move without a seat belongs to the only seat on turn, and is refused if there are several.
func TestMover(t *testing.T) {
	one, both := engine.Await(2), engine.Pending{Awaited: []engine.Seat{1, 3}}
	tests := []struct {
		pending engine.Pending
		seat    engine.Seat
		want    engine.Seat
		refused string // the message
	}{
		{one, 2, 2, ""},
		{one, 0, 2, ""},
		{one, 1, 0, "seat 1 is not awaited now; it is seat 2's turn"},
		{both, 3, 3, ""},
		{both, 0, 0, "seat 0 is not awaited now; the game waits for seats 1, 3"},
		{both, 2, 0, "seat 2 is not awaited now; the game waits for seats 1, 3"},
	}
	for _, tt := range tests {
		got, err := engine.Mover(tt.pending, engine.Event{Kind: engine.Moved, Seat: tt.seat})
		if got != tt.want || (err == nil) != (tt.refused == "") || err != nil &&
			(err.Error() != tt.refused || !errors.Is(err, engine.ErrTurn)) {
			t.Errorf("seat %d of %v: seat %d, error %v", tt.seat, tt.pending.Awaited, got, err)
		}
	}
}

func TestStatus(t *testing.T) {
	teams := engine.Info{ID: "test/teams", Seats: []int{4}, Sides: 2}
	tests := []struct {
		info  engine.Info
		seats int
		text  string
		ok    bool
	}{
		{open, 2, "1", true},
		{open, 2, "2", true},
		{open, 2, "3", false},
		{open, 2, "0", false},
		{open, 2, "", false},
		{open, 2, "=1,2:line", true},
		{open, 2, "=1,1:length", true},
		{open, 2, "=2,2:length", false},
		{open, 2, "=1,3:line", false},
		{open, 2, "=1,2,2:line", false},
		{open, 2, "=:line", false},
		{teams, 4, "=1,2,1,2:line", true},
		{teams, 4, "=1,2,2,1:line", false},
		{secret, 4, "=1,2,4,3:out", true},
		{secret, 4, "=2,1,2,2:out", true},
		{secret, 4, "=1,1,1,4:blocked", true},
		{secret, 4, "=1,1,1,2:blocked", false},
	}
	for _, tt := range tests {
		p, err := engine.ParseStatus(tt.info, tt.seats, tt.text)
		if (err == nil) != tt.ok || tt.ok && p.Status() != tt.text {
			t.Errorf("%s %q reads as %v, error %v; want ok %v", tt.info.ID, tt.text, p, err, tt.ok)
		}
	}
}

func TestGone(t *testing.T) {
	g, err := engine.ParseGone(4, "3,1")
	if err != nil || !g.Has(3) || g.Has(2) || g.String() != "3,1" {
		t.Fatalf("got %v, error %v", g, err)
	}
	longer := g.With(2)
	if g.String() != "3,1" || longer.String() != "3,1,2" || engine.Gone(nil).String() != "-" {
		t.Errorf("got %v and %v", g, longer)
	}
	if got := longer.Ranks(4); got[0] != 3 || got[1] != 2 || got[2] != 4 || got[3] != 1 {
		t.Errorf("ranks %v", got)
	}
	// Two games that go on from a game with three seats out, each without a fourth, do not see each other.
	three := engine.Gone(nil).With(5).With(2).With(4)
	if one, other := three.With(1), three.With(3); one.String() != "5,2,4,1" || other.String() != "5,2,4,3" {
		t.Errorf("got %v and %v", one, other)
	}
	for _, text := range []string{"", "0", "5", "1,1", "1,", "x", "-,1"} {
		if g, err := engine.ParseGone(4, text); err == nil {
			t.Errorf("%q reads as %v", text, g)
		}
	}
}
