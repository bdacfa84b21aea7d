package engine_test

import (
	"testing"

	"quatuor/engine"
)

// slow hides that a state can count by itself.
type slow struct{ engine.State }

func (s slow) Apply(e engine.Event) (engine.State, error) {
	next, err := s.State.Apply(e)
	if err != nil {
		return nil, err
	}
	return slow{next}, nil
}

// TestPerft counts with and without the state's own help.
func TestPerft(t *testing.T) {
	tests := []struct {
		id     string
		counts []uint64 // by depth, from 0
	}{
		{"quixo/duel", []uint64{1, 44, 1_836, 76_596}},
		{"quixo/teams", []uint64{1, 88, 7_344}},
		{"quits/four", []uint64{1, 9, 76, 639, 4_959}},
	}
	for _, tt := range tests {
		s := start(t, tt.id, nil).State()
		for depth, want := range tt.counts {
			if got := engine.Perft(s, depth); got != want {
				t.Errorf("%s depth %d: %d, want %d", tt.id, depth, got, want)
			}
			if got := engine.Perft(slow{s}, depth); got != want {
				t.Errorf("%s depth %d, move by move: %d, want %d", tt.id, depth, got, want)
			}
		}
	}
}

// TestDivide: the parts are those of the legal moves in their order, and add up to the whole.
func TestDivide(t *testing.T) {
	s := start(t, "quits/duel", nil).State()
	legal := s.Legal(1)
	rows := engine.Divide(s, 4)
	if len(rows) != len(legal) {
		t.Fatalf("%d rows for %d moves", len(rows), len(legal))
	}
	var sum uint64
	for i, row := range rows {
		sum += row.Count
		if row.Seat != 1 || row.Move != legal[i] {
			t.Errorf("row %d is %v, want %s", i, row, legal[i])
		}
	}
	if sum != 19_966 {
		t.Errorf("the parts add up to %d, want 19,966", sum)
	}
}

// TestPerftOfAFinishedGame: it is not extended, but counts.
func TestPerftOfAFinishedGame(t *testing.T) {
	for _, id := range []string{"quixo/duel", "quits/four"} {
		s := start(t, id, nil).State().Draw(engine.ReasonLength)
		if got := engine.Perft(s, 0); got != 1 {
			t.Errorf("%s, depth 0: %d", id, got)
		}
		if got := engine.Perft(s, 2) + engine.Perft(slow{s}, 2); got != 0 {
			t.Errorf("%s, depth 2: %d", id, got)
		}
	}
}
