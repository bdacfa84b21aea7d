package standings

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

// single is a game between two numbers, and what it brought the first.
type single struct {
	a, b   int
	points tournament.Points
}

// encountersOf is a book of n entries with each game in a round of its own.
func encountersOf(format tournament.Format, n int, games ...single) *book {
	f := Field{Format: format, Points: tournament.StandardPoints, Cards: make([]tournament.Card, n)}
	for i := range f.Cards {
		f.Cards[i] = tournament.Card{Entry: tournament.Entry{Number: i + 1}, Cells: make([]tournament.Cell, len(games))}
	}
	for r, g := range games {
		f.Cards[g.a-1].Cells[r] = tournament.Cell{Kind: tournament.Played, Seat: 1, Opponents: []int{g.b}, Points: g.points}
		f.Cards[g.b-1].Cells[r] = tournament.Cell{
			Kind: tournament.Played, Seat: 2, Opponents: []int{g.a}, Points: 10 - g.points,
		}
	}
	return openBook(f)
}

func places(b *book, group ...int) string {
	var out []string
	for _, v := range directEncounter(b, group, modifiers{}) {
		out = append(out, v.text)
	}
	return strings.Join(out, " ")
}

// TestDirectEncounterInPart: two of three level in the encounter are separated by their own game.
func TestDirectEncounterInPart(t *testing.T) {
	games := []single{{1, 2, 10}, {1, 3, 5}, {1, 4, 0}, {2, 3, 10}, {2, 4, 5}, {3, 4, 10}}
	b := encountersOf(tournament.RoundRobin, 4, games...)
	// All have 1½: nothing is decided, though single games were.
	if got := places(b, 0, 1, 2, 3); got != "0 0 0 0" {
		t.Errorf("four level: places %s, want all 0", got)
	}
	// 1 and 3 have 1½ and ½ against 2: 1½ 1 ½ in the table of three.
	if got := places(b, 0, 1, 2); got != "1 2 3" {
		t.Errorf("1, 2, 3: places %s, want 1 2 3", got)
	}
	// A second game between 1 and 2, lost by 1: half a point each on average, so 1, 2, 3 have 1, 1½, ½.
	b = encountersOf(tournament.RoundRobin, 4, append(games, single{1, 2, 0})...)
	if got := places(b, 0, 1, 2); got != "2 1 3" {
		t.Errorf("with a repeated meeting: places %s, want 2 1 3", got)
	}
}

// TestDirectEncounterUnmet is article 6.3.
func TestDirectEncounterUnmet(t *testing.T) {
	tests := []struct {
		name  string
		n     int
		games []single
		want  string
	}{
		{"3 might still win both", 3, []single{{1, 2, 10}}, "0 0 0"},
		{"1 is first whatever 2 and 3 do", 3, []single{{1, 2, 10}, {1, 3, 10}}, "1 2 2"},
		{"two pairs, each decided by its own game", 4, []single{{1, 2, 10}, {1, 3, 10}, {4, 1, 10}, {2, 3, 10}, {2, 4, 10}, {3, 4, 10}}, "1 2 3 4"},
		{"two level at the top, one of whom has a game to come", 4, []single{{1, 2, 10}, {1, 3, 10}, {2, 3, 10}, {2, 4, 10}, {3, 4, 10}}, "0 0 0 0"},
		{"no place safe", 4, []single{{1, 2, 10}, {3, 4, 10}}, "0 0 0 0"},
		{"first and second safe one after the other", 4, []single{{1, 2, 10}, {1, 3, 10}, {1, 4, 10}, {2, 3, 10}, {2, 4, 10}}, "1 2 3 3"},
		// 1 has beaten 2 and 3 and not met 4; 2 beat 3 and drew with 4; 3 beat 4. Only 1 is safe in this table, but the
		// others have all met, and the article applied again ranks them.
		{"the rest applied anew", 4, []single{{1, 2, 10}, {1, 3, 10}, {2, 3, 10}, {3, 4, 10}, {2, 4, 5}}, "1 2 3 4"},
	}
	for _, test := range tests {
		b := encountersOf(tournament.Swiss, test.n, test.games...)
		group := []int{0, 1, 2, 3}[:test.n]
		if got := places(b, group...); got != test.want {
			t.Errorf("%s: places %s, want %s", test.name, got, test.want)
		}
	}
}

// TestDirectEncounterOfThePublishedExercises: nine rounds of 16 players, as far as they decide something. Of those with
// 6 points 1 and 4 stay level, as do three with 4½; the two with 3 points drew with each other.
func TestDirectEncounterOfThePublishedExercises(t *testing.T) {
	f := readField(t, "testdata/swiss9.trf")
	f.TieBreaks = []string{"DE"}
	table, err := Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[int]int)
	for _, row := range table.Rows {
		got[row.Entry.Number] = row.Rank
	}
	want := map[int]int{
		1: 3, 2: 5, 3: 1, 4: 3, 5: 9, 6: 2, 7: 6, 8: 6, 9: 14, 10: 9, 11: 13, 12: 14, 13: 16, 14: 9, 15: 9, 16: 6,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
}

// TestForfeitsInDirectEncounters: a forfeit is no meeting in a Swiss (6.1.1), unless P counts it.
func TestForfeitsInDirectEncounters(t *testing.T) {
	f := Field{Format: tournament.Swiss, Points: tournament.StandardPoints, Cards: []tournament.Card{
		{Entry: tournament.Entry{Number: 1}, Cells: []tournament.Cell{{Kind: tournament.ForfeitLoss, Opponents: []int{2}}, {Kind: tournament.Unpaired, Bye: tournament.FullPoint, Points: 10}}},
		{Entry: tournament.Entry{Number: 2}, Cells: []tournament.Cell{{Kind: tournament.ForfeitWin, Opponents: []int{1}, Points: 10}, {}}},
	}}
	for code, want := range map[string]string{"DE": "1:0 2:0", "DE/P": "1:2 2:1"} {
		f.TieBreaks = []string{code}
		table, err := Rank(f)
		if err != nil {
			t.Fatal(err)
		}
		places := make([]string, 2)
		for _, row := range table.Rows {
			places[row.Entry.Number-1] = fmt.Sprintf("%d:%s", row.Entry.Number, row.TieBreaks[0])
		}
		if got := strings.Join(places, " "); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
