package trf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

func mustRead(t testing.TB, text string) *Report {
	t.Helper()
	r, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// same compares the content of two reports.
func same(a, b *Report) bool {
	return reflect.DeepEqual(withoutLines(a), withoutLines(b))
}

func withoutLines(r *Report) Report {
	out := *r
	out.mentions = nil
	out.unfollowed = nil
	out.absent = nil
	out.Notes = nil
	out.Uses = nil
	out.Players = slices.Clone(r.Players)
	for i := range out.Players {
		out.Players[i].line, out.Players[i].gaps = 0, nil
		if len(out.Players[i].Cells) == 0 {
			out.Players[i].Cells = nil
		}
	}
	for i := range out.Byes {
		if len(out.Byes[i].Numbers) == 0 {
			out.Byes[i].Numbers = nil
		}
	}
	return out
}

// TestKnownReports reads files of another program, and writes their lines as they were.
func TestKnownReports(t *testing.T) {
	files, err := filepath.Glob("../pairing/swiss/testdata/*/*.trf")
	if err != nil || len(files) != 66 {
		t.Fatalf("%d reports found (%v), want 66", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := mustRead(t, string(text))
		out := written(t, r)
		if !same(r, mustRead(t, out)) {
			t.Errorf("%s: what was written reads otherwise", file)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, " \r\n")
			if !strings.Contains(out, line+"\n") {
				t.Errorf("%s: the line %q is not written", file, line)
			}
		}
	}
}

const sixteen = "\ufeff012 Spring Open\r\n" +
	"022 Ürümqi\r\n" +
	"XXR 5\r\n" +
	"XXC black1 rank\r\n" +
	"XXP 1 3\r\n" +
	"BBW  1.0\r\n" +
	"001    1 mIM  Müller, Änne                      2400 GER     4610001 1990/01/01  2.5    1     3 w 1     2 b =  " +
	"0000 - F  0000 - H\r\n" +
	"XXA    1  1.0  1.0  0.5\r\n" +
	"001    2 f    Ng, Li                            2300 SGP     4610002             0.5    2  0000 - Z     1 w =     " +
	"3 b 0\r\n" +
	"001    3      Ó, Aoife                                                           2.0    3     1 b 0  0000 - U     " +
	"2 w 1\r\n"

func TestTRF16(t *testing.T) {
	r := mustRead(t, sixteen)
	if r.Name != "Spring Open" || r.City != "Ürümqi" || r.Rounds != 5 || r.Initial != pairing.Black {
		t.Errorf("read %q in %q, %d rounds, initial colour %d", r.Name, r.City, r.Rounds, r.Initial)
	}
	p := r.Players[0]
	want := Player{
		Number: 1, Sex: "m", Title: "IM", Name: "Müller, Änne", Rating: "2400", Federation: "GER", ID: "4610001",
		Birth: "1990/01/01", Points: 25, Rank: 1, line: 7, Cells: []Cell{
			{3, pairing.White, Win}, {2, pairing.Black, Draw}, {0, 0, FullPoint}, {0, 0, HalfPoint},
		},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("read %+v, want %+v", p, want)
	}
	if want := []Virtual{{10, 1, 2, 1, 1}, {5, 3, 3, 1, 1}}; !slices.Equal(r.Virtual, want) {
		t.Errorf("virtual points %v, want %v", r.Virtual, want)
	}
	if want := []Other{{0, "XXC black1 rank"}}; !slices.Equal(r.Other, want) {
		t.Errorf("unknown lines %v, want %v", r.Other, want)
	}
	h := r.History(4)
	if h.Field[0].Away != tournament.HalfPoint || h.Field[1].Away != tournament.NoBye {
		t.Errorf("away in round 4: %q and %q, want HPB and nothing", h.Field[0].Away, h.Field[1].Away)
	}
	if want := [][]int{{1, 3}}; !reflect.DeepEqual(h.Bans, want) {
		t.Errorf("bans %v, want %v", h.Bans, want)
	}
}

// TestWrittenAs2026 looks at what an older report is written as.
func TestWrittenAs2026(t *testing.T) {
	want := `012 Spring Open
022 Ürümqi
062 3
142 5
152 B
250       1.0 001 002 0001 0001
250       0.5 003 003 0001 0001
260 001 999 0001 0003
XXC black1 rank
001    1 m IM Müller, Änne                      2400 GER     4610001 1990/01/01  2.5    1     3 w 1     2 b =  0000 - F  0000 - H
001    2 f    Ng, Li                            2300 SGP     4610002             0.5    2  0000 - Z     1 w =     3 b 0
001    3      Ó, Aoife                                                           2.0    3     1 b 0  0000 - U     2 w 1
`
	if got := written(t, mustRead(t, sixteen)); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}

func TestLatin1(t *testing.T) {
	r := mustRead(t, "012 K\xf6ln\n001    1      M\xfcller                                                             "+
		"0.0\n")
	if r.Name != "Köln" || r.Players[0].Name != "Müller" {
		t.Errorf("read %q and %q", r.Name, r.Players[0].Name)
	}
}

// line makes a 001 line with these points and cells.
func line(number int, points, cells string) string {
	return fmt.Sprintf("001 %4d      %-33s%37s       %s", number, "A", points, cells)
}

func TestRefusals(t *testing.T) {
	file := func(lines ...string) string { return strings.Join(lines, "\n") }
	tests := []struct{ name, text, want string }{
		{"nothing", "", "there is no player"},
		{"number", "001    x      A", `line 1: the number in columns 5 to 8: "x"`},
		{
			"points", file("012 T", line(1, "1.0", "   2 w 1"), line(2, "0.5", "   1 b 0")),
			"line 3, player 2: 0.5 points in columns 81 to 84, but the rounds make 0.0",
		},
		{"twice", file(line(1, "", ""), "", line(1, "", "")), "line 3, player 1: line 1 is that player, too"},
		{"result", line(1, "", "   2 w X"), `line 1, player 1, round 1: "X" is not a result`},
		{"colour", line(1, "", "   2 g 1"), `line 1, player 1, round 1: "g" is not a colour`},
		{"no colour", line(1, "", "   2   1"), "line 1, player 1, round 1: the colour against 2 is missing"},
		{"no opponent", line(1, "", "0000 - 1"), `line 1, player 1, round 1: the result '1' needs an opponent`},
		{"bye with opponent", line(1, "", "   2 w U"), `line 1, player 1, round 1: the bye 'U' cannot have opponent 2`},
		{"stranger", line(1, "", "   2 w 1"), "line 1, player 1, round 1: there is no player 2"},
		{"himself", line(1, "", "   1 w 1"), "line 1, player 1, round 1: a player cannot meet himself"},
		{
			"one-sided", file(line(1, "1.0", "   2 w 1"), line(2, "", "   3 b 0"), line(3, "", "   2 w 1")),
			"line 1, player 1, round 1: the opponent is 2, who in line 2 has 3",
		},
		{"two whites", file(line(1, "1.0", "   2 w 1"), line(2, "", "   1 w 0")), "2 has the same colour in line 2"},
		{"two winners", file(line(1, "1.0", "   2 w 1"), line(2, "", "   1 b 1")), "do not belong together"},
		{"half a forfeit", file(line(1, "1.0", "   2 w +"), line(2, "", "   1 b 0")), "do not belong together"},
		{"rounds", file("142 many", line(1, "", "")), `line 1 (142): "many" is not a number from 1 to 200`},
		{"endless", line(1, "", strings.Repeat("0000 - Z  ", 201)), "line 1, player 1: the line is long enough for 201 rounds; at most 200"},
		{"initial colour", file("152 X", line(1, "", "")), `line 1 (152): "X" is not a colour`},
		{"points of results", file("162 Q 1.0", line(1, "", "")), `line 1 (162): "Q" is not a result`},
		{"points of a win", file("162 W one", line(1, "", "")), `line 1 (162): "" is not a number of points`},
		{"type of bye", file("240 U 001 0001", line(1, "", "")), `line 1 (240): "U" is not a type of bye`},
		{"virtual", file("250       1.0 003 001 0001 0002", line(1, "", "")), "the first must not be the greater"},
		{"ban", file("260 001 002 0001", line(1, "", "")), "at least two numbers"},
	}
	for _, tt := range tests {
		_, err := Read([]byte(tt.text))
		if !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s", tt.name, err, tt.want)
		}
	}
}

// TestPointsOfTheRoundToCome accepts both habits: byes of the round to come counted, and not.
func TestPointsOfTheRoundToCome(t *testing.T) {
	for _, points := range []string{"1.0", "1.5"} {
		mustRead(t, line(1, points, "   2 w 1  0000 - H")+"\n"+line(2, "0.0", "   1 b 0"))
	}
	played := line(1, "1.0", "   2 w 1  0000 - H") + "\n" + line(2, "1.0", "   1 b 0  0000 - U")
	if _, err := Read([]byte(played)); err == nil ||
		!strings.Contains(err.Error(), "1.0 points in columns 81 to 84, but the rounds make 1.5") {
		t.Errorf("error %v, want one about player 1: round 2 was played, and the bye in it counts", err)
	}
}

func TestPointSystems(t *testing.T) {
	players := line(1, "", "") + "\n"
	tests := []struct {
		text    string
		want    tournament.PointSystem
		unknown tournament.Points
	}{
		{"", tournament.StandardPoints, 5},
		{"162  W 3.0    D 1.0\n", tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 30, Bye: 30}, 10},
		{"162  P 0.5\n", tournament.PointSystem{Win: 10, Draw: 5, ForfeitWin: 10, Bye: 5}, 5},
		{"162  W 3.0    D 2.0    L 1.0\n162  P 2.0    A 0.0    X 1.0\n", tournament.PointSystem{Win: 30, Draw: 20, Loss: 10, ForfeitWin: 30, Bye: 20}, 10},
		{"162  W10.0\n", tournament.PointSystem{Win: 100, Draw: 5, ForfeitWin: 100, Bye: 100}, 5},
	}
	for _, tt := range tests {
		r := mustRead(t, tt.text+players)
		if r.Points != tt.want || r.Unknown != tt.unknown {
			t.Errorf("%q: read %+v and %v, want %+v and %v", tt.text, r.Points, r.Unknown, tt.want, tt.unknown)
		}
		if again := mustRead(t, written(t, r)); !same(r, again) {
			t.Errorf("%q: written, it reads %+v", tt.text, again.Points)
		}
	}
}

// TestAbnormalPoints: the line that speaks of a cell most exactly counts, a bonus comes on top.
func TestAbnormalPoints(t *testing.T) {
	lines := "299 W         3.0  000\n299 W         2.0  002\n299 W         1.5  002 0001\n299 Z         0.2  000 " +
		"0002\n299           0.5  001 0002\n299          -1.0  000 0001\n"
	text := lines + line(1, "3.5", "   2 w 1     2 b W  0000 - H") + "\n" + line(2, "0.7", "   1 b 0     1 w L  0000 - Z")
	h := mustRead(t, text).History(4)
	var got []tournament.Points
	for _, e := range h.Field {
		for _, c := range e.Cells {
			got = append(got, c.Points)
		}
	}
	if want := []tournament.Points{30, 15, 5, 5, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("the cells count %v, want %v", got, want)
	}
	if out := written(t, mustRead(t, text)); !strings.HasPrefix(out, "062 2\n"+lines) {
		t.Errorf("wrote\n%s", out)
	}
	teams := "299 W   2.0   1.0  001 0001\n"
	if r := mustRead(t, teams+line(1, "", "")); len(r.Abnormal) != 0 || len(r.Other) != 1 {
		t.Errorf("a line for teams is read as %+v, and kept as %+v", r.Abnormal, r.Other)
	}
}

// TestGaps fills numbers without a player with players that are always away, so that all others keep theirs.
func TestGaps(t *testing.T) {
	r := mustRead(t, line(2, "", "")+"\n"+line(4, "", ""))
	h := r.History(1)
	var here []bool
	for _, e := range h.Field {
		here = append(here, e.Away == tournament.NoBye)
	}
	if want := []bool{false, true, false, true}; !slices.Equal(here, want) {
		t.Errorf("here are %v, want %v", here, want)
	}
	if r.Has(1) || !r.Has(4) {
		t.Error("the numbers 2 and 4 are the players'")
	}
}

// TestHistory looks at every kind of cell.
func TestHistory(t *testing.T) {
	r := mustRead(t, "240 H 004 0001\n240 Z 005 0002\n"+
		line(1, "3.0", "   2 w 1     2 b +  0000 - U")+"\n"+
		line(2, "0.5", "   1 b 0     1 w -  0000 - H"))
	h := r.History(5)
	kinds := func(number int) (out []string) {
		for _, c := range h.Field[number-1].Cells {
			out = append(out, fmt.Sprintf("%v %v %v %v %v", c.Kind, c.Bye, c.Seat, c.Opponents, c.Points))
		}
		return out
	}
	for number, want := range map[int][]string{
		1: {"2  1 [2] 1", "3  2 [2] 1", "5 PAB 0 [] 1", "5 HPB 0 [] 0.5"},
		2: {"2  2 [1] 0", "4  1 [1] 0", "5 HPB 0 [] 0.5", "0  0 [] 0"},
	} {
		if got := kinds(number); !slices.Equal(got, want) {
			t.Errorf("number %d has %q, want %q", number, got, want)
		}
	}
	if h.Field[0].Away != tournament.NoBye || h.Field[1].Away != tournament.ZeroPoint {
		t.Errorf("away are %q and %q, want nothing and ZPB", h.Field[0].Away, h.Field[1].Away)
	}
	if h.Initial != pairing.White {
		t.Errorf("the initial colour is %d: number 1 had White in round 1", h.Initial)
	}
	if next := r.NextRound(); next != 4 {
		t.Errorf("round %d is next, want 4: the half-point bye of round 4 was asked for", next)
	}
}

// drawReport makes up a report that does not contradict itself.
func drawReport(t *rapid.T) *Report {
	text := func(most int, label string) string {
		return rapid.StringMatching(fmt.Sprintf(`[A-Za-zÀ-ž](|[A-Za-zÀ-ž ,.'-]{0,%d}[a-z.])`, most-2)).Draw(t, label)
	}
	optional := func(most int, label string) string {
		if rapid.Bool().Draw(t, label+"?") {
			return text(most, label)
		}
		return ""
	}
	r := &Report{
		Name: optional(40, "name"), City: optional(20, "city"), Kind: optional(20, "kind"), System: optional(12, "system"),
		TieBreaks: optional(12, "tie-breaks"), Rounds: rapid.IntRange(0, 20).Draw(t, "rounds"),
		Initial: pairing.Colour(rapid.IntRange(0, 2).Draw(t, "initial")), Points: tournament.StandardPoints, Unknown: 5,
	}
	if rapid.Bool().Draw(t, "three points") {
		r.Points = tournament.PointSystem{Win: 30, Draw: 10, Loss: 5, ForfeitWin: 30, ForfeitLoss: 2, Bye: 20}
	}
	for range rapid.IntRange(0, 2).Draw(t, "deputies") {
		r.Deputies = append(r.Deputies, text(20, "deputy"))
	}
	n := rapid.IntRange(1, 9).Draw(t, "players")
	for i := range n {
		r.Players = append(r.Players, Player{
			Number: i + 1, Name: optional(33, "player"), Title: optional(3, "title"), Rank: rapid.IntRange(0, 99).
				Draw(t, "rank"),
			NoPoints: rapid.IntRange(0, 9).Draw(t, "points") == 0,
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "played") {
		drawRound(t, r)
	}
	for i := range r.Players {
		p := &r.Players[i]
		p.Cells = trimmed(p.Cells)
	}
	for i := range r.Players {
		p := &r.Players[i]
		for round := 1; round < max(r.NextRound(), len(p.Cells)+1) && !p.NoPoints; round++ {
			p.Points += r.Worth(p.Cell(round))
		}
	}
	if r.Rounds > 0 {
		r.Rounds = max(r.Rounds, r.NextRound()-1) // fewer than were played are refused
	}
	drawRecords(t, r, n)
	return r
}

// drawRound adds a round of games, forfeits and byes.
func drawRound(t *rapid.T, r *Report) {
	order := make([]int, len(r.Players))
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(t, "order")
	for len(order) > 0 {
		a := &r.Players[order[0]]
		if len(order) == 1 || rapid.IntRange(0, 4).Draw(t, "bye") == 0 {
			bye := Cell{Result: rapid.SampledFrom([]Result{NoResult, HalfPoint, FullPoint, Allocated, ZeroPoint}).Draw(t, "bye")}
			if bye.Result == Allocated && (len(order) > 1 || slices.Contains(a.Cells, bye)) {
				bye.Result = ZeroPoint // a single allocated bye in a round, and for a player
			}
			a.Cells = append(a.Cells, bye)
			order = order[1:]
			continue
		}
		b := &r.Players[order[1]]
		results := rapid.SampledFrom([]string{"10", "01", "==", "+-", "-+", "--", "WL", "LW", "DD", "00", "  "}).
			Draw(t, "result")
		a.Cells = append(a.Cells, Cell{b.Number, pairing.White, Result(results[0])})
		b.Cells = append(b.Cells, Cell{a.Number, pairing.Black, Result(results[1])})
		order = order[2:]
	}
}

// drawRecords adds byes, virtual points, bans and unknown lines.
func drawRecords(t *rapid.T, r *Report, n int) {
	number := rapid.IntRange(1, n)
	round := rapid.IntRange(1, 20)
	for range rapid.IntRange(0, 2).Draw(t, "byes") {
		r.Byes = append(r.Byes, Bye{
			rapid.SampledFrom([]Result{HalfPoint, FullPoint, ZeroPoint}).Draw(t, "type"), round.Draw(t, "round"),
			rapid.SliceOfN(number, 1, 3).Draw(t, "numbers"),
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "virtual") {
		first, from := round.Draw(t, "first"), number.Draw(t, "from")
		r.Virtual = append(r.Virtual, Virtual{
			tournament.Points(rapid.IntRange(1, 999).Draw(t, "points")), first, first + rapid.IntRange(0, 5).Draw(t, "more"),
			from, min(from+1, n),
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "abnormal") {
		// A bonus in no round at all would be part of the points; results may have any points.
		a := Abnormal{Type: rapid.SampledFrom([]Result{'W', 'D', 'L', '+', '-', 'H', 'F', 'Z'}).Draw(t, "result"), Round: 21}
		a.Points = tournament.Points(rapid.IntRange(-20, 999).Draw(t, "points"))
		r.Abnormal = append(r.Abnormal, a)
	}
	if rapid.Bool().Draw(t, "ban") {
		r.Forbidden = append(r.Forbidden, Forbidden{1, round.Draw(t, "last"), rapid.SliceOfN(number, 2, 4).Draw(t, "banned")})
	}
	after := 0
	for range rapid.IntRange(0, 3).Draw(t, "other") {
		after = rapid.IntRange(after, n).Draw(t, "after")
		r.Other = append(r.Other, Other{after, rapid.SampledFrom([]string{
			"### a comment", "DAT 0001 CLUB Chess", "GER    1 x", "310   1 Team", "XYZ", "#",
		}).Draw(t, "line")})
	}
}

// TestRoundTrip writes and reads reports of all sorts.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReport(t)
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if !same(r, again) {
			t.Fatalf("wrote %+v\nread  %+v\nas\n%s", withoutLines(r), withoutLines(again), b.String())
		}
	})
}

// FuzzRead demands that whatever can be read can be written and read again, with the same meaning.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sixteen))
	f.Add([]byte("132" + strings.Repeat(" ", 88) + "26/02/01  26/02/02\n240 H 001 0001\n260 001 002 0001 0002\n" +
		line(1, "0.5", "   2 w =") + "\n" + line(2, "", "   1 b =")))
	f.Add([]byte("162  W 3.0    D 1.0\r001    2 w WGM Ø\r\r001    1      \xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(text)
		if err != nil {
			return
		}
		out := written(t, r)
		again, err := Read([]byte(out))
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, out)
		}
		if !same(r, again) {
			t.Fatalf("read  %+v\nagain %+v\nfrom\n%s", withoutLines(r), withoutLines(again), out)
		}
		r.History(r.NextRound())
	})
}

// TestPlayersBesideTheirColumns: the same in reports of individuals, where blanks alone separate players' numbers.
func TestPlayersBesideTheirColumns(t *testing.T) {
	two := line(1, "", "") + "\n" + line(2, "", "") + "\n"
	for text, why := range map[string]string{
		"250      10.0 001 003 0001 00012":                                    `line 1 (250): "00012" in columns 28 to 32`,
		"250    10.0 001 003 0001 0002":                                       `line 1 (250): "10.0" in columns 8 to 11`,
		"299           1.0   002 0001":                                        `line 1 (299): "002" in columns 21 to 23`,
		"299           1.0 002 0001":                                          `line 1 (299): "002" in columns 19 to 21`,
		"299 W      10.0  000 0001":                                           `line 1 (299): "10.0" in columns 12 to 15`,
		"240 H 003 00010002":                                                  `"00010002" is not a number`,
		strings.Replace(line(3, "", ""), "A", "A"+strings.Repeat("x", 33), 1): "column 48 is between two fields",
	} {
		if _, err := Read([]byte(text + "\n" + two)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want one that says %s", text, err, why)
		}
	}
	for _, text := range []string{"240 H 003   2", "240 H 3 2 1", "260 1 3 1 2", "299          -1.0  000 0001"} {
		if _, err := Read([]byte(text + "\n" + two)); err != nil && strings.Contains(err.Error(), "beside its field") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
