package standings

import (
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

const gaps = `012 Gaps
142 5
192 %s
001    2      Ada                               2000                             1.5    1     7 w 1     9 b =
001    7      Bob                               1900                             0.0    3     2 b 0  0000 - Z
001    9      Cyd                               1800                             1.5    2  0000 - U     2 w =  0000 - H
`

// TestFieldOfReport: numbers may have gaps, and a round with only byes so far is none yet.
func TestFieldOfReport(t *testing.T) {
	for system, format := range map[string]tournament.Format{
		"FIDE_DUTCH": tournament.Swiss, "FIDE_DUTCH_BAKU": tournament.Swiss, "": tournament.Swiss,
		"BERGER": tournament.RoundRobin, "Round Robin": tournament.RoundRobin, "RR": tournament.RoundRobin,
		"BURSTEIN": tournament.Swiss,
	} {
		r, err := trf.Read([]byte(strings.Replace(gaps, "%s", system, 1)))
		if err != nil {
			t.Fatal(err)
		}
		f := FieldOfReport(r)
		if f.Format != format || f.Rounds != 5 {
			t.Errorf("%q: format %s with %d rounds, want %s with 5", system, f.Format, f.Rounds, format)
		}
		f.TieBreaks = []string{"WIN", "REP", "TPN"}
		table, err := Rank(f)
		if err != nil {
			t.Fatal(err)
		}
		if table.Round != 2 {
			t.Errorf("standings after round %d, want 2", table.Round)
		}
	}
}

func TestFieldWithGaps(t *testing.T) {
	r, err := trf.Read([]byte(strings.Replace(gaps, "%s", "FIDE_DUTCH", 1)))
	if err != nil {
		t.Fatal(err)
	}
	f := FieldOfReport(r)
	f.TieBreaks = []string{"BH", "TPN"}
	table, err := Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range table.Rows {
		got = append(got, row.Entry.Name+" "+strings.Join(row.TieBreaks, " "))
	}
	// Bob's zero-point bye at the end is a draw to Ada; his dummy has his 0 points. Cyd's bye is worth at most 1, a draw
	// in each of two rounds.
	compare(t, "rows", got, "Cyd 2.5 9", "Ada 2.0 2", "Bob 1.5 7")
}
