package tournament

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryFormatHasARow checks that the constants of type Format and the rows of the table match.
func TestEveryFormatHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "formats.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var named []Format
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if is, ok := spec.Type.(*ast.Ident); !ok || is.Name != "Format" {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, Format(text))
		return true
	})
	rows := FormatsWith(nil)
	slices.Sort(named)
	slices.Sort(rows)
	if len(named) == 0 || !slices.Equal(named, rows) {
		t.Errorf("the constants are %v, the rows %v", named, rows)
	}
}

// TestQuestionsOfFormats checks what follows from several traits against the regulations of each format.
func TestQuestionsOfFormats(t *testing.T) {
	for _, test := range []struct {
		name  string
		trait func(Format) bool
		want  []Format
	}{
		{"late entries get byes", Format.Arrivals, []Format{Swiss, TableSwiss, Keizer, TeamSwiss}},
		{"takes late entries", Format.LateEntries, []Format{Swiss, TableSwiss, Keizer, Arena, TeamSwiss}},
		{"byes are worth points", Format.PointByes, []Format{Swiss, TableSwiss, TeamSwiss}},
		{"round-robin", Format.RoundRobin, []Format{RoundRobin, DoubleRoundRobin, TeamRoundRobin, TeamDoubleRoundRobin}},
		{"adjourns", Format.Adjourns, []Format{Swiss, RoundRobin, DoubleRoundRobin}},
		{"tables", Format.Tables, []Format{TableSwiss, TableRoundRobin}},
		{"may have tables", Format.MayHaveTables, []Format{TableSwiss, TableRoundRobin, Keizer, Arena}},
		{"points for places", Format.PlacePoints, []Format{TableSwiss, TableRoundRobin, Keizer}},
		{"draws tables", Format.DrawsTables, []Format{TableSwiss}},
		{"scores itself", Format.ScoresItself, []Format{Keizer, Arena}},
		{"decides", Format.Decides, []Format{Knockout}},
		{"eliminates", Format.Eliminates, []Format{Knockout, TeamKnockout}},
		{"advises rounds", Format.AdvisesRounds, []Format{Swiss}},
		{"files line-ups", Format.FilesLineUps, []Format{TeamSwiss, TeamRoundRobin, TeamDoubleRoundRobin, TeamKnockout}},
		{"draws the colour", Format.DrawsColour, []Format{Swiss, Knockout, TeamSwiss, TeamKnockout}},
		{"accelerates", Format.Accelerates, []Format{Swiss, TeamSwiss}},
		{"reported", Format.Reported, []Format{
			Swiss, RoundRobin, DoubleRoundRobin, TeamSwiss, TeamRoundRobin, TeamDoubleRoundRobin, TeamScheveningen,
		}},
	} {
		if got := FormatsWith(test.trait); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if test.trait("unknown") {
			t.Errorf("%s: of a format that does not exist, too", test.name)
		}
	}
}

// TestAdjournedGamesAreSetWhereTheFormatHasThem checks that exactly the formats without adjourned games refuse a
// setting for them.
func TestAdjournedGamesAreSetWhereTheFormatHasThem(t *testing.T) {
	for _, f := range FormatsWith(nil) {
		var faults FieldErrors
		PairingRules{AdjournedDraw: true}.check(Settings{Format: f}, &faults)
		refused := slices.ContainsFunc(faults, func(e FieldError) bool { return e.Field == "pairing/adjourned" })
		if refused == f.Adjourns() {
			t.Errorf("%s: refused %v, and it adjourns %v", f, refused, f.Adjourns())
		}
		if kept := (PairingRules{AdjournedDraw: true}).of(f).AdjournedDraw; kept != f.Adjourns() {
			t.Errorf("%s: kept %v after a change of format", f, kept)
		}
		if err := faults.Err(); refused && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestTableOfFormatsInTheDocs compares the table for organisers with the traits.
func TestTableOfFormatsInTheDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	yes := map[bool]string{true: "yes", false: "–"}
	var want []string
	for _, row := range Formats {
		f := row.Format
		cells := []string{
			"`" + string(f) + "`",
			[]string{"two", "three to five", "two to five"}[row.Sides],
			yes[row.Teams],
			[]string{"as planned", "from a table", "until one is left", "evening by evening", "none: free players are paired"}[row.Course],
			[]string{"–", "with byes", "at any time"}[row.Late],
			yes[f.PointByes()],
			yes[f.Adjourns()],
			yes[f.Accelerates()],
			yes[f.Reported()],
			[]string{"points, tie-breaks", "the bracket", "values of the opponents", "points, doubled in a streak"}[row.Ranking],
		}
		want = append(want, "| "+strings.Join(cells, " | ")+" |")
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/formats.md should have these rows:\n%s", strings.Join(want, "\n"))
	}
}
