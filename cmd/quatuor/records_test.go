package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordText is a record of the engine's tests.
func recordText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "engine", "record", "testdata", "records", name+".record"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCommandsOnRecords runs the commands that read records, and compares status and output.
func TestCommandsOnRecords(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	quixo, quiwin := recordText(t, "quixo"), recordText(t, "quiwin")
	good := write("good", quixo+"\n"+quiwin)
	bad := write("bad", quixo+"\n"+strings.Replace(quixo, "3. b1-b5", "3. c3-b5", 1)+"\n"+
		strings.Replace(quixo, "3. b1", "4. b1", 1)+quixo)
	stacked := write("stacked", strings.Replace(quiwin, `[Seed "9b`, `[Seed "9c`, 1))
	empty := write("empty", "\n\n")
	for _, test := range []struct {
		args   []string
		in     string
		status int
		out    []string // on standard output, in this order
		errs   string   // on standard error
	}{
		{[]string{"replay", "--record", good, bad}, "", exitFailure, []string{
			good + ":1: quixo/duel, Ada L. – Bob M., 1,1 (agreement): right\n",
			good + ":35: quiwin/duel, Ada L. – Bob M., 1,2 (tiers): right\n",
			bad + ":1: quixo/duel, Ada L. – Bob M., 1,1 (agreement): right\n",
			bad + ":35: quixo/duel, Ada L. – Bob M., 1,1 (agreement): wrong\n",
			bad + ":61: move 3, c3-b5: ",
			bad + ":35: note: the 5 lines after that were not judged\n",
			bad + ":95: no record: this is move 3, not 4",
			bad + ":102: quixo/duel, Ada L. – Bob M., 1,1 (agreement): right\n",
		}, "games that are not as they should be: 2 of 6"},
		{[]string{"replay", "--record"}, quixo, exitOK, []string{"-:1: quixo/duel"}, ""},
		{[]string{"replay", "--record", empty}, "", exitUsage, nil, "holds no record; a game begins with its tags"},
		{[]string{"replay", "--record", filepath.Join(dir, "none")}, "", exitUsage, nil, "no records to read"},
		{[]string{"replay", good}, "", exitUsage, nil, "with --record only"},
		{[]string{"verify", good, "-"}, recordText(t, "running"), exitOK, []string{
			good + ":1: quixo/duel, Ada L. – Bob M., 1,1 (agreement): there is no chance in this game\n",
			good + ":1: agrees: its 4 moves are legal and end the game with 1,1 (agreement)\n",
			good + ":35: quiwin/duel, Ada L. – Bob M., 1,2 (tiers): all that chance decided follows from the seed\n",
			good + ":35: agrees: the server's seed has the commitment that was published, 28f7",
			good + ":35: at the start: it deals seat 1 b24 b24 g22 o23 r25 y23 y23 y23\n",
			good + ":35: after move 4: both seats choose transfer; ",
			"-:1: quiwin/duel, Ada L. – Bob M., unfinished: not settled yet\n",
			"-:1: note: the seed is shown when the game is over",
		}, ""},
		{[]string{"verify", stacked}, "", exitFailure, []string{
			stacked + ":1: quiwin/duel, Ada L. – Bob M., 1,2 (tiers): wrong\n",
			stacked + ":13: tag Seed: the server's seed and what the seats added make the seed 9b7c",
			stacked + ":9: tag Commitment: the game's seed has the commitment ",
		}, "games that are not as they should be: 1 of 1"},
	} {
		var out, errs bytes.Buffer
		if status := run(test.args, strings.NewReader(test.in), &out, &errs); status != test.status {
			t.Errorf("%v: status %d, want %d", test.args, status, test.status)
		}
		rest := out.String()
		for _, want := range test.out {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Errorf("%v: %q is missing in\n%s", test.args, want, rest)
			}
			rest = after
		}
		if !strings.Contains(errs.String(), test.errs) || test.errs == "" && errs.Len() > 0 {
			t.Errorf("%v: error %q, want %q", test.args, errs.String(), test.errs)
		}
	}
}

// TestRecordsInTheDocumentation: what docs/records.md shows as records are records without a fault.
func TestRecordsInTheDocumentation(t *testing.T) {
	shown := 0
	for _, b := range blocksOf(t, filepath.Join("docs", "records.md")) {
		if !strings.HasPrefix(b.text, "[") {
			continue
		}
		shown++
		var out, errs bytes.Buffer
		if status := run([]string{"replay", "--record"}, strings.NewReader(b.text), &out, &errs); status != exitOK ||
			!strings.Contains(out.String(), ": right\n") {
			t.Errorf("%s%s of\n%s", out.String(), errs.String(), b.text)
		}
	}
	if shown == 0 {
		t.Error("no record is shown")
	}
}
