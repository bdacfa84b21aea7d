package dutch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/dutch"
	"quatuor/tournament/trf"
)

const four = `012 Four
142 3
152 W
001    1      Ada                               2400                             1.0    1     3 w 1
001    2      Bob                               2300                             0.5    2     4 b =
001    3      Cyd                               2200                             0.0    4     1 b 0
001    4      Dan                               2100                             0.5    3     2 w =
`

// folder is a folder with the file f.trf of a text.
func folder(t *testing.T, text string) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "f.trf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

func call(args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = dutch.Runner{Out: &stdout, Err: &stderr, Version: "quatuor dutch - test"}.Run(args)
	return status, stdout.String(), stderr.String()
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPairs: the next round, on standard output or in a file beside the input, as both programs write it.
func TestPairs(t *testing.T) {
	dir, file := folder(t, four)
	const want = "2\n2 1\n3 4\n"
	for _, args := range [][]string{{"--dutch", file, "-p"}, {file, "-p"}, {file, "-q", "10", "-p"}} {
		if status, out, errs := call(args...); status != 0 || out != want || errs != "" {
			t.Errorf("%v: %d, %q, %q", args, status, out, errs)
		}
	}
	status, out, errs := call("-r", file, "-p", "pairs.txt", "-l")
	if status != 0 || out != "quatuor dutch - test\n" || errs != "" || content(t, filepath.Join(dir, "pairs.txt")) != want {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
	const list = "\nID\tPts\t--\tPref\tC2\tC14\tC16\t Cur\t\tR1\t\n" +
		"\n 1\t1.0\t W\t (B)\t Y\t   \t   \t(2B)\t\t 3\t\n" +
		"\n 2\t0.5\t B\t (W)\t Y\t   \t   \t(1W)\t\t 4\t\n" +
		" 4\t0.5\t W\t (B)\t Y\t   \t   \t(3B)\t\t 2\t\n" +
		"\n 3\t0.0\t B\t (W)\t Y\t   \t   \t(4W)\t\t 1\t\n\n\nquatuor dutch - test"
	if got := content(t, filepath.Join(dir, "f.list")); got != list {
		t.Errorf("the check-list is\n%q\nwant\n%q", got, list)
	}
}

// TestChecks: a wrong pair is listed beside the right pair.
func TestChecks(t *testing.T) {
	_, file := folder(t, strings.NewReplacer("3 w 1", "3 b 1", "1 b 0", "1 w 0").Replace(four))
	const want = "f: Round #1\n" +
		"  Checker pairings        Tournament pairings \n" +
		"      1 -   3                  3 -   1\n\n\n"
	for _, args := range [][]string{{"--dutch", file, "-c"}, {file, "-c", "1"}} {
		if status, out, errs := call(args...); status != 0 || out != want || errs != "" {
			t.Errorf("%v: %d, %q, %q", args, status, out, errs)
		}
	}
}

// TestGenerates: of a configuration, a seed, a model and nothing; the same seed makes the same file.
func TestGenerates(t *testing.T) {
	dir, file := folder(t, four)
	config := filepath.Join(dir, "rtg.cfg")
	if err := os.WriteFile(config, []byte("PlayersNumber=10\nRoundsNumber=4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"a.trf": {"--dutch", "-g", config, "-o", "a.trf", "-s", "5", "-l"},
		"b.trf": {"-g", config, "-o", filepath.Join(dir, "b.trf"), "-s", "5"},
		"c.trf": {"-g", "18980522", "-o", filepath.Join(dir, "c.trf")},
		"d.trf": {file, "-g", "-b", "-o", "d.trf"},
		"e.trf": {"-g", "-b", "-o", filepath.Join(dir, "e.trf")},
	} {
		status, out, errs := call(args...)
		r, err := trf.Read([]byte(content(t, filepath.Join(dir, name))))
		if status != 0 || out+errs != "" || err != nil {
			t.Errorf("%v: %d, %q, %q, %v", args, status, out, errs, err)
			continue
		}
		if r.Baku() != (name == "d.trf" || name == "e.trf") {
			t.Errorf("%v: system %s", args, r.System)
		}
	}
	if a := content(t, filepath.Join(dir, "a.trf")); a != content(t, filepath.Join(dir, "b.trf")) {
		t.Errorf("one seed made two files, the first is\n%s", a)
	}
	if list := content(t, filepath.Join(dir, "a.list")); strings.Count(list, "Round #") != 4 {
		t.Errorf("the check-list is\n%s", list)
	}
}

// TestStatuses are those of bbpPairings.
func TestStatuses(t *testing.T) {
	_, file := folder(t, four)
	_, finished := folder(t, strings.Replace(four, "142 3", "142 1", 1))
	_, endless := folder(t, strings.Replace(four, "142 3\n", "", 1))
	_, uncoloured := folder(t, "142 3\n001    1      Ada                               2400                             0.0    1\n"+
		"001    2      Bob                               2300                             0.0    2\n")
	_, met := folder(t, "142 3\n152 W\n001    1      Ada                               2400                             1.0    1     2 w 1\n"+
		"001    2      Bob                               2300                             0.0    2     1 b 0\n")
	_, spoilt := folder(t, strings.Replace(four, "1.0", "1.5", 1))
	for _, tt := range []struct {
		status int
		want   string
		args   []string
	}{
		{0, "", []string{"-r"}},
		{1, "No valid pairing exists: The players could not be simultaneously matched", []string{met, "-p"}},
		{3, "-c [round]", []string{"--burstein", file, "-p"}},
		{3, "-c [round]", []string{file}},
		{3, "-c [round]", []string{file, "-p", "-c"}},
		{3, "-c [round]", []string{file, "-c", "-o", "x"}},
		{3, "-c [round]", []string{"-g"}},
		{3, "-c [round]", []string{"-g", "-o", "x", "-s", "y"}},
		{3, "The number of rounds is larger than the reported number of rounds.", []string{finished, "-p"}},
		{3, "The total number of rounds in the tournament must be specified.", []string{endless, "-p"}},
		{3, "Please configure the initial piece colors.", []string{uncoloured, "-p"}},
		{3, "line 4, player 1: 1.5 points", []string{spoilt, "-c"}},
		{3, "line 1: \"012 Four\" is not KEY=VALUE", []string{"-g", file, "-o", "x"}},
		{5, "The file could not be loaded.", []string{file + "x", "-p"}},
		{5, "could not be opened", []string{file, "-p", filepath.Join(file, "x")}},
		{5, "could not be opened", []string{"-g", "7", "-o", filepath.Join(file, "x")}},
	} {
		if status, _, errs := call(tt.args...); status != tt.status || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: %d and %q, want %d and %q", tt.args, status, errs, tt.status, tt.want)
		}
	}
}
