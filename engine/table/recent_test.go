package table

import (
	"testing"

	"quatuor/engine"
	"quatuor/engine/quixo"
)

// TestRecent returns the last moves with the positions around them, and those that were taken back no more; their
// numbers stay.
func TestRecent(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.openWithTakebacks("quixo/duel").Game.ID
		e.mustPlay(id, 1, 1, "a1-a5")
		e.mustPlay(id, 2, 2, "e1-e5")
		ruling := Ruling{By: "arb", Reason: "by agreement"}
		must(t)(e.TakeBack(ctx, e.Arrive(id), ruling, 3, 1))
		s := e.mustPlay(id, 2, 4, "c1-c5")
		list, err := s.Recent(engine.Viewer{}, 5)
		if err != nil || len(list) != 2 || list[0].Event.Text != "a1-a5" || list[1].Event.Text != "c1-c5" {
			t.Fatalf("%+v, %v", list, err)
		}
		if list[0].Line >= list[1].Line || s.Lines[list[1].Line-1].Text != "c1-c5" ||
			s.Lines[list[0].Line-1].Text != "a1-a5" {
			t.Errorf("lines %d and %d of %+v", list[0].Line, list[1].Line, s.Lines)
		}
		before, after := list[1].Before.(quixo.View), list[1].After.(quixo.View)
		if before.Rows[0][2].Mark != "" || after.Rows[0][2].Mark != "o" {
			t.Errorf("c5 was %q and is %q", before.Rows[0][2].Mark, after.Rows[0][2].Mark)
		}
		if one, err := s.Recent(engine.Viewer{}, 1); err != nil || len(one) != 1 || one[0].Event.Text != "c1-c5" {
			t.Errorf("the last one: %+v, %v", one, err)
		}
	})
}

// TestRecentKeepsSecrets returns a sealed choice without its text to all but its seat.
func TestRecentKeepsSecrets(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		s := e.open("quiwin/duel", "60")
		token := string(s.Match.State().Legal(1)[0])
		s = e.mustPlay(s.Game.ID, 1, 1, token)
		for v, want := range map[engine.Viewer]string{{}: "", engine.ViewerOf(2): "", engine.ViewerOf(1): token} {
			if list, err := s.Recent(v, 2); err != nil || len(list) != 1 || list[0].Event.Text != want {
				t.Errorf("%v: %+v, %v", v, list, err)
			}
		}
	})
}
