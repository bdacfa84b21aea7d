package quivive_test

import (
	"errors"
	"slices"
	"testing"

	"quatuor/engine"
)

// stops are positions of every phase, for moves to be tried on.
func stops(tb testing.TB) []engine.State {
	tb.Helper()
	var list []engine.State
	for i, text := range map[int][]string{
		0: { // duel
			"111/11111/1111111/1111111/1111111/11111/111 1 build",
			"111/11111/2222221/1111111/3a3b31111/11111/111 1 pawns",
			"111/11111/2222a221/0111b011/3a33b1111/11111/111 1 play",
			"1b10/00000/0000000/2000001/1a000001a/00000/011b 1 play",
		},
		2: { // melee of three
			"111/11111/2222221/1111111/33311a11/11111/111 2 pawns -",
			"1b00/00000/0000000/1000000/1a000001/00000/000 1 play 3",
		},
	} {
		tb2 := tables(tb)[i]
		for _, position := range text {
			s, err := tb2.rules.Parse(tb2.setup, position)
			if err != nil {
				tb.Fatal(err)
			}
			list = append(list, s)
		}
	}
	return list
}

// FuzzMove: a text is carried out exactly if it is listed as legal, and otherwise refused without harm.
func FuzzMove(f *testing.F) {
	for _, text := range []string{"+d4", "@d4", "d5-c4xe4", "a3-a4xb2", "d4-e5xc3", "+h9", "@a1", "pass", ""} {
		f.Add(text, uint8(1))
	}
	states := stops(f)
	f.Fuzz(func(t *testing.T, text string, seat uint8) {
		for _, s := range states {
			before := s.Position()
			mover := engine.Seat(seat % 8)
			next, err := s.Apply(engine.Event{Kind: engine.Moved, Seat: mover, Text: text})
			if mover == 0 {
				mover = s.Pending().Awaited[0]
			}
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

// FuzzParse: a position that is read prints the same again, and the game can go on from it.
func FuzzParse(f *testing.F) {
	for _, s := range stops(f) {
		f.Add(s.Position())
	}
	f.Add("000/00010/0000000/02b20000/0000000/00000/000 =2,1,3:last play 3,1")
	f.Add("111/11111/1111111/1111111/1111111/11111/221 =3,4,2,1:resignation build 2,1,3")
	f.Add("100/00000/0000000/2a000001a/1000000/00000/010 =1,2:last play")
	tables := tables(f)
	f.Fuzz(func(t *testing.T, position string) {
		for _, tb := range tables {
			s, err := tb.rules.Parse(tb.setup, position)
			if err != nil {
				continue
			}
			if again := s.Position(); again != position {
				t.Fatalf("%q prints as %q", position, again)
			}
			if s.Pending().Over() {
				continue
			}
			for _, mv := range s.Legal(s.Pending().Awaited[0]) {
				next := apply(t, s, mv)
				if _, err := tb.rules.Parse(tb.setup, next.Position()); err != nil {
					t.Fatalf("%s in %s leads to %s: %v", mv, position, next.Position(), err)
				}
			}
		}
	})
}
