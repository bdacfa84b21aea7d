package ledger

import (
	"fmt"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
)

// markedGames returns n games of ada against a player each, all won by ada or all lost, with either ada or the others
// marked.
func markedGames(n int, adaWins, adaMarked bool) (games []Finished) {
	for i := range n {
		f := duel(fmt.Sprint("g", i), "ada", fmt.Sprint("p", i))
		f.Marked = []bool{adaMarked, !adaMarked}
		if !adaWins {
			f.Ranks = []int{2, 1}
		}
		games = append(games, f)
	}
	return games
}

// TestTheExactChangeDecidesAboutMarks: a change that is rounded away counts in the sums of its period, and so it is
// taken back.
func TestTheExactChangeDecidesAboutMarks(t *testing.T) {
	for _, tt := range []struct {
		what          string
		wins, marked  bool
		ada, others   float64
		taken, taken2 bool // of ada, and of the others
	}{
		{"the marked player wins 0.4 points", true, true, 1850, 1450, true, true},
		{"the marked player loses 0.4 points", false, true, 1450, 1850, false, false},
		{"a marked opponent wins 0.4 points", false, false, 1450, 1850, true, true},
		{"a marked opponent loses 0.4 points", true, false, 1850, 1450, false, false},
	} {
		games := markedGames(3, tt.wins, tt.marked)
		m := newMemory(games...)
		for i := range games {
			m.given[place{games[i].List, games[i].Players[1]}] = rating.Rating{Value: tt.others}
		}
		m.given[place{games[0].List, "ada"}] = rating.Rating{Value: tt.ada}
		system := rating.Live{By: elo.FIDE{Settings: elo.Settings{K: rating.Set(5)}}}
		if _, err := New(m, system).CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(m.rows) != 6 {
			t.Fatalf("%s: %d rows", tt.what, len(m.rows))
		}
		for i, r := range m.rows {
			want := tt.taken
			if r.PlayerID != "ada" {
				want = tt.taken2
			}
			if r.Refunded != want || want && r.Period.Tally.Games > 0 {
				t.Errorf("%s, row %d of %s: taken back %v, want %v; %+v", tt.what, i+1, r.PlayerID, r.Refunded, want, r.Period)
			}
		}
	}
}

// TestFirstRatingsOfMarkedPlayers: what raises the rating that a marked newcomer will have is taken back, the fifth
// game like the others, and what lowers it stays; for a newcomer against marked players it is the other way round.
func TestFirstRatingsOfMarkedPlayers(t *testing.T) {
	for _, tt := range []struct {
		what         string
		wins, marked bool
		rated        bool
	}{
		{"a marked newcomer wins", true, true, false},
		{"a marked newcomer loses", false, true, true},
		{"a newcomer wins against marked players", true, false, true},
		{"a newcomer loses against marked players", false, false, false},
	} {
		games := markedGames(5, tt.wins, tt.marked)
		m := newMemory(games...)
		for i := range games {
			m.given[place{games[i].List, games[i].Players[1]}] = rating.Rating{Value: 1800}
		}
		if _, err := New(m, rating.Live{By: elo.FIDE{}}).CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		var last Row
		for _, r := range m.rows {
			if r.PlayerID == "ada" {
				last = r
				if r.Refunded == tt.rated {
					t.Errorf("%s: game %s taken back: %v", tt.what, r.GameID, r.Refunded)
				}
			}
		}
		if last.Unrated == tt.rated || tt.rated && last.GamesAfter != 5 {
			t.Errorf("%s: %+v", tt.what, last)
		}
	}
}
