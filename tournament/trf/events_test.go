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

// TestEncodings: what is read otherwise than it is written has a note, and erasing finds the columns all the same.
func TestEncodings(t *testing.T) {
	text := "142 3\n152 W\n" + line(1, "1.0", "   2 w 1") + "\n" + line(2, "0.0", "   1 b 0") + "\n"
	for name, tt := range map[string]struct{ text, note string }{
		"plain":     {text, ""},
		"BOM":       {"\ufeff" + text, "byte order mark"},
		"Latin-1":   {strings.Replace(text, "A", "\xc4", 1), "Windows-1252"},
		"tabs of 8": {tabbed(text, 8), "every 8 columns"},
		"tabs of 4": {tabbed(text, 4), "every 4 columns"},
	} {
		r, err := Read([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(r.Notes, "; "); (got != "") != (tt.note != "") || !strings.Contains(got, tt.note) {
			t.Errorf("%s: notes %q, want %q", name, got, tt.note)
		}
		erased, was := Erase([]byte(tt.text), 1, "Nobody")
		if again := mustRead(t, string(erased)); again.Players[0].Name != "Nobody" || was != r.Players[0].Name {
			t.Errorf("%s: %q was erased: %+v", name, was, again.Players[0])
		}
	}
}

// tabbed writes a tab for the blanks up to every multiple of a number of columns.
func tabbed(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for len(line) > width {
			cell := line[:width]
			if short := strings.TrimRight(cell, " "); len(short) < width-1 {
				cell = short + "\t"
			}
			b.WriteString(cell)
			line = line[width:]
		}
		b.WriteString(line)
	}
	return b.String()
}
