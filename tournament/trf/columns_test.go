package trf_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// TestNumbersBesideTheirColumns: a line with a number that runs over its field, or lies beside it, is refused with the
// columns, and never read as another number.
func TestNumbersBesideTheirColumns(t *testing.T) {
	for name, tt := range map[string]struct{ good, bad, why string }{
		"first team of 240":   {"240 H 003    4", "240 H 003    12", `"12" in columns 14 to 15`},
		"second team of 240":  {"240 H 003    4    2", "240 H 003    4    12", `"12" in columns 19 to 20`},
		"behind one of 240":   {"240 H 003    4", "240 H 003     4", `"4" in columns 15 to 15`},
		"round of 240":        {"240 H 003    4", "240 H  0033    4", `"0033" in columns 8 to 11`},
		"type of 240":         {"240 H 003    4", "240 HH003    4", `"HH003" in columns 5 to 9`},
		"round of 260":        {"260 001 003    1    4", "260 0011 003   1    4", `"0011" in columns 5 to 8`},
		"team of 260":         {"260 001 003    1    4", "260 001 003     1   4", `"1" in columns 17 to 17`},
		"points of 250":       {"250  1.0  2.0   1   2    1    2", "250   1.0 2.0   1   2    1    2", `"1.0" in columns 7 to 9`},
		"rounds of 250":       {"250  1.0  2.0   1   2    1    2", "250  1.0  2.0    12 2    1    2", `"12" in columns 18 to 19`},
		"last team of 250":    {"250  1.0  2.0   1   2    1    2", "250  1.0  2.0   1   2    1    12", `"12" in columns 31 to 32`},
		"points of 299":       {"299    -1.0   2.0  002    2", "299     -1.0  2.0  002    2", `"-1.0" in columns 9 to 12`},
		"round of 299":        {"299    -1.0   2.0  002    2", "299    -1.0   2.0   002   2", `"002" in columns 21 to 23`},
		"team of 299":         {"299    -1.0   2.0  002    2", "299    -1.0   2.0  002    12", `"12" in columns 27 to 28`},
		"team of 300":         {"300   2   1   2    9    2", "300   2  10   2 0009 0002x", `"0002x" in columns 22 to 26`},
		"opponent of 300":     {"300   2   1   2    9    2", "300   2   1    12   9    2", `"12" in columns 16 to 17`},
		"player of 300":       {"300   2   1   2    9    2", "300   2   1   2     9   2", `"9" in columns 21 to 21`},
		"number of 310":       {"310   5 Five", "310   55Five", `"55Five" in columns 7 to 12`},
		"match points of 310": {"", "310   6 Six                              SIX             10.0", `"10.0" in columns 58 to 61`},
		"member of 310":       {"", "310   6 Six                              SIX                                12", `"12" in columns 77 to 78`},
		"name of 310": {
			"", "310   6 " + strings.Repeat("x", 33), "in columns 9 to 41",
		},
		"points of 320":    {"320  2.0  4.5   5 000", "320  2.0   4.5  5 000", `"4.5" in columns 12 to 14`},
		"team of 320":      {"320  2.0  4.5   5 000", "320  2.0  4.5    12 0", `"12" in columns 18 to 19`},
		"round of 330":     {"330 +-   1   3   4", "330 +-    12 3   4", `"12" in columns 11 to 12`},
		"last team of 330": {"330 +-   1   3   4", "330 +-   1   3    12", `"12" in columns 19 to 20`},
		"colours of 352":   {"352 WB", "352WB", `"WB" in columns 4 to 5`},
		"name of 013":      {"", "013 " + strings.Repeat("x", 30) + "2026 1", `2026" in columns 5 to 38`},
		"member of 013":    {"", "013 Six" + strings.Repeat(" ", 32) + "12", `"12" in columns 40 to 41`},
	} {
		text := everyRecord + tt.bad + "\n"
		if tt.good != "" {
			_, err := trf.ReadTeams([]byte(everyRecord+tt.good+"\n"), false)
			if err != nil && strings.Contains(err.Error(), "beside its field") {
				t.Errorf("%s: %q is refused: %v", name, tt.good, err)
			}
		}
		_, err := trf.ReadTeams([]byte(text), false)
		where := " (" + tt.bad[:3] + "): "
		if !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), "line 34"+where) ||
			!strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want one of line 34%s%s", name, err, where, tt.why)
		}
	}
}

// TestLenientColumns: a lenient reading warns, and takes the text within the columns; lines 240 of rounds that were
// played are refused only if they would grant points to a team that they do not name.
func TestLenientColumns(t *testing.T) {
	for text, strict := range map[string]string{
		"240 H 003    12":              `line 34 (240): "12" in columns 14 to 15`,
		"240 H 001     5":              "",
		"240 H 001    12":              "",
		"240 H 001    52":              `line 34 (240): "52" in columns 14 to 15`,
		"240 Z 001    52":              "",
		"299    -1.0   2.0  002    12": `line 34 (299): "12" in columns 27 to 28`,
		"300   2   1    12":            `line 34 (300): "12" in columns 16 to 17`,
	} {
		_, err := trf.ReadTeams([]byte(everyRecord+text+"\n"), false)
		if (err != nil) != (strict != "") || err != nil && !strings.Contains(err.Error(), strict) {
			t.Errorf("%q: %v, want %q", text, err, strict)
		}
		r, err := trf.ReadTeams([]byte(everyRecord+text+"\n"), true)
		if err != nil {
			t.Errorf("%q, lenient: %v", text, err)
			continue
		}
		if warned := len(r.Warnings) > 0 && strings.Contains(r.Warnings[0], "beside its field"); warned != (strict != "") {
			t.Errorf("%q, lenient: warnings %q", text, r.Warnings)
		}
	}
}

// TestLargePenalties: points of five characters are read as they are written.
func TestLargePenalties(t *testing.T) {
	const penalty = "299   -10.5 -12.5  002    2"
	text := strings.Replace(everyRecord, "299    -1.0   2.0  002    2", penalty, 1)
	r, err := trf.ReadTeams([]byte(text), true)
	if err != nil || !strings.Contains(written(t, r), penalty+"\n") || *r.Bonuses[0].MP != -105 {
		t.Errorf("%v, written %q", err, written(t, r))
	}
}
