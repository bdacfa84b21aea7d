package trf

import (
	"reflect"
	"strings"
	"testing"
)

// TestEvents: comments of this program are read and written back; others are kept as they are.
func TestEvents(t *testing.T) {
	text := "142 5\n" +
		"### quatuor hand round 3\n" +
		"### quatuor late round 3 player 2\n" +
		"### quatuor bye round 4 player 1 H\n" +
		"### quatuor undo round 2\n" +
		"### quatuor undo\n"
	others := "### quatuor hand\n### quatuor bye round 4 player 1 U\n### quatuor late round x player 1\n### made by X\n" +
		"### quatuor hand round 3 board 2\n"
	players := line(1, "0.0", "") + "\n" + line(2, "0.0", "")
	r := mustRead(t, text+others+players)
	want := []Event{
		{ByHand, 3, 0, 0}, {LateEntry, 3, 2, 0}, {ByeGranted, 4, 1, HalfPoint}, {Undone, 2, 0, 0}, {Undone, 0, 0, 0},
	}
	if !reflect.DeepEqual(r.Events, want) {
		t.Errorf("read %+v, want %+v", r.Events, want)
	}
	if len(r.Other) != strings.Count(others, "\n") {
		t.Errorf("kept %+v", r.Other)
	}
	out := written(t, r)
	for line := range strings.Lines(text + others) {
		if !strings.Contains(out, line) {
			t.Errorf("%q is not written:\n%s", line, out)
		}
	}
	if !r.HandPaired(3) || r.HandPaired(2) {
		t.Error("round 3 was paired by hand, round 2 was not")
	}
}
