package exchange

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// TestResultsAsPlayed: a half point against nothing, and nothing on both sides, are written as they were played, also
// without the file that they came from.
func TestResultsAsPlayed(t *testing.T) {
	text := "012 Odd\n142 5\n152 W\n" +
		row(1, "0.5", "   4 w =") + row(2, "0.0", "   5 b 0") + row(3, "0.0", "   6 w 0") +
		row(4, "0.0", "   1 b 0") + row(5, "0.5", "   2 w =") + row(6, "0.0", "   3 b 0")
	taken, tm, with := take(t, text, Options{})
	if len(taken.Notes) > 0 {
		t.Errorf("notes %v", taken.Notes)
	}
	report, err := Export(tm, nil, Staff)
	if err != nil {
		t.Fatal(err)
	}
	var without bytes.Buffer
	if err := report.Write(&without); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{with, without.String()} {
		for _, want := range []string{"4 w =", "5 b 0", "6 w 0", "1 b 0", "2 w =", "3 b 0"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
		if strings.Contains(out, "\n299") {
			t.Errorf("lines 299 in\n%s", out)
		}
	}
}

// TestAnnotate: acts become events, for each audience those of what it may see, and events of a file stay.
func TestAnnotate(t *testing.T) {
	text := "012 Events\n142 5\n152 W\n### quatuor hand round 1\n" +
		row(1, "1.0", "   2 w 1  0000 - Z") + row(2, "0.0", "   1 b 0") + row(3, "0.0", "0000 - Z")
	_, tm, _ := take(t, text, Options{})
	tm.Entries[0].Byes = []tournament.RequestedBye{{Round: 3, Bye: tournament.HalfPoint}}
	tm.StartedAt, tm.Rounds[0].PublishedAt = 100, 150
	acts := []tournament.Act{
		{Kind: tournament.ActStart, At: 100},
		{Kind: tournament.ActEdit, Round: 1, Version: 2, At: 120},
		{Kind: tournament.ActEdit, Round: 2, Version: 3, At: 120}, // not published
		{Kind: tournament.ActEnter, Entry: "id2", At: 50},
		{Kind: tournament.ActEnter, Entry: "id3", At: 130},
		{Kind: tournament.ActByes, Entry: "id1", At: 140},
		{Kind: tournament.ActUndo, Round: 1, At: 160},
	}
	public := []trf.Event{{Kind: trf.ByHand, Round: 1}, {Kind: trf.LateEntry, Round: 1, Player: 3}}
	staff := append(public[:2:2], trf.Event{Kind: trf.ByeGranted, Round: 3, Player: 1, Result: trf.HalfPoint},
		trf.Event{Kind: trf.Undone, Round: 1})
	for audience, want := range map[Audience][]trf.Event{Public: public, Staff: staff} {
		r, err := Export(tm, &Original{Text: []byte(text), Entries: []string{"id1", "id2", "id3"}}, audience)
		if err != nil {
			t.Fatal(err)
		}
		Annotate(r, tm, acts, audience)
		if !reflect.DeepEqual(r.Events, want) {
			t.Errorf("audience %d: %+v, want %+v", audience, r.Events, want)
		}
	}
}

// TestHandPairings: a report names only the rounds with changes by hand that still hold.
func TestHandPairings(t *testing.T) {
	edit := func(version int64) tournament.Act {
		return tournament.Act{Kind: tournament.ActEdit, Round: 1, Version: version, Why: "act 2: they are brothers"}
	}
	of := func(kind tournament.ActKind, version int64) tournament.Act {
		return tournament.Act{Kind: kind, Round: 1, Version: version}
	}
	undo := func(version int64, other tournament.Act) tournament.Act {
		return of(tournament.ActUndo, version).Undoing(other)
	}
	drop, draw, pair := of(tournament.ActDrop, 5), of(tournament.ActDraw, 6), of(tournament.ActPair, 7)
	for name, tt := range map[string]struct {
		file string
		acts []tournament.Act
		want string
	}{
		"paired":                      {acts: []tournament.Act{draw}},
		"changed":                     {acts: []tournament.Act{draw, edit(8)}, want: "hand"},
		"changed and undone":          {acts: []tournament.Act{draw, edit(8), undo(9, edit(8))}, want: "undo"},
		"the second change is undone": {acts: []tournament.Act{draw, edit(8), edit(9), undo(10, edit(9))}, want: "hand undo"},
		"another act is undone": {
			acts: []tournament.Act{draw, edit(8), undo(10, of(tournament.ActResult, 9))}, want: "hand undo",
		},
		"changed after an undo": {
			acts: []tournament.Act{draw, edit(8), undo(9, edit(8)), edit(10)}, want: "undo hand",
		},
		"deleted":                  {acts: []tournament.Act{edit(4), drop}},
		"paired again":             {acts: []tournament.Act{edit(4), drop, pair}},
		"deleted, which is undone": {acts: []tournament.Act{edit(4), drop, undo(6, drop)}, want: "hand undo"},
		"paired again and changed": {acts: []tournament.Act{edit(4), drop, pair, edit(8)}, want: "hand"},
		"of the file":              {file: "### quatuor hand round 1\n", want: "hand"},
		"of the file, changed and undone": {
			file: "### quatuor hand round 1\n", acts: []tournament.Act{edit(8), undo(9, edit(8))}, want: "hand undo",
		},
		"of the file, paired again": {file: "### quatuor hand round 1\n", acts: []tournament.Act{drop, pair}},
	} {
		text := "012 Hand\n142 5\n152 W\n" + tt.file + row(1, "1.0", "   2 w 1") + row(2, "0.0", "   1 b 0")
		_, tm, _ := take(t, text, Options{})
		r, err := Export(tm, &Original{Text: []byte(text), Entries: []string{"id1", "id2"}}, Staff)
		if err != nil {
			t.Fatal(err)
		}
		Annotate(r, tm, tt.acts, Staff)
		var got []string
		for _, e := range r.Events {
			got = append(got, string(e.Kind))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: events %v, want %q", name, got, tt.want)
		}
	}
}

// TestImportComparesRounds with the rules: a different round has a note, unless the file calls it set by hand.
func TestImportComparesRounds(t *testing.T) {
	rows := row(1, "1.0", "   2 w 1") + row(2, "0.0", "   1 b 0") + row(3, "1.0", "   4 w 1") + row(4, "0.0", "   3 b 0")
	taken, _, _ := take(t, "012 Wrong\n142 3\n152 W\n"+rows, Options{})
	const want = "round 1 is not as the rules pair it (2 boards differ): players 1 and 2 meet there"
	if len(taken.Notes) != 1 || taken.Notes[0].String() != want {
		t.Errorf("notes %v, want %q", taken.Notes, want)
	}
	for _, line := range []string{"### quatuor hand round 1\n", "260 001 003 0001 0003\n"} {
		right := rows
		if strings.HasPrefix(line, "260") { // the pair that was forbidden after it met
			right = row(1, "1.0", "   3 w 1") + row(2, "0.0", "   4 b 0") + row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1")
		}
		if taken, _, _ := take(t, "012 Noted\n142 3\n152 W\n"+line+right, Options{}); len(taken.Notes) > 0 {
			t.Errorf("%s: notes %v", line, taken.Notes)
		}
	}
}
