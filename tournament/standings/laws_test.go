package standings

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// number reads a printed value; it fails on what is undefined.
func number(t *rapid.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCuts: cutting the lowest never raises a sum, and never lowers a mean; cutting more never raises it further.
func TestCuts(t *testing.T) {
	chains := [][]string{
		{"BH", "BH/C1", "BH/C2"},
		{"BH/C1", "BH/M1", "BH/M2"},
		{"FB", "FB/C1", "FB/C2"},
		{"SB", "SB/C1", "SB/C2"},
		{"SB/C1", "SB/M1"},
		{"PS", "PS/C1", "PS/C2"},
		{"ARO/C2", "ARO/C1", "ARO"},
		{"KS/L-1", "KS", "KS/L+1"},
	}
	rapid.Check(t, func(t *rapid.T) {
		for _, row := range ranking(t, anyField(t, swissCodes...)) {
			for _, chain := range chains {
				for i := range chain[1:] {
					more, less := row.TieBreaks[column(chain[i])], row.TieBreaks[column(chain[i+1])]
					if more != Undefined && less != Undefined && number(t, more) < number(t, less) {
						t.Fatalf("%d: %s is %s, and %s is %s", row.Entry.Number, chain[i], more, chain[i+1], less)
					}
				}
			}
		}
	})
}

// TestRenumbering: tie-breaks that do not depend on numbers have the same values and ranks when all entries get other
// numbers.
func TestRenumbering(t *testing.T) {
	var codes []string
	for _, code := range swissCodes {
		if code != "TPN" && code != "LOT" {
			codes = append(codes, code)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := anyField(t, codes...)
		before := ranking(t, f)
		old := make([]int, len(f.Cards))
		for i := range old {
			old[i] = i + 1
		}
		old = rapid.Permutation(old).Draw(t, "numbers") // old[n-1] becomes n
		renamed := make(map[int]int)
		for i, n := range old {
			renamed[n] = i + 1
		}
		g := f
		g.Cards = make([]tournament.Card, len(f.Cards))
		for i, n := range old {
			g.Cards[i] = renumber(f.Cards[n-1], renamed)
		}
		for n, row := range ranking(t, g) {
			was := before[old[n-1]]
			if row.Rank != was.Rank || row.Points != was.Points || fmt.Sprint(row.TieBreaks) != fmt.Sprint(was.TieBreaks) {
				t.Fatalf("%d was %v, and as %d is %v", old[n-1], was, n, row)
			}
		}
	})
}

func renumber(c tournament.Card, renamed map[int]int) tournament.Card {
	c.Entry.Number = renamed[c.Entry.Number]
	cells := make([]tournament.Cell, len(c.Cells))
	for i, cell := range c.Cells {
		cells[i] = cell
		cells[i].Opponents = nil
		for _, n := range cell.Opponents {
			cells[i].Opponents = append(cells[i].Opponents, renamed[n])
		}
	}
	c.Cells = cells
	return c
}

// TestWinners: an entry that has won everything has a Sonneborn-Berger like the Buchholz.
func TestWinners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyField(t, "BH", "SB", "FB", "STD")
		rounds := len(f.Cards[0].Cells)
		for n, row := range ranking(t, f) {
			if row.Points == 10*tournament.Points(rounds) && number(t, row.TieBreaks[0]) != number(t, row.TieBreaks[1]) {
				t.Fatalf("%d won all: BH %s, SB %s", n, row.TieBreaks[0], row.TieBreaks[1])
			}
			// With these points, STD is the score.
			if number(t, row.TieBreaks[3]) != float64(row.Points)/10 {
				t.Fatalf("%d has %s points, STD %s", n, row.Points, row.TieBreaks[3])
			}
		}
	})
}

// TestRanks: the order is that of points and columns, and a shared rank means the same in all of them.
func TestRanks(t *testing.T) {
	// AOB distinguishes what looks the same in print.
	printed := rapid.SampledFrom(swissCodes).Filter(func(code string) bool { return !strings.HasPrefix(code, "AOB") })
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOfNDistinct(printed, 1, 5, rapid.ID[string]).Draw(t, "codes")
		table, err := Rank(anyField(t, codes...))
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range table.Rows[1:] {
			above := table.Rows[i]
			order := int(above.Points - row.Points)
			for c := 0; c < len(codes) && order == 0; c++ {
				order = compareValues(t, codes[c], above.TieBreaks[c], row.TieBreaks[c])
			}
			if order < 0 || (order == 0) != (row.Rank == above.Rank) || row.Rank != above.Rank && row.Rank != i+2 {
				t.Fatalf("%v above %v by %v", above, row, codes)
			}
		}
	})
}

// compareValues returns a positive number if the first value is better.
func compareValues(t *rapid.T, code, a, b string) int {
	switch {
	case a == b:
		return 0
	case a == Undefined:
		return -1
	case b == Undefined:
		return 1
	}
	sign := 1
	if code == "TPN" || code == "LOT" || strings.HasPrefix(code, "DE") {
		sign = -1
	}
	return sign * cmp.Compare(number(t, a), number(t, b))
}

// TestAccountsAddUp: the terms that count add up to the value, and every round is in at most a single term.
func TestAccountsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyField(t, swissCodes...)
		n := rapid.IntRange(1, len(f.Cards)).Draw(t, "number")
		code := rapid.SampledFrom(swissCodes).Draw(t, "code")
		row := ranking(t, f)[n]
		a, err := explained(f, n, column(code))
		if err != nil {
			t.Fatal(err)
		}
		if a.Text != row.TieBreaks[column(code)] || a.Code != code || a.Entry.Number != n {
			t.Fatalf("%s of %d is %s, explained as %+v", code, n, row.TieBreaks[column(code)], a)
		}
		sum, counted, last := 0.0, 0, 0
		for _, term := range a.Terms {
			if term.Round <= last {
				t.Fatalf("round %d after round %d", term.Round, last)
			}
			last = term.Round
			if term.Cut == Counted {
				sum += number(t, term.Text)
				counted++
			}
		}
		switch {
		case counted == 0 || !a.Mean && !a.sum:
		case a.Mean:
			if mean := sum / float64(counted); mean < number(t, a.Text)-0.51 || mean > number(t, a.Text)+0.51 {
				t.Fatalf("%s is not the mean of its terms", a)
			}
		case fmt.Sprintf("%.2f", sum) != fmt.Sprintf("%.2f", number(t, a.Text)):
			t.Fatalf("%s does not add up", a)
		}
	})
}

// TestAccountsAgreeWithTheTable: every account has the value that the standings print, and entries compared by a direct
// encounter have the same points.
func TestAccountsAgreeWithTheTable(t *testing.T) {
	f := FieldOf(crowd(60, "DE", "BH/C1", "SB/M1", "DE/P", "PS", "TPR", "LOT"), 9)
	table, err := Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	points := map[int]tournament.Points{}
	for _, row := range table.Rows {
		points[row.Entry.Number] = row.Points
	}
	for _, row := range table.Rows {
		accounts, err := Accounts(f, row.Entry.Number)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range accounts {
			if a.Text != row.TieBreaks[i] || a.Entry.ID != row.Entry.ID {
				t.Errorf("%s of %s: the table has %s, the account %s", a.Code, a.Entry.ID, row.TieBreaks[i], a)
			}
			for _, n := range a.Tied {
				if points[n] != row.Points {
					t.Errorf("%s of %s compares number %d, who has other points", a.Code, a.Entry.ID, n)
				}
			}
		}
	}
}

// BenchmarkAccounts explains the values of an entry among 1,000 after nine rounds.
func BenchmarkAccounts(b *testing.B) {
	t := crowd(1000, "BH/C1", "BH", "DE", "SB", "WIN")
	for b.Loop() {
		if _, err := Accounts(FieldOf(t, 9), 500); err != nil {
			b.Fatal(err)
		}
	}
}
