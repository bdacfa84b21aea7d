package engine_test

import (
	"errors"
	"slices"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// TestAnArbiterDecidesEveryGame ends random games of all variants by decision, and reads the position again.
func TestAnArbiterDecidesEveryGame(t *testing.T) {
	for _, rules := range catalog.All() {
		first, events := wholeGame(t, rules, 20)
		m := first
		for _, e := range events[:min(7, len(events)-1)] {
			m, _ = m.After(e)
		}
		info, seats := rules.Info(), m.Setup().Seats
		text := "1,2,1,2"
		switch {
		case info.SidesAt(seats) == 2 && seats == 2:
			text = "2,1"
		case info.SidesAt(seats) == seats:
			text = "1,1,3,4,5"[:2*seats-1]
		}
		over, err := m.AfterToken("!adjudication=" + text)
		if err != nil {
			t.Fatalf("%s: %v", info.ID, err)
		}
		if o := over.Pending().Outcome; o == nil || o.String() != "="+text+":adjudication" {
			t.Errorf("%s: the outcome is %v, want ranks %s", info.ID, o, text)
		}
		if last := over.Events()[over.Len()-1].Token(false); last != "!adjudication="+text {
			t.Errorf("%s: it is recorded as %s", info.ID, last)
		}
		again, err := rules.Parse(m.Setup(), over.State().Position())
		if err != nil || again.Position() != over.State().Position() {
			t.Errorf("%s: the position %s cannot be read again: %v", info.ID, over.State().Position(), err)
		}
		for _, wrong := range []string{"", "1", "1,3", "2,2", "1,2,1,2,1,2", "1,x", "01,2", "0,1"} {
			if _, err := m.AfterToken("!adjudication=" + wrong); !errors.Is(err, engine.ErrNotation) {
				t.Errorf("%s: ranks %q give error %v", info.ID, wrong, err)
			}
		}
	}
}

// TestTakeBack takes back every ply of random games: what is left is the game before it, but for its turn.
func TestTakeBack(t *testing.T) {
	for _, rules := range catalog.All() {
		first, events := wholeGame(t, rules, 12)
		m := first
		states := []*engine.Match{first}
		for _, e := range events[:len(events)-1] {
			m, _ = m.After(e)
			states = append(states, m)
		}
		if rules.Info().Secret {
			if _, err := m.TakeBack(1); !errors.Is(err, engine.ErrIllegal) {
				t.Errorf("%s: a move of a game with secrets is taken back: %v", rules.Info().ID, err)
			}
			continue
		}
		for ply := 1; ply <= m.Plies(); ply++ {
			back, err := m.TakeBack(ply)
			if err != nil {
				t.Fatal(err)
			}
			before := states[ply-1]
			if back.State().Position() != before.State().Position() || back.Plies() != ply-1 || back.Turn() != m.Turn()+1 ||
				!slices.Equal(back.Events(), before.Events()) {
				t.Errorf("%s: taking back ply %d leads to %s, turn %d", rules.Info().ID, ply, back.State().Position(), back.Turn())
			}
		}
		for _, wrong := range []int{0, -1, m.Plies() + 1} {
			if _, err := m.TakeBack(wrong); !errors.Is(err, engine.ErrIllegal) {
				t.Errorf("taking back ply %d of %d: error %v", wrong, m.Plies(), err)
			}
		}
	}
}
