package record_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/engine/record"
)

// recordNames lists the records of testdata, by name.
func recordNames(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/records/*.record")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d records, error %v", len(paths), err)
	}
	for i, path := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(path), ".record")
	}
	return paths
}

func recordFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "records", name+".record"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t testing.TB, text string) record.Record {
	t.Helper()
	r, err := record.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return r
}

// TestFilesAreCanonical reads every record of testdata, finds no fault in it, and writes it unchanged.
func TestFilesAreCanonical(t *testing.T) {
	for _, name := range recordNames(t) {
		text := recordFile(t, name)
		r := parse(t, text)
		if report := record.Check(r); len(report.Faults) > 0 {
			t.Errorf("%s: %v", name, report.Faults)
		}
		if name == "over-the-board" {
			text = strings.Replace(text, "c1-c5 a1-a5 2:!resignation 1,2", "1. c1-c5\n2. a1-a5\n2:!resignation\n1,2", 1)
		}
		if got := string(record.Append(nil, r)); got != text {
			t.Errorf("%s is written as\n%s", name, got)
		}
	}
}

// TestTagsAndEntries looks at what was read from a record that has most kinds of them.
func TestTagsAndEntries(t *testing.T) {
	r := parse(t, recordFile(t, "quixo"))
	if r.Site != `Café "Zum Würfel", back room` || r.Round != 3 || r.Start != 1795284000000 || !r.Rated || r.Lag {
		t.Errorf("tags: %+v", r)
	}
	if !slices.Equal(r.Controls, []string{"300+3", "600"}) || r.Options["max_plies"] != "200" ||
		r.Extra[0] != (record.Tag{Name: "Arbiter", Value: "Olga"}) {
		t.Errorf("controls %v, options %v, more tags %v", r.Controls, r.Options, r.Extra)
	}
	if e := r.Entries[1]; e.Text != "a1-a5" || *e.Remaining != 594_750 || *e.Elapsed != 5_250 || *e.Claimed != 5_000 ||
		e.At != r.Start+9_250 || e.Position == "" {
		t.Errorf("second move: %+v", e)
	}
	if e := r.Entries[4]; e.Kind != record.Outage || e.Length != 72_345 {
		t.Errorf("outage: %+v", e)
	}
	if e := r.Entries[6]; e.Kind != record.Pause || e.Comment != "fire alarm;\neverybody out {}" {
		t.Errorf("pause: %+v", e)
	}
	if e := r.Entries[10]; e.Kind != record.Agreement || e.Seat != 1 {
		t.Errorf("agreement: %+v", e)
	}
}

// TestManyGames reads a text of several games, with an unreadable game, with carriage returns and a byte order mark.
func TestManyGames(t *testing.T) {
	broken := strings.Replace(recordFile(t, "running"), "3. 2:?", "4. 2:?", 1)
	text := "\ufeff" + strings.ReplaceAll(recordFile(t, "quixo")+"\n\n"+broken+recordFile(t, "quits-four"), "\n", "\r\n") +
		"\n \n"
	reader := record.NewReader(strings.NewReader(text))
	first, lines, err := reader.Next()
	if err != nil || first.Variant != "quixo/duel" || lines.First != 1 || lines.Tags["Round"] != 4 ||
		lines.Entries[0] != 22 || lines.Result != 33 {
		t.Fatalf("first game %+v, lines %+v, error %v", first, lines, err)
	}
	_, _, err = reader.Next()
	var syntax *record.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 48 || !strings.Contains(err.Error(), "line 48: this is move 3, not 4") {
		t.Fatalf("second game: error %v", err)
	}
	third, lines, err := reader.Next()
	if err != nil || third.Variant != "quits/four" || lines.First != 50 {
		t.Fatalf("third game %+v, lines %+v, error %v", third, lines, err)
	}
	if _, _, err = reader.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("after the last: error %v", err)
	}
}

// brokenReader fails after its text.
type brokenReader struct{ *strings.Reader }

var errBroken = errors.New("broken")

func (r brokenReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

func TestReaderReportsABrokenSource(t *testing.T) {
	reader := record.NewReader(brokenReader{strings.NewReader(recordFile(t, "quixo"))})
	if _, _, err := reader.Next(); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// TestSyntaxErrors: each explains what would be right, and where.
func TestSyntaxErrors(t *testing.T) {
	const tags = "[Variant \"quixo/duel\"]\n[Result \"*\"]\n"
	for _, test := range []struct{ text, want string }{
		{"", "line 1: there is no record"},
		{"\n\n1. c1-c5 *\n", "line 3: a game begins with its tags"},
		{tags + "*\n" + tags + "*\n", "line 4: a second game"},
		{tags + "\xff *", "line 3: this is not UTF-8"},
		{tags + "c1-c5 {ring\a} *", `line 3: the control character U+0007 cannot stand in a record; write \u{7} in its place`},
		{tags + "\n{two\n\u0085lines} *", `line 5: the control character U+0085`},
		{"[Event \"\x1b[2J\"]\n" + tags + "*", `line 1: the control character U+001B`},
		{"[Event \"A\rB\"]\n" + tags + "*", `line 1: the value of the tag Event lacks its closing quotation mark`},
		{tags + "[Event\"Cup\"]\n*", `line 3: the tag Event lacks the space before its value; write [Event "value"]`},
		{
			"[Start \"2026-11-21T18:00:04.250Z\"]\n" + tags + "[End \"2026-11-21T18:00:04.249Z\"]\n*",
			"line 4: tag End is 2026-11-21T18:00:04.249Z, before the start of the game; it cannot be earlier than the tag " +
				"Start, 2026-11-21T18:00:04.250Z",
		},
		{"[Variant quixo]\n*", `line 1: the value of the tag Variant stands in quotation marks`},
		{"[Variant \"quixo\n*", `lacks its closing quotation mark`},
		{"[Variant \"quixo\"\n*", `lacks its closing bracket`},
		{"[Var-iant \"quixo\"]\n*", `"Var-iant" is not the name`},
		{"[Variant \"a\\x\"]\n*", `a backslash stands before`},
		{"[Variant \"a\\u{110000}\"]\n*", `is no character`},
		{"[Variant \"a\\u{d800}\"]\n*", `is no character`},
		{"[Variant \"a\\u00e9\"]\n*", `a character by number`},
		{tags + "[Variant \"x\"]\n*", "line 3: the tag Variant stands in line 1 already"},
		{"[Variant \"x\"]\n*", "tag Result is missing"},
		{"[Result \"won\"]\n*", `tag Result: "won" is not a result; write the ranks`},
		{"[Result \"1,02\"]\n*", "is not a result"},
		{"[Result \"1\"]\n1", "is not a result"},
		{"[Round \"first\"]\n*", "is not a number from 1"},
		{"[Board \"0\"]\n*", "is not a number from 1"},
		{"[Date \"21.11.2026\"]\n*", "write it as 2026-11-21"},
		{"[Start \"2026-11-21 18:00\"]\n*", "in UTC with three decimals"},
		{"[Rated \"no\"]\n*", "leave the tag out"},
		{"[Seed \"beef\"]\n*", "64 hexadecimal digits"},
		{"[Nonce1 \"" + strings.Repeat("0", 64) + "\"]\n*", "stands for none"},
		{"[Options \"draws\"]\n*", "write key=value"},
		{"[Options \"a=b a=c\"]\n*", "there twice"},
		{"[TimeControl \"5 minutes\"]\n*", "time control"},
		{"[Seat1 \"A\"]\n[Seat3 \"B\"]\n" + tags + "*", "line 1: tag Seat is missing for seat 2"},
		{"[Seat1 \"A\"]\n[Seat2 \"B\"]\n[TimeControl1 \"5\"]\n" + tags + "*", "line 3: tag TimeControl is there 1 times for 2 seats"},
		{"[TimeControl \"5\"]\n[TimeControl1 \"5\"]\n" + tags + "*", "keep one or the other"},
		{tags + "[Termination \"line\"]\n*", "there is no result"},
		{"[Result \"1,2\"]\n[Termination \"aborted\"]\n*", "one of them must be wrong"},
		{tags + "\n1. c1-c5\n", "line 5: the game stops here without its result; after the last move comes *"},
		{tags + "c1-c5 1,2", "line 3: the game ends with 1,2, but its tag Result says *"},
		{tags + "* c1-c5", "after the result"},
		{tags + "1. c1-c5\n3. a1-a5 *", "line 4: this is move 2, not 3"},
		{tags + "0. c1-c5 *", "moves are counted from 1"},
		{tags + "1. !pause *", "only moves have"},
		{tags + "1. *", "line 3: a move is missing here"},
		{tags + "!pawse *", "there is no !pawse; there are N:!resignation"},
		{tags + "!time *", "needs the seat that leaves, as in 1:!time"},
		{tags + "!offer *", "needs its seat, as in 1:!offer"},
		{tags + "1:!pause *", "concerns all seats"},
		{tags + "1:!agreement *", "concerns all seats"},
		{tags + "0:c1-c5 *", "names no seat"},
		{tags + "1: *", "a move is missing"},
		{tags + "c1–c5 *", "in plain letters, digits and signs"},
		{tags + "c1-c5 {good\nmove *", "line 3: this comment is not closed"},
		{tags + "c1-c5 {good} {move} *", "follows another"},
		{tags + "c1-c5 {[%clk 5:02]} *", "write it as hours:minutes:seconds"},
		{tags + "c1-c5 {[%clk 0:05:2]} *", "write it as hours"},
		{tags + "c1-c5 {[%clk 0:05:60]} *", "write it as hours"},
		{tags + "c1-c5 {[%clk 0:05:02.5]} *", "write it as hours"},
		{tags + "c1-c5 {[%clk 0:00:01] [%clk 0:00:02]} *", "twice"},
		{tags + "c1-c5 {\n[%eval 0.3]} *", "line 4: [%eval …] means nothing here; use at, pos, clk, emt, think"},
		{tags + "!pause {[%clk 0:00:02]} *", "use at, pos"},
		{tags + "{[%clk 0:00:02]} *", "a comment before the first move has no commands"},
		{tags + "c1-c5 {[%clk 0:00:02\n]} *", "on one line"},
		{tags + "c1-c5 {[%pos ]} *", "the position is missing"},
		{tags + "!agreement {[%by x]} *", "names no seat"},
		{tags + "!agreement {[%by 1:x]} *", "is not a seat"},
	} {
		_, err := record.Parse(test.text)
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}

// TestLooseText: numbers, lines and spaces are free where they do not matter.
func TestLooseText(t *testing.T) {
	want := parse(t, recordFile(t, "quixo"))
	text := recordFile(t, "quixo")
	for old, loose := range map[string]string{
		"1. c1-c5 ":            "1.c1-c5",
		"\n2. a1-a5 {":         " a1-a5\n{  ",
		"[%clk 0:09:54.750] [": "[%clk   0:09:54.750][",
		"everybody out":        "everybody\n out",
		"[Round \"3\"]":        "  [Round\t\"3\" ]  ",
	} {
		if !strings.Contains(text, old) {
			t.Fatalf("the record lacks %q", old)
		}
		text = strings.Replace(text, old, loose, 1)
	}
	got := parse(t, text)
	if a, b := string(record.Append(nil, got)), string(record.Append(nil, want)); a != b {
		t.Errorf("read as\n%s\nwant\n%s", a, b)
	}
}
