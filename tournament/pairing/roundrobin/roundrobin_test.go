package roundrobin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// TestBergerTables compares every round with the printed tables.
func TestBergerTables(t *testing.T) {
	files, err := filepath.Glob("testdata/berger_*.tsv")
	if err != nil || len(files) != 14 {
		t.Fatalf("%d tables found (%v), want those for 4, 6 … 30", len(files), err)
	}
	for _, file := range files {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(file), "berger_%d.tsv", &n); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		got.WriteString("round\tboard\twhite\tblack\n")
		for r := 1; r <= Rounds(n, false); r++ {
			for i, g := range Round(n, false, r) {
				fmt.Fprintf(&got, "%d\t%d\t%d\t%d\n", r, i+1, g.White, g.Black)
			}
		}
		if got.String() != string(want) {
			t.Errorf("%d players: the table differs from %s", n, file)
		}
	}
}

// TestAllMeet checks the laws of a table for any size: every entry once a round, every pair once in a cycle and with
// both colours in a double cycle, colours balanced, never three alike in a row in a double tournament.
func TestAllMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 61).Draw(t, "n")
		double := rapid.Bool().Draw(t, "double")
		met := make(map[Game]int)
		colours := make([][]pairing.Colour, n+1)
		free := make([]int, n+1)
		for r := 1; r <= Rounds(n, double); r++ {
			seen := make([]bool, n+1)
			games := Round(n, double, r)
			for i, g := range games {
				if g.Black == 0 && i != len(games)-1 {
					t.Fatalf("round %d: the free player %d stands on board %d of %d", r, g.White, i+1, len(games))
				}
				for _, p := range []int{g.White, g.Black} {
					if p != 0 && seen[p] {
						t.Fatalf("round %d: %d plays twice", r, p)
					}
					seen[p] = true
				}
				if g.Black == 0 {
					free[g.White]++
					continue
				}
				met[g]++
				colours[g.White] = append(colours[g.White], pairing.White)
				colours[g.Black] = append(colours[g.Black], pairing.Black)
			}
			if slices.Contains(seen[1:], false) {
				t.Fatalf("round %d: an entry is missing", r)
			}
		}
		checkMeetings(t, n, double, met)
		for p := 1; p <= n; p++ {
			checkColours(t, p, double, colours[p])
			if want := (n % 2) * cycles(double); free[p] != want {
				t.Fatalf("%d is free %d times, want %d", p, free[p], want)
			}
		}
	})
}

func cycles(double bool) int {
	if double {
		return 2
	}
	return 1
}

func checkMeetings(t *rapid.T, n int, double bool, met map[Game]int) {
	for a := 1; a <= n; a++ {
		for b := a + 1; b <= n; b++ {
			there, back := met[Game{a, b}], met[Game{b, a}]
			if double && (there != 1 || back != 1) || !double && there+back != 1 {
				t.Fatalf("%d has White against %d %d times and Black %d times", a, b, there, back)
			}
		}
	}
}

func checkColours(t *rapid.T, p int, double bool, colours []pairing.Colour) {
	balance, run := 0, 0
	for i, c := range colours {
		if c == pairing.White {
			balance++
		} else {
			balance--
		}
		run++
		if i > 0 && colours[i-1] != c {
			run = 1
		}
		if double && run == 3 {
			t.Fatalf("%d has the same colour three times in a row: %v", p, colours)
		}
	}
	if balance < -1 || balance > 1 || double && balance != 0 {
		t.Fatalf("%d has colours out of balance by %d", p, balance)
	}
}

func field(n int) []pairing.Entrant {
	out := make([]pairing.Entrant, n)
	for i := range out {
		out[i].Entry = tournament.Entry{ID: fmt.Sprintf("e%d", i+1), Number: i + 1}
	}
	return out
}

func TestPairerSeatsEntries(t *testing.T) {
	got, err := Pairer{Double: true}.Pair(pairing.History{Round: 2, Field: field(5)})
	if err != nil {
		t.Fatal(err)
	}
	want := []tournament.Pairing{
		{Board: 1, Seats: []string{"e5", "e3"}},
		{Board: 2, Seats: []string{"e1", "e2"}},
		{Board: 3, Seats: []string{"e4"}, Bye: tournament.ZeroPoint},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPairerRefuses(t *testing.T) {
	if _, err := (Pairer{}).Pair(pairing.History{Round: 4, Field: field(4)}); !errors.Is(err, tournament.ErrUnpairable) {
		t.Errorf("round 4 of 4 players: %v, want ErrUnpairable", err)
	}
	if _, err := (Pairer{}).Rounds(1, 0); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one player: %v, want ErrInvalid", err)
	}
	for _, test := range []struct {
		n      int
		double bool
		want   int
	}{{2, false, 1}, {2, true, 2}, {7, false, 7}, {8, false, 7}, {8, true, 14}} {
		if got, err := (Pairer{test.double}).Rounds(test.n, 3); err != nil || got != test.want {
			t.Errorf("%d entries, double %v: %d rounds (%v), want %d", test.n, test.double, got, err, test.want)
		}
	}
}
