package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trfRow is a 001 line with a number, points and cells.
func trfRow(number int, points, cells string) string {
	return fmt.Sprintf("001 %4d      %-33s %4s %3s %11s %-10s %4s %4s  %s\n", number, fmt.Sprint("P", number), "", "", "",
		"", points, "", cells)
}

// trfField is the 001 lines of players that have not played.
func trfField(players int) string {
	var b strings.Builder
	for n := range players {
		b.WriteString(trfRow(n+1, "0.0", ""))
	}
	return b.String()
}

// pairText runs the command pair on a file with this text.
func pairText(t *testing.T, text string, args ...string) (status int, out, errs string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.trf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status = run(append(append([]string{"pair"}, args...), file), strings.NewReader(""), &stdout, &stderr)
	return status, strings.ReplaceAll(stdout.String(), file, "f"), stderr.String()
}

// TestPairRefusesWhatItDoesNotFollow: a line that would change the pairing is named; none is skipped.
func TestPairRefusesWhatItDoesNotFollow(t *testing.T) {
	two := trfRow(1, "1.0", "   2 w 1") + trfRow(2, "0.0", "   1 b 0")
	for name, tt := range map[string]struct{ text, want string }{
		"rank": {"142 5\nXXC white1 rank\n" + two, "round 2: line 2 (XXC): pairing by ranks"},
		"old rules": {
			"142 5\n192 FIDE_DUTCH_2017\n" + two,
			"round 2: line 2 (192): FIDE_DUTCH_2017 is not a system that can be followed",
		},
		"Berger":         {"142 5\n192 BERGER_X\n" + two, "line 2 (192): BERGER_X"},
		"custom":         {"142 5\n192 CUSTOM_DUTCH\n" + two, "line 2 (192): CUSTOM_DUTCH"},
		"teams":          {"142 5\n310   1 T\n192 FIDE_DUTCH\n" + two, "line 2 (310): this is a report of a tournament of teams"},
		"unknown in 240": {"240 H 002 0003\n142 5\n" + two, "line 1 (240): there is no player 3"},
		"unknown in 250": {"250       1.0 001 003 0001 0009\n142 5\n" + two, "line 1 (250): there is no player 9"},
		"unknown in 260": {"260 001 005 0001 0007\n142 5\n" + two, "line 1 (260): there is no player 7"},
		"unknown in XXZ": {"XXZ 4\n142 5\n" + two, "line 1 (XXZ): there is no player 4"},
		"two byes": {
			"142 5\n" + trfRow(1, "2.0", "0000 - U  0000 - U") + trfRow(2, "0.0", ""),
			"line 2, player 1, round 2: the player had the pairing-allocated bye (U) in round 1 already",
		},
		"two in a round": {
			"142 5\n" + trfRow(1, "1.0", "0000 - U") + trfRow(2, "1.0", "0000 - U"),
			"line 3, player 2, round 1: player 1 in line 2 has the pairing-allocated bye",
		},
		"a word in XXS":      {"XXS WIN=3\n142 5\n" + two, `line 1 (XXS): "WIN=3" is not a result`},
		"colours in XXS":     {"XXS WW=1.5\n142 5\n" + two, "line 1 (XXS): a result is worth more with one colour"},
		"points of two kind": {"XXS W=3\n162 W 3.0\n142 5\n" + two, "keep those of one kind"},
	} {
		status, out, errs := pairText(t, tt.text)
		if status != exitFailure || strings.Count(out, "\n") != 1 || !strings.Contains(errs, tt.want) ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, printed %q and %q, want %q", name, status, out, errs, tt.want)
		}
	}
}

// TestPairFollowsOtherPrograms: lines of JaVaFo and bbpPairings with points and absent players.
func TestPairFollowsOtherPrograms(t *testing.T) {
	four := trfRow(1, "3.0", "   3 w 1") + trfRow(2, "1.0", "   4 b =") + trfRow(3, "0.0", "   1 b 0") +
		trfRow(4, "1.0", "   2 w =")
	for name, tt := range map[string]struct{ text, want string }{
		"XXZ": {
			"142 5\nXXZ 2 3\n152 W\n" + trfField(4),
			"f\t1\t1\t1\t4\t-\nf\t1\t0\t2\t0\tZPB\nf\t1\t0\t3\t0\tZPB\n",
		},
		"XXS":      {"142 5\nXXS W=3 D=1\n" + four, "f\t2\t1\t2\t1\t-\nf\t2\t2\t3\t4\t-\n"},
		"BBW, BBD": {"142 5\nBBW  3.0\nBBD  1.0\n" + four, "f\t2\t1\t2\t1\t-\nf\t2\t2\t3\t4\t-\n"},
		"PAB of XXS": {"142 5\nXXS W=3 D=1\n" + trfRow(1, "3.0", "   2 w 1") + trfRow(2, "0.0", "   1 b 0") +
			trfRow(3, "1.0", "0000 - U"), "f\t2\t1\t3\t1\t-\nf\t2\t2\t2\t0\tPAB\n"},
		"Z of 162": {"142 5\n162  W 3.0    D 1.0    Z 1.0\n" + trfRow(1, "3.0", "   2 w 1") +
			trfRow(2, "0.0", "   1 b 0") + trfRow(3, "1.0", "0000 - Z"), "f\t2\t1\t3\t1\t-\n"},
		"blank is worth": {"142 5\n162  A 0.5\n" + trfRow(1, "1.0", "   2 w 1") + trfRow(2, "0.0", "   1 b 0") +
			trfRow(3, "0.5", ""), "f\t2\t1\t3\t1\t-\n"},
	} {
		status, out, errs := pairText(t, tt.text)
		if status != exitOK || errs != "" || !strings.Contains(out, tt.want) {
			t.Errorf("%s: status %d, printed %q and %q, want %q", name, status, out, errs, tt.want)
		}
	}
}

// TestPairRoundsWithoutGames: they count, and the next can be paired.
func TestPairRoundsWithoutGames(t *testing.T) {
	gap := "142 4\n" + trfRow(1, "1.5", "   2 w 1  0000 - H     2 b =") + trfRow(2, "0.5", "   1 b 0  0000 - Z     1 w =")
	gap = strings.Replace(gap, "1.5", "2.0", 1)
	if status, out, errs := pairText(t, gap, "--every-round"); status != exitFailure ||
		!strings.Contains(out, "f\t2\t0\t1\t0\tHPB\nf\t2\t0\t2\t0\tZPB\n") ||
		!strings.Contains(errs, "round 3") {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
	last := "142 4\n" + trfRow(1, "1.5", "   2 w 1  0000 - H") + trfRow(2, "0.0", "   1 b 0  0000 - Z")
	if status, out, errs := pairText(t, last); status != exitOK ||
		!strings.HasSuffix(out, "f\t2\t0\t1\t0\tHPB\nf\t2\t0\t2\t0\tZPB\n") {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
}

// TestPairCountsArrivalsForBaku: of eight players two are away in round 1, so the first four of the six present are
// group A.
func TestPairCountsArrivalsForBaku(t *testing.T) {
	head := "142 5\n152 W\n192 FIDE_DUTCH_BAKU\n240 Z 001 0002 0003\n"
	if _, out, errs := pairText(t, head+trfField(8)); !strings.Contains(out,
		"f\t1\t1\t1\t5\t-\nf\t1\t2\t6\t4\t-\nf\t1\t3\t7\t8\t-\n") {
		t.Errorf("printed %q and %q", out, errs)
	}
}

// TestPairNotesAMissingNumberOfRounds on standard error, and pairs all the same.
func TestPairNotesAMissingNumberOfRounds(t *testing.T) {
	if status, out, errs := pairText(t, "152 W\n"+trfField(2)); status != exitOK ||
		!strings.Contains(out, "f\t1\t1\t1\t2\t-\n") || !strings.Contains(errs, "line 142") {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
}
