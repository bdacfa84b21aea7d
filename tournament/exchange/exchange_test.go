package exchange

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

const seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

var checks = tournament.Checks{
	Format: func(tournament.Format, tournament.Shape) error { return nil },
	Variant: func(string, map[string]string) (tournament.Shape, error) {
		return tournament.Shape{Min: 2, Max: 2, Members: 1}, nil
	},
	TimeControl: func(text string) (string, error) { return text, nil },
	TieBreak:    standings.Check,
}

// take imports a report and returns the tournament, and what is written of it.
func take(t *testing.T, text string, o Options) (*Taken, *tournament.Tournament, string) {
	t.Helper()
	o.Variant, o.TimeControl = "quixo/duel", "300+3"
	n := 0
	taken, err := Import([]byte(text), o, func() string { n++; return fmt.Sprint("id", n) })
	if err != nil {
		t.Fatal(err)
	}
	taken.Begun.Seed = seed
	tm, err := Imported("t", "olga", taken.Settings, taken.Begun, checks, 1_772_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Export(tm, &taken.Original, Staff)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return taken, tm, b.String()
}

// row makes a 001 line.
func row(number int, points, cells string) string {
	return fmt.Sprintf("001 %4d      %-33s %4d%28s%4s       %s\n", number, fmt.Sprint("Player ", number), 2000-number, "",
		points, cells)
}

// TestEveryCell takes over each kind of cell, and finds it as it was in what is written.
func TestEveryCell(t *testing.T) {
	text := "012 Cells\n142 6\n152 W\n" +
		row(1, "2.5", "   2 w 1     3 b 0     4 w W  0000 - Z  0000 - H") +
		row(2, "0.5", "   1 b 0  0000 - H            0000 - -     3 w  ") +
		row(3, "3.0", "   4 w +     1 w 0  0000 - U     4 b 1     2 b  ") +
		row(4, "1.0", "   3 b -  0000 - F     1 b L     3 w 0  0000 - Z")
	_, tm, out := take(t, text, Options{})
	_, rows, _ := strings.Cut(text, "152 W\n")
	if want := strings.ReplaceAll(rows, "  \n", "\n"); !strings.HasSuffix(out, want) {
		t.Errorf("took over\n%s\nand wrote\n%s", text, out)
	}
	var got []string
	for _, r := range tm.Rounds {
		for _, p := range r.Pairings {
			line := fmt.Sprint(r.Number, " ", p.Seats, " ", p.Bye, p.Text())
			if p.Result != nil {
				line += fmt.Sprint(" ", p.Result.Points)
			}
			got = append(got, line)
		}
	}
	want := []string{
		"1 [id1 id2] 1-0 [1 0]", "1 [id3 id4] +-- [1 0]",
		"2 [id3 id1] 0-0 [0 0]", "2 [id2] HPB [0.5]", "2 [id4] FPB [1]",
		"3 [id1 id4] 1-0 [1 0]", "3 [id3] PAB [1]", "3 [id2] ZPB [0]",
		"4 [id4 id3] 0-1 [0 1]", "4 [id1] ZPB [0]", "4 [id2] ZPB [0]",
		"5 [id2 id3] ", "5 [id1] HPB [0.5]", "5 [id4] ZPB [0]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("taken over as\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if tm.Status != tournament.Running || tm.Rounds[4].Status != tournament.Published ||
		tm.FirstColour != tournament.White || !tm.Rules.FullPointByes {
		t.Errorf("it is %s, its last round %s, the initial colour %d, full-point byes %v", tm.Status, tm.Rounds[4].Status,
			tm.FirstColour, tm.Rules.FullPointByes)
	}
}

// TestMoreHalfPointByesThanAllowed are imported: byes granted in another program are not judged by the regulations
// here.
func TestMoreHalfPointByesThanAllowed(t *testing.T) {
	_, tm, out := take(t, "012 Byes\n142 4\n240 H 003 0001\n240 H 004 0001\n"+
		row(1, "0.5", "0000 - H")+row(2, "1.0", "   3 w 1")+row(3, "0.0", "   2 b 0"), Options{})
	if limit := tm.Rules.MaxHalfPointByes(); limit != 1 {
		t.Fatalf("the regulations allow %d half-point byes; the test needs 1", limit)
	}
	e := tm.Entries[0]
	var half []int
	for _, b := range e.Byes {
		if b.Bye == tournament.HalfPoint {
			half = append(half, b.Round)
		}
	}
	if p := tm.Rounds[0].Pairings; !slices.ContainsFunc(p,
		func(p tournament.Pairing) bool { return p.Bye == tournament.HalfPoint && p.Seats[0] == e.ID }) {
		t.Errorf("round 1 is %+v", p)
	}
	if want := []int{1, 3, 4}; !slices.Equal(half, want) {
		t.Errorf("half-point byes are those of rounds %v, want %v", half, want)
	}
	for _, line := range []string{"240 H 003 0001\n", "240 H 004 0001\n"} {
		if !strings.Contains(out, line) {
			t.Errorf("the line %q is not in\n%s", line, out)
		}
	}
}

// TestLeaves: players absent in some rounds to come requested byes, those absent in all have withdrawn.
func TestLeaves(t *testing.T) {
	_, tm, out := take(t, "012 Leaves\n142 4\n240 H 003 0001\n240 Z 003 0002\n240 Z 004 0002 0003\n"+
		row(1, "1.0", "   2 w 1")+row(2, "0.0", "   1 b 0  0000 - Z")+row(3, "1.0", "0000 - U  0000 - Z"), Options{})
	if e := tm.Entries[0]; e.Status != tournament.Confirmed ||
		!slices.Equal(e.Byes, []tournament.RequestedBye{{Round: 3, Bye: tournament.HalfPoint}}) {
		t.Errorf("1 is %s with %v", e.Status, e.Byes)
	}
	if e := tm.Entries[1]; e.Status != tournament.Withdrawn || e.WithdrawnFrom != 2 || len(e.Byes) != 0 {
		t.Errorf("2 is %s from round %d with %v", e.Status, e.WithdrawnFrom, e.Byes)
	}
	want := []tournament.RequestedBye{{Round: 2, Bye: tournament.ZeroPoint}, {Round: 4, Bye: tournament.ZeroPoint}}
	if e := tm.Entries[2]; e.Status != tournament.Confirmed || !slices.Equal(e.Byes, want) {
		t.Errorf("3 is %s with %v", e.Status, e.Byes)
	}
	for _, line := range []string{
		"240 Z 002 0002 0003\n", "240 H 003 0001\n", "240 Z 003 0002\n",
		"240 Z 004 0002 0003\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("the line %q is not in\n%s", line, out)
		}
	}
}

// TestGapsAreClosed, and everything that names numbers follows.
func TestGapsAreClosed(t *testing.T) {
	taken, tm, out := take(t, "012 Gaps\n142 9\n152 B\n192 FIDE_DUTCH_BAKU\n250       1.0 001 003 0003 0007\n250       "+
		"0.5 004 005 0003 0007\n260 001 009 0003 0011\n"+
		row(7, "", "")+row(3, "", "")+row(11, "", ""), Options{Players: map[int]string{11: "known"}})
	if len(taken.Notes) != 1 || !strings.Contains(taken.Notes[0].String(), "gaps") {
		t.Errorf("notes %v", taken.Notes)
	}
	var names []string
	for _, e := range tm.Entries {
		names = append(names, fmt.Sprint(e.Number, e.Name, e.Members))
	}
	if want := []string{"1Player 3[id4]", "2Player 7[id5]", "3Player 11[known]"}; !slices.Equal(names, want) {
		t.Errorf("entries %v, want %v", names, want)
	}
	if tm.GroupA() != 2 || len(tm.Bans(9)) != 1 || !slices.Equal(tm.Bans(9)[0], []int{1, 3}) || len(taken.Players) != 2 {
		t.Errorf("group A has %d, forbidden are %v, %d players are new", tm.GroupA(), tm.Bans(9), len(taken.Players))
	}
	for _, line := range []string{
		"250       1.0 001 003 0001 0002\n", "250       0.5 004 005 0001 0002\n",
		"260 001 009 0001 0003\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("the line %q is not in\n%s", line, out)
		}
	}
}

// TestUnusualPoints: the points of a line 299 count, and are written again.
func TestUnusualPoints(t *testing.T) {
	text := "012 Points\n142 3\n299 +         0.5  001 0001\n299 D         0.3  000 0002\n" +
		row(1, "1.0", "   2 w +     2 b =") + row(2, "0.3", "   1 b -     1 w =")
	_, tm, out := take(t, text, Options{})
	if got := tm.Rounds[0].Pairings[0].Result.Points; !slices.Equal(got, []tournament.Points{5, 0}) {
		t.Errorf("the forfeit counts %v", got)
	}
	if got := tm.Rounds[1].Pairings[0].Result.Points; !slices.Equal(got, []tournament.Points{3, 5}) {
		t.Errorf("the draw counts %v", got)
	}
	if want := "299 +         0.5  001 0001\n299 D         0.3  000 0002\n"; !strings.Contains(out, want) {
		t.Errorf("wrote\n%s\nwant in it\n%s", out, want)
	}
	if _, err := trf.Read([]byte(out)); err != nil {
		t.Error(err)
	}
}

// TestWhatIsMissingIsNoted: a name and a number of rounds have defaults, and a rematch is pointed at.
func TestWhatIsMissingIsNoted(t *testing.T) {
	taken, tm, _ := take(t, row(1, "2.0", "   2 w 1     2 b 1")+row(2, "0.0", "   1 b 0     1 w 0"), Options{})
	if tm.Name != "Tournament" || tm.RoundCount != 2 || tm.Status != tournament.Finished {
		t.Errorf("%q, %d rounds, %s", tm.Name, tm.RoundCount, tm.Status)
	}
	notes := fmt.Sprint(taken.Notes)
	for _, want := range []string{
		"line 012", "line 142",
		"round 2: players 1 and 2 meet again; they played each other in round 1",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %s, want %q", notes, want)
		}
	}
}

// TestBonusesKeepTheirType: a line 299 without a result is written back as it was.
func TestBonusesKeepTheirType(t *testing.T) {
	line := "299           0.5  001 0001\n"
	_, _, out := take(t, "012 Bonus\n142 3\n"+line+row(1, "1.5", "   2 w 1")+row(2, "0.0", "   1 b 0"), Options{})
	if !strings.Contains(out, line) || strings.Count(out, "\n299") != 1 {
		t.Errorf("wrote\n%s", out)
	}
}

// TestRoundsWithoutGames are rounds, in the middle and at the end.
func TestRoundsWithoutGames(t *testing.T) {
	text := "012 Pause\n142 3\n" + row(1, "1.5", "   2 w 1  0000 - H  0000 - Z") +
		row(2, "0.5", "   1 b 0  0000 - H  0000 - Z")
	_, tm, _ := take(t, text, Options{})
	if len(tm.Rounds) != 3 || tm.Status != tournament.Finished {
		t.Errorf("%d rounds, %s", len(tm.Rounds), tm.Status)
	}
}

// TestFilesThatAreNotTaken are refused with the line and the reason.
func TestFilesThatAreNotTaken(t *testing.T) {
	players := row(1, "1.0", "   2 w 1") + row(2, "0.0", "   1 b 0")
	for head, want := range map[string]string{
		"012 A\n142 5\n013 Team                               1    2\n": "team 1, round 1: it cannot meet itself",
		"012 A\n142 5\n310   1 Team\n":                                  "at least 2 teams",
		"012 A\n142 5\n192 FIDE_DUTCH_2017\n":                           "line 3 (192): FIDE_DUTCH_2017 is not a system",
		"012 A\n142 5\nXXC rank\n":                                      "line 3 (XXC): pairing by ranks",
	} {
		if _, err := Import([]byte(head+players), Options{Variant: "quixo/duel", TimeControl: "300"},
			func() string { return "x" }); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", head, err, want)
		}
	}
}

// TestAnotherAcceleration can be taken over once it affects no player any more, and is written back.
func TestAnotherAcceleration(t *testing.T) {
	line := "250       2.0 001 001 0001 0001\n"
	finished := "012 Fast\n142 1\n" + line + row(1, "1.0", "   2 w 1") + row(2, "0.0", "   1 b 0")
	if _, tm, out := take(t, finished, Options{}); tm.Status != tournament.Finished || !strings.Contains(out, line) {
		t.Errorf("it is %s, written\n%s", tm.Status, out)
	}
}

// TestLateEntriesShiftNumbers: the data of the file follow their people.
func TestLateEntriesShiftNumbers(t *testing.T) {
	text := "012 Late\n142 5\n" + strings.Replace(row(1, "1.0", "   2 w W"), "      Player", " wWGM Player", 1) +
		"### of one\n" + row(2, "0.0", "   1 b L")
	taken, tm, _ := take(t, text, Options{})
	later, err := registration.AddEntry(tm, tournament.Entry{ID: "late", Name: "Late", Rating: 2500}, tournament.Shape{Members: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Export(later.Tournament, &taken.Original, Staff)
	if err != nil {
		t.Fatal(err)
	}
	if r.Players[0].Name != "Late" || r.Players[1].Title != "WGM" ||
		r.Players[1].Cells[0] != (trf.Cell{Opponent: 3, Colour: tournament.White, Result: trf.ShortWin}) ||
		r.Other[0].After != 2 {
		t.Errorf("wrote %+v and %+v", r.Players, r.Other)
	}
}

// TestSummary has every line of a file, what is open and what breaks an absolute rule.
func TestSummary(t *testing.T) {
	taken, _, out := take(t, "012 Seen\n022 Ulm\n062 4\n142 3\nYYY what\n"+
		row(1, "2.0", "   2 w 1     2 b 1     3 w  ")+row(2, "0.0", "   1 b 0     1 w 0     4 b  ")+
		row(3, "1.0", "   4 w 1     4 w 0     1 b  ")+row(4, "1.0", "   3 b 0     3 b 1     2 w  "), Options{})
	var got []string
	for _, u := range taken.Lines {
		got = append(got, fmt.Sprint(u.Code, " ", u.Treatment, " ", u.Lines, " ", u.First))
	}
	want := []string{
		"012 followed 1 1", "022 kept 1 2", "062 counted 1 3", "142 followed 1 4", "YYY kept 1 5", "001 followed 4 6",
	}
	if !slices.Equal(got, want) || taken.NewPlayers != 4 || !strings.Contains(out, "YYY what\n") {
		t.Errorf("lines %v, %d players", got, taken.NewPlayers)
	}
	notes := fmt.Sprint(taken.Notes)
	for _, note := range []string{
		"round 2: players 1 and 2 meet again", "round 3: 2 games have no result in the file and are open here: 1–3, 4–2",
	} {
		if !strings.Contains(notes, note) {
			t.Errorf("%q is not in %s", note, notes)
		}
	}
}

// TestNamesAsTheyWereSpelled: a name with two blanks keeps them in the file.
func TestNamesAsTheyWereSpelled(t *testing.T) {
	line := strings.Replace(row(1, "1.0", "   2 w 1"), "Player 1 ", "Fred  Ing", 1)
	_, tm, out := take(t, "012 Names\n142 1\n"+line+row(2, "0.0", "   1 b 0"), Options{})
	if tm.Entries[0].Name != "Fred Ing" || !strings.Contains(out, "Fred  Ing") {
		t.Errorf("%q became\n%s", tm.Entries[0].Name, out)
	}
}

// TestTeamsOfIndividuals: lines 013 are kept in a report of individuals.
func TestTeamsOfIndividuals(t *testing.T) {
	rest := "142 1\n013 Club                               1    2\n" + row(1, "1.0", "   2 w 1") + row(2, "0.0", "   1 b 0")
	if _, _, out := take(t, "012 Clubs\n092 Individual: Swiss-System\n"+rest, Options{}); !strings.Contains(out, "013 Club") {
		t.Errorf("the line is gone from\n%s", out)
	}
	_, err := Import([]byte("012 Clubs\n092 Team Swiss\n"+rest), Options{Variant: "quixo/duel", TimeControl: "300+3"},
		func() string { return "id" })
	if err == nil || !strings.Contains(err.Error(), "team 1, round 1: it cannot meet itself") {
		t.Errorf("a report of teams: %v", err)
	}
}
