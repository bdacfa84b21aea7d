package standings

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quatuor/tournament"
)

// report is a tournament report as the cases in testdata have it; only what these tests need is read.
type report struct {
	*tournament.Tournament
	points map[int]string // by number, as printed in columns 81–84
	cells  map[int][]cell // by number
}

// cell is one round of a player's line.
type cell struct {
	opponent int // 0 without one
	colour   byte
	result   byte
}

var reportResults = map[byte]tournament.Verdict{
	'1': {Ranks: []int{1, 2}}, '0': {Ranks: []int{2, 1}}, '=': {Ranks: []int{1, 1}},
	'+': {Ranks: []int{1, 2}, Forfeit: true}, '-': {Ranks: []int{2, 1}, Forfeit: true},
}

var reportByes = map[byte]tournament.Bye{
	'H': tournament.HalfPoint, 'F': tournament.FullPoint, 'U': tournament.PairingAllocated, 'Z': tournament.ZeroPoint,
}

func readReport(t *testing.T, file string) report {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := report{&tournament.Tournament{
		Format: tournament.Swiss, Points: tournament.StandardPoints, Status: tournament.Running,
	}, make(map[int]string), make(map[int][]cell)}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "162"):
			readPointSystem(t, line[3:], &out.Points)
		case strings.HasPrefix(line, "001"):
			out.readPlayer(t, line)
		}
	}
	out.pair()
	return out
}

func readPointSystem(t *testing.T, text string, s *tournament.PointSystem) {
	words := strings.Fields(text)
	for i := 0; i+1 < len(words); i += 2 {
		f, err := strconv.ParseFloat(words[i+1], 64)
		if err != nil {
			t.Fatal(err)
		}
		p := tournament.Points(f * 10)
		switch words[i] {
		case "W":
			s.Win, s.ForfeitWin, s.Bye = p, p, p
		case "D":
			s.Draw = p
		case "P":
			s.Bye = p
		default:
			t.Fatalf("unknown point code %q", words[i])
		}
	}
}

func (r *report) readPlayer(t *testing.T, line string) {
	number := mustNumber(t, line[4:8])
	r.Entries = append(r.Entries, tournament.Entry{ID: entryID(number), Number: number})
	r.points[number] = strings.TrimSpace(line[80:84])
	for at := 91; at+7 < len(line); at += 10 {
		c := cell{colour: line[at+5], result: line[at+7]}
		if text := strings.TrimSpace(line[at : at+4]); text != "" {
			c.opponent = mustNumber(t, text)
		}
		r.cells[number] = append(r.cells[number], c)
	}
}

// pair turns the players' lines into rounds.
func (r *report) pair() {
	for _, e := range r.Entries {
		for round, c := range r.cells[e.Number] {
			for len(r.Rounds) <= round {
				r.Rounds = append(r.Rounds, tournament.Round{Number: round + 1, Status: tournament.Complete})
			}
			p := tournament.Pairing{Board: len(r.Rounds[round].Pairings) + 1, Seats: []string{e.ID}}
			if bye, ok := reportByes[c.result]; ok {
				p.Bye = bye
				p.Result = &tournament.Result{Points: []tournament.Points{r.Points.ForBye(bye)}}
			} else if c.opponent > 0 && c.colour == 'w' {
				p.Seats = append(p.Seats, entryID(c.opponent))
				p.Result = r.result(c.result, r.cells[c.opponent][round].result)
			} else {
				continue // absent, or taken from White's line
			}
			r.Rounds[round].Pairings = append(r.Rounds[round].Pairings, p)
		}
	}
}

func (r *report) result(white, black byte) *tournament.Result {
	v := reportResults[white]
	if white == '-' && black == '-' {
		v.Ranks = nil
	}
	res := &tournament.Result{Ranks: v.Ranks, Forfeit: v.Forfeit}
	if v.Forfeit {
		res.Points = r.Points.ForForfeit(2, v.Ranks)
	} else {
		res.Points = r.Points.ForRanks(v.Ranks)
	}
	return res
}

func entryID(number int) string { return fmt.Sprint("e", number) }

func mustNumber(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// readTable reads a file of expected values: by number, then by column.
func readTable(t *testing.T, file string) map[int]map[string]string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	header := strings.Split(lines[0], "\t")
	out := make(map[int]map[string]string)
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, field := range strings.Split(line, "\t") {
			row[header[i]] = field
		}
		out[mustNumber(t, row["StartNo"])] = row
	}
	return out
}

// TestAgainstReports compares with tournaments whose tie-breaks are known, column by column.
func TestAgainstReports(t *testing.T) {
	files, err := filepath.Glob("testdata/*.trf")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d reports found (%v), want 12", len(files), err)
	}
	codes := []string{"DE", "WIN", "WON", "BPG", "BWG", "PS", "KS"}
	for _, file := range files {
		r := readReport(t, file)
		want := readTable(t, strings.TrimSuffix(file, ".trf")+".tb")
		r.TieBreaks = codes
		table, err := After(r.Tournament, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Rows) != len(want) {
			t.Fatalf("%s: %d rows, want %d", file, len(table.Rows), len(want))
		}
		for _, row := range table.Rows {
			n := row.Entry.Number
			if got := tenths(row.Points).text; got != want[n]["PTS"] || got != r.points[n] {
				t.Errorf("%s: %d has %s points, want %s", file, n, got, want[n]["PTS"])
			}
			for i, code := range codes {
				// The expected values print the sum of no points at all as "0".
				if got, want := row.TieBreaks[i], want[n][code]; got != want && (got != "0.0" || want != "0") {
					t.Errorf("%s: %d has %s %s, want %s", file, n, code, got, want)
				}
			}
		}
	}
}

// TestSonnebornBergerAgainstReport takes the one report in which everybody met everybody.
func TestSonnebornBergerAgainstReport(t *testing.T) {
	r := readReport(t, "testdata/open-003.trf")
	want := readTable(t, "testdata/open-003.tb")
	r.Format = tournament.RoundRobin
	r.TieBreaks = []string{"SB"}
	table, err := After(r.Tournament, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range table.Rows {
		n := row.Entry.Number
		if row.TieBreaks[0] != want[n]["SB"] {
			t.Errorf("%d has SB %s, want %s", n, row.TieBreaks[0], want[n]["SB"])
		}
		if row.Rank != i+1 {
			t.Errorf("%d has rank %d, want %d: nobody is tied", n, row.Rank, i+1)
		}
	}
}
