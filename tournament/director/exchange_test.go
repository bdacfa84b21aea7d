package director

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

var duel = exchange.Options{Variant: "quixo/duel", TimeControl: "300+3"}

// failing is the common interface of tests and properties.
type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func written(t failing, r *trf.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustRead(t failing, text []byte) *trf.Report {
	t.Helper()
	r, err := trf.Read(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return r
}

// cutBefore returns a report as it was before a round was paired.
func cutBefore(t testing.TB, text []byte, round int) []byte {
	t.Helper()
	r := mustRead(t, text)
	for i := range r.Players {
		p := &r.Players[i]
		next := p.Cell(round)
		p.Cells, p.NoPoints = p.Cells[:min(round-1, len(p.Cells))], true
		if slices.Contains([]trf.Result{trf.HalfPoint, trf.FullPoint, trf.ZeroPoint}, next.Result) {
			p.Cells = append(p.Cells, next)
		}
	}
	return written(t, r)
}

// knownPairs reads the known pairings of a tournament: per round "white black" by board, "player PAB" for the bye.
func knownPairs(t testing.TB, file string) map[int][]string {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(file, ".trf") + ".pairs")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[int][]string)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(line, "\t")
		round, _ := strconv.Atoi(f[0])
		switch f[4] {
		case "-":
			out[round] = append(out[round], f[2]+" "+f[3])
		case "PAB":
			out[round] = append(out[round], f[2]+" PAB")
		}
	}
	return out
}

// pairsOf spells the games and the allocated bye of a round.
func pairsOf(t *tournament.Tournament, round int) []string {
	var out []string
	number := func(id string) string {
		e, _ := t.Entry(id)
		return fmt.Sprint(e.Number)
	}
	for _, p := range t.Rounds[round-1].Pairings {
		switch p.Bye {
		case tournament.NoBye:
			out = append(out, number(p.Seats[0])+" "+number(p.Seats[1]))
		case tournament.PairingAllocated:
			out = append(out, number(p.Seats[0])+" PAB")
		}
	}
	return out
}

// TestContinued takes known tournaments over before each of their rounds, and pairs on, as the other programs did: every
// fifth, and all with QUATUOR_LONG=1.
func TestContinued(t *testing.T) {
	files, err := filepath.Glob("../pairing/swiss/testdata/open/*.trf")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d reports found (%v), want 60", len(files), err)
	}
	ctx, rounds := context.Background(), 0
	for n, file := range files {
		if testing.Short() && n%12 != 0 || n%5 != 0 && os.Getenv("QUATUOR_LONG") == "" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for round, want := range knownPairs(t, file) {
			d := newDirector(newMemory(), &counter{})
			tm, did, err := d.Import(ctx, "", cutBefore(t, text, round), duel, "ada", false)
			if err != nil || len(did.Notes) > 0 || tm.Status != tournament.Running || len(tm.Rounds) != round-1 {
				t.Fatalf("%s before round %d: %v, notes %v", file, round, err, did.Notes)
			}
			tm, err = d.Do(ctx, tm.ID, NextRound, organiser)
			if err != nil {
				t.Fatalf("%s, round %d: %v", file, round, err)
			}
			got := pairsOf(tm, round)
			if tm.GroupA() > 0 { // board order of accelerated rounds differs between editions
				slices.Sort(got)
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, round %d: paired %v, want %v", file, round, got, want)
			}
			rounds++
		}
	}
	if rounds == 0 || rounds != 445 && !testing.Short() && os.Getenv("QUATUOR_LONG") != "" {
		t.Errorf("%d rounds, want 445", rounds)
	}
}

// data is the content of a report, without the places in a file.
func data(r *trf.Report) trf.Report {
	out := *r
	out.Players, out.Uses = nil, nil // uses are by lines of the text
	for _, p := range r.Players {
		p.Cells = append([]trf.Cell{}, p.Cells...)
		out.Players = append(out.Players, trf.Player{
			Number: p.Number, Sex: p.Sex, Title: p.Title, Name: p.Name, Federation: p.Federation, ID: p.ID, Rating: p.Rating, Birth: p.Birth,
			Points: p.Points, Rank: p.Rank, Cells: p.Cells, NoPoints: p.NoPoints,
		})
	}
	return out
}

// TestNothingIsLost imports whole tournaments, some with data that mean nothing here, and writes them again.
func TestNothingIsLost(t *testing.T) {
	files, err := filepath.Glob("../pairing/swiss/testdata/open/*.trf")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d reports found (%v), want 60", len(files), err)
	}
	ctx := context.Background()
	for n, file := range files {
		if testing.Short() && n%6 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := mustRead(t, text)
		want.City = "Riga"
		want.Federation = "LAT"
		want.Arbiter = "Ozola, Anna (123)"
		want.Deputies = []string{"A", "B"}
		want.Starts = "2026/02/01"
		want.Ends = "2026/02/05"
		want.RoundDates = "26/02/01  26/02/02"
		want.RatedPlayers = "3"
		want.Teams = "0"
		want.Kind = "Swiss, sort of"
		want.TimeControl = "an hour"
		want.Controller = "X 1.0"
		want.TieBreaks = "BH/C1, DE"
		want.Standings = "PTS BH/C1 DE"
		want.EncodedTimeControl = "300+3"
		want.Forbidden = []trf.Forbidden{{First: 1, Last: 2, Numbers: []int{1, 2}}, {First: 1, Last: trf.EveryRound, Numbers: []int{2, 3, 4}}}
		want.Other = []trf.Other{{Text: "### made by X"}, {After: 2, Text: "DAT 0002 EMAIL a@b.c"}, {After: len(want.Players), Text: "999   1 Team"}}
		want.Players[0].Sex = "w"
		want.Players[0].Title = "WGM"
		want.Players[0].Federation = "LAT"
		want.Players[0].ID = "11600001"
		want.Players[0].Birth = "1990/05/01"
		d := newDirector(newMemory(), &counter{})
		tm, did, err := d.Import(ctx, "", written(t, want), duel, "ada", false)
		if err != nil || len(did.Notes) > 0 || tm.Status != tournament.Finished {
			t.Fatalf("%s: %v, notes %v", file, err, did.Notes)
		}
		got, err := d.Export(ctx, tm, exchange.Staff)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := data(mustRead(t, written(t, got.(*trf.Report)))), data(want); !reflect.DeepEqual(a, b) {
			t.Fatalf("%s was\n%s\nand is\n%s", file, written(t, want), written(t, got.(*trf.Report)))
		}
	}
}

// TestSameStandings compares the tie-breaks of an imported tournament with those of its file.
func TestSameStandings(t *testing.T) {
	files, err := filepath.Glob("../pairing/swiss/testdata/open/open-0[0-2]*.trf")
	if err != nil || len(files) != 29 {
		t.Fatalf("%d reports found (%v), want 29", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := newDirector(newMemory(), &counter{})
		o := duel
		o.TieBreaks = []string{"BH/C1", "BH", "FB", "SB/M1", "DE", "WIN", "ARO", "PTP", "STD", "REP", "KS"}
		tm, _, err := d.Import(context.Background(), "", text, o, "ada", false)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		sameStandings(t, tm, mustRead(t, text))
	}
}

// sameStandings holds a tournament's standings against those computed from a report.
func sameStandings(t failing, tm *tournament.Tournament, r *trf.Report) {
	t.Helper()
	f := standings.FieldOfReport(r)
	f.TieBreaks = tm.TieBreaks
	want, err := standings.Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := standings.After(tm, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range got.Rows {
		other := want.Rows[i]
		if row.Rank != other.Rank || row.Entry.Number != other.Entry.Number || row.Points != other.Points || !slices.Equal(row.TieBreaks, other.TieBreaks) {
			t.Fatalf("%s has %d %d %s %v, and by the report %d %d %s %v\n%s", row.Entry.Name, row.Rank, row.Entry.Number, row.Points, row.TieBreaks,
				other.Rank, other.Entry.Number, other.Points, other.TieBreaks, written(t, r))
		}
	}
}

// TestNothingIsStoredOfAFault looks at files that cannot be taken over, and at what remains of them.
func TestNothingIsStoredOfAFault(t *testing.T) {
	line := func(number int, name, cells string) string {
		return fmt.Sprintf("001 %4d      %-33s%37s       %s\n", number, name, "", cells)
	}
	two := line(1, "A", "   2 w 1") + line(2, "B", "   1 b 0")
	tests := []struct{ name, text, want string }{
		{"points", "142 3\n001    1      A                                                                  9.0", "line 2, player 1"},
		{"teams", "142 3\n310   1 Team\n" + two, "at least 2 teams"},
		{"no name", "142 3\n" + line(1, "A", "") + line(2, "", ""), "line 3, player 2: the name"},
		{"one player", "142 3\n" + line(1, "A", ""), "at least 2 entries"},
		{"open game before the last round", "142 3\n162 X 0.0\n" + line(1, "A", "   2 w       2 b 1") + line(2, "B", "   1 b       1 w 0"), "line 3, player 1, round 1: the game has no result"},
		{"another acceleration", "142 9\n250       2.0 001 001 0001 0001\n" + two, "Baku"},
		{"tie-breaks", "142 3\n202 BH,XYZ\n" + two, `no tie-break "XYZ"`},
		{"a stranger is forbidden", "142 3\n260 001 003 0001 0009\n" + two, "there is no player 9"},
		{"worthless wins", "142 3\n162 W 0.0    D 0.5\n" + line(1, "A", "") + line(2, "B", ""), "a win (0) must be worth more"},
		{"penalties", "142 3\n299          -1.0  000 0001\n" + two, "line 299"},
		{
			"not by Berger", "092 Round Robin\n142 3\n" + line(1, "A", "   2 w 1") + line(2, "B", "   1 b 0") + line(3, "C", "   4 w 1") + line(4, "D", "   3 b 0"),
			"Berger",
		},
	}
	for _, tt := range tests {
		m := newMemory()
		d, o := newDirector(m, &counter{}), duel
		o.Name = "Friday"
		_, _, err := d.Import(context.Background(), "", []byte(tt.text), o, "ada", false)
		if !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s", tt.name, err, tt.want)
		}
		if len(m.stored)+len(m.originals)+len(m.players) > 0 {
			t.Errorf("%s: something was stored", tt.name)
		}
	}
}
