package quiwin

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quatuor/engine"
)

// even is a start with the same hand for both seats.
const even = "rows -,-,-,-,-,-,-,-/-,-,-,-,-,-,-,- lay" +
	" hands b24,g22,o23,o25,r23,r24,y23,y23/b24,g22,o23,o25,r23,r24,y23,y23 chosen -,-" +
	" bag g22,o25,g22,r25,y23,y23,b24,b24,b24,b24,g22,o25,o23,o23 out - change 0 transfer - measured 0 lead 0 words 29"

func parse(tb testing.TB, position string) engine.State {
	tb.Helper()
	s, err := Variants()[0].Parse(engine.Setup{Seats: 2, Seed: engine.NewSeed([32]byte{1})}, position)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// play carries out tokens with their seats and returns the log that goes with them.
func play(tb testing.TB, s engine.State, record string) (engine.State, []engine.Event) {
	tb.Helper()
	var log []engine.Event
	for _, token := range strings.Fields(record) {
		e, err := engine.ParseToken(Variants()[0].Info(), seats, token)
		if err == nil {
			s, err = s.Apply(e)
		}
		if err != nil {
			tb.Fatalf("%s: %v", token, err)
		}
		log = append(log, e)
	}
	return s, log
}

// table prints what a viewer sees lying on the table, and the sealed choices it may see.
func table(s engine.State, v engine.Viewer) string {
	view := s.View(v).(View)
	var out, chosen []string
	for _, d := range view.Discarded {
		out = append(out, d.Tile)
	}
	for _, seat := range view.Seats {
		choice := seat.Choice
		if seat.HasChosen && choice == "" {
			choice = "?"
		}
		chosen = append(chosen, choice)
	}
	return fmt.Sprintf("%v %v out %v chosen %s", view.Seats[0].Row, view.Seats[1].Row, out, strings.Join(chosen, "/"))
}

func reading(events []engine.Event) string {
	words := make([]string, len(events))
	for i, e := range events {
		words[i] = e.Text
		if e.Text == "" {
			words[i] = "_"
		}
	}
	return strings.Join(words, " ")
}

// TestViews follows a game step by step through the eyes of a spectator and of both seats.
func TestViews(t *testing.T) {
	none, one, two := engine.Viewer{}, engine.ViewerOf(1), engine.ViewerOf(2)
	const transferred = "1:o25 2:g22 1:transfer 2:none 2:give-1"
	for _, tc := range []struct {
		record string
		viewer engine.Viewer
		table  string
		log    string
	}{
		{"1:o25", none, "[] [] out [] chosen ?/", "_"},
		{"1:o25", one, "[] [] out [] chosen o25/", "o25"},
		{"1:o25", two, "[] [] out [] chosen ?/", "_"},
		{"1:o25 2:g22", none, "[o?] [g22] out [] chosen /", "o? g22"},
		{"1:o25 2:g22", one, "[o25] [g22] out [] chosen /", "o25 g22"},
		{"1:o25 2:g22", two, "[o?] [g22] out [] chosen /", "o? g22"},
		{"1:o25 2:g22 2:none", none, "[o?] [g22] out [] chosen /?", "o? g22 _"},
		{"1:o25 2:g22 2:none", one, "[o25] [g22] out [] chosen /?", "o25 g22 _"},
		{"1:o25 2:g22 2:none", two, "[o?] [g22] out [] chosen /none", "o? g22 none"},
		{"1:o25 2:g22 2:none 1:transfer", two, "[o?] [g22] out [] chosen /", "o? g22 none transfer"},
		// A tile that was transferred is known to both seats, in the row and in the log.
		{transferred, none, "[g22] [o?] out [g22] chosen /", "o? g22 transfer none give-1"},
		{transferred, two, "[g22] [o25] out [g22] chosen /", "o25 g22 transfer none give-1"},
		// The tile drawn for a change is known to the seat of its row alone, and so is the tile that left.
		{"1:o25 2:o23 1:change 2:none 2:none 1:o23 2:y23", none, "[o? o?] [g22 y23] out [o?] chosen /", "o? o? change none none o? y23"},
		// Here seat 2 has no action (its tile is red), so no window opens: tier 1 is measured and open.
		{"1:o25 2:o23 1:change 2:none 2:none 1:o23 2:r23", none, "[o25 o23] [g22 r23] out [o23] chosen /", "o25 o23 change none none o23 r23"},
		{
			"1:g22 2:o23 1:none 2:none 1:y23 2:o25 1:change 2:none 2:none", none,
			"[g22 y23] [o23 g22] out [o25] chosen /", "g22 o23 none none y23 o25 change none none",
		},
		{
			"1:r23 2:g22 1:none 1:g22 2:o25 1:none 2:none 1:o23 2:r24", two,
			"[r23 g22 o?] [g22 o25 r24] out [] chosen /", "r23 g22 none g22 o25 none none o? r24",
		},
		// The change took the orange tile first, so the tile transferred came from the bag.
		{"1:o25 2:o23 1:transfer 2:change 2:give-1", one, "[o25] [g22] out [o25 o?] chosen /", "o25 o? transfer change give-1"},
		{"1:o25 2:o23 1:transfer 2:change 2:give-1", two, "[o?] [g22] out [o? o23] chosen /", "o? o23 transfer change give-1"},
		// At the end everything is public, the choice still sealed included.
		{"1:o25 2:g22 1:none 2:none 1:r24 2:!time", none, "[o25] [g22] out [] chosen r24/", "o25 g22 none none r24 time"},
	} {
		s, log := play(t, parse(t, even), tc.record)
		if got := table(s, tc.viewer); got != tc.table {
			t.Errorf("%s: viewer %v sees %s, want %s", tc.record, tc.viewer, got, tc.table)
		}
		if got := reading(s.Redact(tc.viewer, log)); got != tc.log {
			t.Errorf("%s: viewer %v reads %s, want %s", tc.record, tc.viewer, got, tc.log)
		}
		if tail := log[len(log)-1:]; reading(s.Redact(tc.viewer, tail)) != tc.log[strings.LastIndex(tc.log, " ")+1:] {
			t.Errorf("%s: viewer %v reads the tail as %s", tc.record, tc.viewer, reading(s.Redact(tc.viewer, tail)))
		}
	}
}

// TestRedactHidesMovesOnly: events other than moves reveal nothing of a tile, even beside a sealed choice.
func TestRedactHidesMovesOnly(t *testing.T) {
	s, log := play(t, parse(t, even), "1:o25 2:g22 1:none 2:none 1:r24")
	log = append(log, engine.Event{Kind: engine.Agreed}, engine.Event{Kind: engine.Left, Seat: 1, Text: "time"})
	if got := reading(s.Redact(engine.Viewer{}, log)); got != "o? g22 none none _ _ time" {
		t.Errorf("a spectator reads %s", got)
	}
}

func TestHandsAndBagOpenAtTheEnd(t *testing.T) {
	s, _ := play(t, parse(t, even), "1:o25 2:g22")
	view := s.View(engine.ViewerOf(2)).(View)
	if view.Bag != nil || view.BagCount != 14 || view.Seats[0].Hand != nil || view.Seats[0].HandCount != 7 ||
		len(view.Seats[1].Hand) != 7 {
		t.Errorf("seat 2 sees %+v", view)
	}
	s, _ = play(t, s, "1:!resignation")
	view = s.View(engine.Viewer{}).(View)
	if len(view.Bag) != 14 || len(view.Seats[0].Hand) != 7 || len(view.Seats[1].Hand) != 7 || view.Phase != "over" {
		t.Errorf("after the end a spectator sees %+v", view)
	}
}

// TestChoicesAreSealedWhereBothMayChoose: tiles and the first choice of a window are secret, what follows is open.
func TestChoicesAreSealedWhereBothMayChoose(t *testing.T) {
	for record, want := range map[string]engine.Pending{
		"":                                       {Awaited: []engine.Seat{1, 2}, Sealed: true},
		"2:o25":                                  {Awaited: []engine.Seat{1}, Sealed: true},
		"1:o25 2:g22":                            {Awaited: []engine.Seat{1, 2}, Sealed: true},
		"1:o25 2:g22 1:change":                   {Awaited: []engine.Seat{2}, Sealed: true},
		"1:r23 2:g22":                            {Awaited: []engine.Seat{1}, Sealed: true},
		"1:o25 2:g22 1:change 2:none":            {Awaited: []engine.Seat{2}},
		"1:o25 2:g22 1:change 2:none 2:transfer": {Awaited: []engine.Seat{1}},
	} {
		s, _ := play(t, parse(t, even), record)
		if got := s.Pending(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: awaited %v, sealed %v; want %v, %v", record, got.Awaited, got.Sealed, want.Awaited, want.Sealed)
		}
	}
}
