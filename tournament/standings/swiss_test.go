package standings

import (
	"testing"

	"quatuor/tournament"
)

// TestAccounts are values of the published exercise and of two more tournaments, worked out by hand under the rules of
// 2026, and how they came about.
func TestAccounts(t *testing.T) {
	tests := []struct {
		file   string
		number int
		code   string
		want   string
	}{
		// 4: a half-point bye in round 2, a draw times five rounds instead of the own 3.5. 12: two zero-point byes at the
		// end, draws to the opponents.
		{"testdata/swiss5.trf", 4, "BH", "14.0 = 3.0 + 2.5 + 1.5 + 3.5 + 3.5"},
		{"testdata/swiss5.trf", 4, "BH/C1", "11.5 = 3.0 + 1.5 + 3.5 + 3.5; cut: 2.5 (round 2, half-point bye)"},
		{"testdata/swiss5.trf", 4, "BH/M1", "8.0 = 3.0 + 1.5 + 3.5; cut: 2.5 (round 2, half-point bye), 3.5 (round 4, against 3)"},
		{"testdata/swiss5.trf", 4, "SB", "9.25 = 3.00 + 1.25 + 1.50 + 1.75 + 1.75"},
		// 6: the pairing-allocated bye is no VUR, so the weakest opponent goes.
		{"testdata/swiss5.trf", 6, "BH/C1", "10.5 = 2.0 + 3.5 + 2.5 + 2.5; cut: 1.0 (round 4, against 10)"},
		// 11: won by forfeit against 9, which has an adjusted score of 1.5.
		{"testdata/swiss5.trf", 11, "BH", "12.5 = 3.5 + 3.5 + 2.5 + 1.5 + 1.5"},
		// 9: two byes and a forfeit; 14: a forfeit loss against 12.
		{"testdata/swiss5.trf", 9, "SB/C1", "2.25 = 0.00 + 0.00 + 0.75 + 1.50; cut: 0.00 (round 4, forfeit loss against 11)"},
		{"testdata/swiss5.trf", 14, "BH/P", "12.0 = 3.0 + 2.5 + 3.0 + 2.0 + 1.5"},
		{"testdata/swiss5.trf", 12, "PS/C1", "7.0 = 1.0 + 2.0 + 2.0 + 2.0; cut: 0.0 (round 1, against 4)"},
		{"testdata/swiss5.trf", 12, "AOB", "14.00 = (14.0) / 1"},
		{"testdata/swiss5.trf", 9, "APRO", "1805 = (1969 + 1640) / 2"},
		{"testdata/swiss5.trf", 12, "ARO/C1", "-; cut: 2050 (round 1, against 4)"},
		{"testdata/swiss5.trf", 2, "PTP", "2216 from 1750, 1900, 2200, 1450, 2100"},
		{"testdata/swiss5.trf", 2, "WIN", "3 = 1 + 1 + 1"},
		{"testdata/swiss5.trf", 2, "RTNG", "2150"},
		{"testdata/swiss5.trf", 1, "DE", "0 from 0.5"},
		{"testdata/swiss5.trf", 1, "KS", "1.0 = 0.5 + 0.5; cut: 1.0 (round 1, against 9), 0.5 (round 2, against 13), 1.0 (round 4, against 15)"},
		{"testdata/swiss5.trf", 9, "KS", "0.0 = 0.0 + 0.0; cut: 0.0 (round 2, against 10)"},
		// The forfeit loss brought nothing; the half-point byes, 5.0 each times a half, are weaker than its opponent's 6.0,
		// and no less than the product with the weakest opponent, 4.5 times a half.
		{
			"../pairing/swiss/testdata/open/open-034.trf", 7, "SB/C1",
			"32.25 = 0.00 + 2.25 + 4.50 + 2.50 + 5.50 + 5.00 + 6.00 + 6.50 + 0.00; cut: 2.50 (round 3, half-point bye)",
		},
	}
	for _, test := range tests {
		f := readField(t, test.file)
		f.TieBreaks = []string{"WON", test.code}
		column := 1
		if test.code == "DE" {
			f.TieBreaks, column = f.TieBreaks[1:], 0
		}
		a, err := explained(f, test.number, column)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.String(); got != test.want {
			t.Errorf("%s of %d: %s\nwant %s", test.code, test.number, got, test.want)
		}
	}
}

// TestForeOfTheLastRound: paired, open or forfeited, the tournament's last round is drawn; before it is paired nothing
// is changed.
func TestForeOfTheLastRound(t *testing.T) {
	f := newField(4, 2)
	f.meet(1, 1, 2, "1")
	f.meet(1, 3, 4, "=")
	f.meet(2, 1, 3, "?")
	f.meet(2, 2, 4, "+")
	// In round 2 all draw: 1½, ½, 1, 1.
	for number, want := range map[int]string{1: "1.5", 2: "2.5", 3: "2.5", 4: "1.5"} {
		if got := valueOf(t, f, number, "FB"); got != want {
			t.Errorf("FB of %d is %s, want %s", number, got, want)
		}
	}
	f.Rounds = 3
	for number := 1; number <= 4; number++ {
		if fore, plain := valueOf(t, f, number, "FB"), valueOf(t, f, number, "BH"); fore != plain {
			t.Errorf("before the last round FB of %d is %s, and BH %s", number, fore, plain)
		}
	}
}

// TestOpenGames: a game without a result does not count yet, and shows that both were there.
func TestOpenGames(t *testing.T) {
	f := newField(4, 3)
	f.meet(1, 1, 2, "1")
	f.meet(1, 3, 4, "1")
	f.sitOut(2, 1, tournament.ZeroPoint)
	f.meet(2, 2, 3, "=")
	f.sitOut(2, 4, tournament.ZeroPoint)
	f.meet(3, 1, 3, "?")
	f.meet(3, 2, 4, "1")
	// 1 has 1 point; its zero-point bye is followed by a game, open as yet. Its dummy is worth that point.
	if got := valueOf(t, f, 1, "BH"); got != "2.5" {
		t.Errorf("BH of 1 is %s, want 1.5 of 2 and 1 of the dummy", got)
	}
	if got := valueOf(t, f, 2, "BH"); got != "2.5" {
		t.Errorf("BH of 2 is %s, want 1 of 1, 1.5 of 3 and nothing of 4", got)
	}
	if got := valueOf(t, f, 1, "REP"); got != "2" {
		t.Errorf("REP of 1 is %s, want 2", got)
	}
}

// TestTrailingByes: requested byes are draws to the opponents if nothing follows but VURs, forfeit losses are losses.
func TestTrailingByes(t *testing.T) {
	tests := []struct {
		name string
		rest func(f Field)
		want string // BH of 2: met 1 in round 1, and is worth 0 to itself
	}{
		{"half-point bye, absent", func(f Field) { f.sitOut(2, 1, tournament.HalfPoint) }, "2.0"},
		{"zero-point byes", func(f Field) { f.sitOut(2, 1, tournament.ZeroPoint); f.sitOut(3, 1, tournament.ZeroPoint) }, "2.0"},
		{"absent, lost by forfeit", func(f Field) { f.meet(3, 1, 3, "-") }, "1.5"},
		{"lost by forfeit, absent", func(f Field) { f.meet(2, 1, 3, "x") }, "1.5"},
		{"absent, won by forfeit", func(f Field) { f.meet(3, 1, 3, "+") }, "2.0"},
		{"absent, left over", func(f Field) { f.sitOut(3, 1, tournament.PairingAllocated) }, "2.0"},
		{"half-point bye, full-point bye", func(f Field) { f.sitOut(2, 1, tournament.HalfPoint); f.sitOut(3, 1, tournament.FullPoint) }, "2.5"},
		{"absent, a game", func(f Field) { f.meet(3, 1, 3, "0") }, "1.0"},
	}
	for _, test := range tests {
		f := newField(3, 3)
		f.meet(1, 1, 2, "1")
		test.rest(f)
		if got := valueOf(t, f, 2, "BH"); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestKoyaLimits moves the limit by draws and by percentages.
func TestKoyaLimits(t *testing.T) {
	f := newField(4, 2)
	f.meet(1, 1, 2, "=")
	f.meet(1, 3, 4, "1")
	f.meet(2, 1, 3, "=")
	f.meet(2, 4, 2, "=") // 1, 1, 1½, ½
	for code, want := range map[string]string{
		"KS": "1.0", "KS/L+1": "0.5", "KS/L-1": "1.0", "KS/L+2": "0", "KS/L75": "0.5", "KS/L80": "0",
	} {
		if got := valueOf(t, f, 1, code); got != want {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
	}
}

// TestStandardPoints compares the points with the opponent's, or without an opponent with a draw's, whatever the point
// system.
func TestStandardPoints(t *testing.T) {
	f := newField(2, 5)
	f.Points = tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 30, Bye: 10}
	f.meet(1, 1, 2, "1")
	f.meet(2, 1, 2, "=")
	f.sitOut(3, 1, tournament.PairingAllocated) // worth a draw
	f.meet(4, 1, 2, "+")
	f.sitOut(5, 1, tournament.ZeroPoint)
	f.sitOut(5, 2, tournament.FullPoint)
	for number, want := range map[int]string{1: "3.0", 2: "1.5"} {
		if got := valueOf(t, f, number, "STD"); got != want {
			t.Errorf("STD of %d is %s, want %s", number, got, want)
		}
	}
}
