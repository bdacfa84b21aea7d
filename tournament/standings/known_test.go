package standings

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/tournament/trf"
)

func readField(t testing.TB, file string) Field {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := trf.Read(raw)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return FieldOfReport(report)
}

// readTable reads a file of expected values: its columns, and their values by number.
func readTable(t testing.TB, file string) ([]string, map[int]map[string]string) {
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
		number, err := strconv.Atoi(row["StartNo"])
		if err != nil {
			t.Fatal(err)
		}
		out[number] = row
	}
	return header, out
}

// TestKnownTables holds the standings of 60 tournaments against what other programs computed, in every column. The
// tournaments are those that the Swiss pairings are tested with.
func TestKnownTables(t *testing.T) {
	files, err := filepath.Glob("testdata/open-*.tb")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d tables found (%v), want 60", len(files), err)
	}
	same, all := make(map[string]int), make(map[string]int)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tb")
		header, want := readTable(t, file)
		f := readField(t, "../pairing/swiss/testdata/open/"+name+".trf")
		f.TieBreaks = header[3:]
		table, err := Rank(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(table.Rows) != len(want) {
			t.Fatalf("%s: %d rows, want %d", name, len(table.Rows), len(want))
		}
		for _, row := range table.Rows {
			got := append([]string{fmt.Sprint(row.Rank), tenths(int64(row.Points))}, row.TieBreaks...)
			for i, column := range header[1:] {
				all[column]++
				// Where nothing can be computed, the tables have "-0".
				if text := strings.Replace(got[i], Undefined, "-0", 1); text == want[row.Entry.Number][column] {
					same[column]++
				} else {
					t.Errorf("%s: %d has %s %s, want %s", name, row.Entry.Number, column, text, want[row.Entry.Number][column])
				}
			}
		}
	}
	for _, column := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-5s %d of %d identical", column, same[column], all[column])
	}
}

// exercise holds the values of a published exercise with 16 players and five rounds, forfeits and all kinds of byes:
// those that no edition changed, and those of 2026 where it did.
var exercise = map[string]map[int]string{
	"BH":    {1: "12.5", 2: "13.0", 3: "15.5", 4: "14.0", 6: "11.5", 11: "12.5"},
	"BH/C1": {1: "11.0", 2: "12.0", 3: "13.0", 4: "11.5", 6: "10.5", 11: "11.0"},
	"AOB":   {2: "13.60"},
	"FB":    {1: "13.5", 2: "13.5", 3: "15.0", 4: "14.5", 11: "12.0", 12: "11.0"},
	"SB":    {1: "8.00", 2: "9.50", 3: "10.50", 4: "9.25", 6: "6.00", 11: "4.75"},
	"SB/C1": {1: "7.25", 2: "8.50", 3: "9.25"},
	"ARO":   {2: "1880", 3: "1940", 4: "1888", 9: "1975", 12: "2050"},
	"TPR":   {2: "2120", 3: "2089", 4: "2081", 9: "1175", 12: "1250"},
	"APRO":  {2: "1856", 3: "1904", 4: "1772", 9: "1805", 12: "2081"},
	"PTP":   {2: "2216", 3: "2112", 4: "2168", 9: "950", 12: "1250"},
	"APPO":  {2: "1852", 3: "1934", 4: "1784", 9: "1802", 12: "2168"},
}

func TestPublishedExercise(t *testing.T) {
	f := readField(t, "testdata/swiss5.trf")
	f.TieBreaks = slices.Sorted(maps.Keys(exercise))
	table, err := Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		for i, code := range f.TieBreaks {
			if want, ok := exercise[code][row.Entry.Number]; ok && row.TieBreaks[i] != want {
				t.Errorf("%d has %s %s, want %s", row.Entry.Number, code, row.TieBreaks[i], want)
			}
		}
	}
}
