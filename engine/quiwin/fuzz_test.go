package quiwin

import (
	"errors"
	"slices"
	"testing"

	"quatuor/engine"
)

// stops are the records that lead from even to every phase.
var stops = []string{
	"", "1:o25", "1:o25 2:g22", "1:o25 2:g22 2:none", "1:o25 2:g22 1:transfer 2:none", "1:o25 2:g22 1:change 2:none",
	"1:o25 2:o23 1:change 2:none 2:none 1:o23 2:r23", "1:o25 2:g22 1:none 2:none 1:r24 2:!time",
}

// FuzzMove: a text is carried out exactly if it is listed as legal, and otherwise refused without harm.
func FuzzMove(f *testing.F) {
	for _, text := range texts {
		f.Add(text, uint8(1))
		f.Add(text+"0", uint8(2))
	}
	var states []engine.State
	for _, record := range stops {
		s, _ := play(f, parse(f, even), record)
		states = append(states, s)
	}
	f.Fuzz(func(t *testing.T, text string, seat uint8) {
		for _, s := range states {
			before := s.Position()
			mover := engine.Seat(seat % 4)
			next, err := s.Apply(engine.Event{Kind: engine.Moved, Seat: mover, Text: text})
			legal := slices.Contains(s.Legal(mover), engine.Move(text))
			var refused *engine.MoveError
			if legal != (err == nil) || err != nil && (!errors.As(err, &refused) || next != nil) {
				t.Errorf("%q by %d in %s: legal %v, error %v", text, mover, before, legal, err)
			}
			if s.Position() != before {
				t.Errorf("%q changed %s to %s", text, before, s.Position())
			}
		}
	})
}

// FuzzParse: a position that is read prints the same again, and whatever may be chosen leads to another that is read.
func FuzzParse(f *testing.F) {
	for _, record := range stops {
		s, _ := play(f, parse(f, even), record)
		f.Add(s.Position())
	}
	rules := Variants()[0]
	setup := engine.Setup{Seats: 2, Seed: engine.NewSeed([32]byte{2})}
	f.Fuzz(func(t *testing.T, position string) {
		s, err := rules.Parse(setup, position)
		if err != nil {
			return
		}
		if again := s.Position(); again != position {
			t.Fatalf("%q prints as %q", position, again)
		}
		for _, seat := range s.Pending().Awaited {
			for _, mv := range s.Legal(seat) {
				next, err := s.Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)})
				if err != nil {
					t.Fatalf("%d:%s in %s: %v", seat, mv, position, err)
				}
				if _, err := rules.Parse(setup, next.Position()); err != nil {
					t.Fatalf("%d:%s in %s leads to %s: %v", seat, mv, position, next.Position(), err)
				}
			}
		}
	})
}
