package dutch_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/dutch"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
	"quatuor/tournament/trf/generate"
)

var (
	other = flag.String("bbp", "", "the program bbpPairings, to compare with")
	count = flag.Int("exact.count", 200, "how many tournaments are generated for the comparison")
	first = flag.Int("exact.first", 1, "the first seed")
)

// output is the output of a program and its exit status.
type output struct {
	status            int
	out, errors, list string
}

// ours runs this engine, and theirs the other program, on a file in a folder.
func ours(file string, args ...string) output {
	var out, errs bytes.Buffer
	engine := dutch.Runner{Out: &out, Err: &errs, Version: "version"}
	status := engine.Run(append([]string{"--dutch", file}, args...))
	return output{status, out.String(), errs.String(), listOf(file)}
}

func theirs(t *testing.T, file string, args ...string) output {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(*other, append([]string{"--dutch", file}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return output{cmd.ProcessState.ExitCode(), out.String(), errs.String(), listOf(file)}
}

// listOf returns the check-list without its last line, which names the program, and removes it.
func listOf(file string) string {
	name := strings.TrimSuffix(file, ".trf") + ".list"
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	_ = os.Remove(name)
	return string(text[:bytes.LastIndexByte(text, '\n')+1])
}

// before returns a report as it was before a round, with the byes of that round.
func before(t *testing.T, r *trf.Report, round int) string {
	t.Helper()
	out := *r
	out.Players = nil
	h := r.Drawn(round)
	for _, p := range r.Players {
		e := h.Field[p.Number-1]
		p.Points, p.Cells = e.Score(), append([]trf.Cell{}, p.Cells[:min(len(p.Cells), round-1)]...)
		letters := map[string]trf.Result{"HPB": trf.HalfPoint, "FPB": trf.FullPoint, "ZPB": trf.ZeroPoint}
		if letter, away := letters[string(e.Away)]; away {
			for len(p.Cells) < round-1 {
				p.Cells = append(p.Cells, trf.Cell{Result: trf.NoResult})
			}
			p.Cells = append(p.Cells, trf.Cell{Result: letter})
		}
		out.Players = append(out.Players, p)
	}
	if len(r.Virtual) == 0 && r.Baku() {
		t.Fatal("group A is known from the whole file alone")
	}
	return write(t, &out)
}

func write(t *testing.T, r *trf.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "f.trf")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// tally counts what was compared, and names differences.
type tally struct{ pairs, checks, lists, different int } // lists are check-lists

func (c *tally) compare(t *testing.T, name string, got, want output) {
	t.Helper()
	if got.list != "" {
		c.lists++
	}
	if got != want {
		c.different++
		t.Errorf("%s:\n%+v\nwant\n%+v", name, got, want)
	}
}

// tournament compares the check of a whole tournament, and the pairing of each of its rounds, with check-lists.
func (c *tally) tournament(t *testing.T, name string, r *trf.Report) {
	t.Helper()
	whole := write(t, r)
	c.compare(t, name+" -c", ours(whole, "-c", "-l"), theirs(t, whole, "-c", "-l"))
	c.checks++
	for round := 1; round < r.NextRound(); round++ {
		file := before(t, r, round)
		c.compare(t, fmt.Sprintf("%s, round %d, -p", name, round), ours(file, "-p", "-l"), theirs(t, file, "-p", "-l"))
		c.pairs++
	}
}

// TestExactlyAsBbpPairings compares pairings, checks and check-lists byte by byte, on tournaments with known pairings
// and on generated tournaments. Left out are the known differences of that program (docs/exactness.md): accelerated
// tournaments, byes worth no more than a loss, and point systems that it writes and does not read.
func TestExactlyAsBbpPairings(t *testing.T) {
	if *other == "" {
		t.Skip("-bbp names no program to compare with")
	}
	var c tally
	files, err := filepath.Glob("../../../tournament/pairing/swiss/testdata/open/*.trf")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	left := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := trf.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Virtual) > 0 {
			left++
			continue
		}
		c.tournament(t, filepath.Base(file), r)
	}
	t.Logf("known tournaments, without %d accelerated ones: %+v", left, c)
	c = tally{}
	for seed := *first; seed < *first+*count; seed++ {
		c.tournament(t, fmt.Sprint("seed ", seed), generated(t, uint64(seed)))
	}
	t.Logf("generated tournaments: %+v", c)
}

// TestBbpPairingsFindsNothing has the other program check tournaments that are generated here.
func TestBbpPairingsFindsNothing(t *testing.T) {
	if *other == "" {
		t.Skip("-bbp names no program to compare with")
	}
	rounds := 0
	for seed := *first; seed < *first+*count; seed++ {
		r := generated(t, uint64(seed))
		got := theirs(t, write(t, r), "-c")
		if got.status != 0 || got.errors != "" || strings.Contains(got.out, "Checker pairings") ||
			strings.Contains(got.out, "No valid pairing") {
			t.Errorf("seed %d: %+v", seed, got)
		}
		rounds += r.NextRound() - 1
	}
	t.Logf("%d tournaments, %d rounds: no difference is expected", *count, rounds)
}

// generated returns a tournament of a kind that varies with its seed.
func generated(t *testing.T, seed uint64) *trf.Report {
	t.Helper()
	var s generate.Settings
	lines := []string{"PlayersNumber=6..70", "BothLoseRate=0", "HalfLossRate=0", "FPBRate=2"}
	switch seed % 5 {
	case 1:
		lines = append(lines, "PointsForWin=3", "PointsForDraw=1")
	case 2:
		lines = append(lines, "PointsForPAB=0.5")
	case 3:
		lines = append(lines, "LateEntryRate=6", "RetiredRate=8", "ReturnRate=10", "HPBRate=50")
	case 4:
		lines = append(lines, "ForfeitRate=6", "ForbiddenPairs=10", "DrawPercentage=0..80")
	}
	for _, line := range lines {
		if err := s.Set(line); err != nil {
			t.Fatal(err)
		}
	}
	r, err := generate.Tournament(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTournamentsOfBbpPairings checks tournaments that the other program generates: its rounds and ranks are right.
func TestTournamentsOfBbpPairings(t *testing.T) {
	if *other == "" {
		t.Skip("-bbp names no program to compare with")
	}
	points := []string{
		"", "PointsForWin=3.0\nPointsForDraw=1.0\nPointsForPAB=3.0\n", "PointsForPAB=0.5\n",
		"PointsForWin=3.0\nPointsForDraw=2.0\nPointsForLoss=1.0\n",
	}
	dir := t.TempDir()
	config, file := filepath.Join(dir, "c.cfg"), filepath.Join(dir, "f.trf")
	rounds, ranks := 0, 0
	for seed := *first; seed < *first+*count; seed++ {
		players := 8 + seed*7%60
		settings := fmt.Sprintf("PlayersNumber=%d\nRoundsNumber=%d\nDrawPercentage=%d\nForfeitRate=%d\nRetiredRate=%d\n"+
			"HalfPointByeRate=%d\n%s", players, min(4+seed%7, players/2), 10+seed%45, 5+seed%30, 5+seed%40, 5+seed%31,
			points[seed%len(points)])
		if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		// its status is 1 if a round cannot be paired; the rounds before it are in the file
		out, err := exec.Command(*other, "--dutch", "-g", config, "-o", file, "-s", fmt.Sprint(seed)).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			t.Fatalf("seed %d: %v: %s", seed, err, out)
		}
		result, err := check.Report(readFile(t, file), check.Options{})
		if err != nil || len(result.Findings) > 0 {
			t.Errorf("seed %d: %+v, %v", seed, result.Findings, err)
		}
		rounds, ranks = rounds+result.Rounds, ranks+result.Ranks
	}
	t.Logf("%d tournaments, %d rounds, %d ranks: no difference is expected", *count, rounds, ranks)
}
