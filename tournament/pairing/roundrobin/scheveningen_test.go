package roundrobin

import (
	"fmt"
	"strings"
	"testing"
)

// meetings returns a round as in a table: "1+3" is player 1 of the first team with seat 1 against player 3 of the second.
func meetings(s Scheveningen, round int) string {
	var out []string
	for k := 1; k <= s.Boards; k++ {
		sign := "-"
		opponent, seatOne := s.Meeting(round, k)
		if seatOne {
			sign = "+"
		}
		out = append(out, fmt.Sprint(k, sign, opponent))
	}
	return strings.Join(out, " ")
}

// TestTablesOfAScheveningen: the tables of team rules 4.3, and the formula that earlier tournaments keep.
func TestTablesOfAScheveningen(t *testing.T) {
	for _, test := range []struct {
		boards  int
		earlier bool
		rounds  []string
	}{
		{1, false, []string{"1+1"}},
		{2, false, []string{"1+1 2+2", "1-2 2-1"}},
		{3, false, []string{"1+1 2+2 3-3", "1-2 2+3 3-1", "1+3 2-1 3+2"}},
		{4, false, []string{"1+1 2+2 3-3 4-4", "1-2 2-1 3+4 4+3", "1+3 2+4 3-1 4-2", "1-4 2-3 3+2 4+1"}},
		{6, false, []string{
			"1+1 2-2 3-3 4+4 5-5 6+6", "1-2 2+3 3+5 4-6 5+4 6-1", "1+3 2-5 3-1 4+2 5+6 6-4",
			"1-4 2-6 3+2 4+1 5-3 6+5", "1+5 2+4 3+6 4-3 5-1 6-2", "1-6 2+1 3-4 4-5 5+2 6+3",
		}},
		{2, true, []string{"1+1 2-2", "1-2 2+1"}},
		{4, true, []string{"1+1 2-2 3+3 4-4", "1-2 2+3 3-4 4+1", "1+3 2-4 3+1 4-2", "1-4 2+1 3-2 4+3"}},
	} {
		for i, want := range test.rounds {
			s := Scheveningen{Boards: test.boards, Earlier: test.earlier}
			if got := meetings(s, i+1); got != want {
				t.Errorf("%+v, round %d: %s, want %s", s, i+1, got, want)
			}
		}
	}
}

// TestAScheveningenIsFair: every player meets each of the others once, has each seat within 1 of half and never the
// same three times in a row; in each round both teams have seat 1 within 1, except with two boards.
func TestAScheveningenIsFair(t *testing.T) {
	for boards := 1; boards <= 8; boards++ {
		s := Scheveningen{Boards: boards}
		met := make(map[[2]int]int)
		seats := make(map[string][]bool) // by team and player, round by round: whether it had seat 1
		for round := 1; round <= boards; round++ {
			first, sat := 0, make(map[int]bool)
			for k := 1; k <= boards; k++ {
				opponent, seatOne := s.Meeting(round, k)
				if opponent < 1 || opponent > boards || sat[opponent] {
					t.Fatalf("%d boards, round %d: %s", boards, round, meetings(s, round))
				}
				sat[opponent] = true
				met[[2]int{k, opponent}]++
				a, b := fmt.Sprint("A", k), fmt.Sprint("B", opponent)
				seats[a], seats[b] = append(seats[a], seatOne), append(seats[b], !seatOne)
				if seatOne {
					first++
				}
			}
			if gap := 2*first - boards; boards != 2 && (gap < -1 || gap > 1) {
				t.Errorf("%d boards, round %d: the first team has seat 1 on %d", boards, round, first)
			}
			if _, seatOne := s.Meeting(round, 1); seatOne != (round%2 == 1) {
				t.Errorf("%d boards, round %d: the first team is White in odd rounds", boards, round)
			}
		}
		if len(met) != boards*boards {
			t.Errorf("%d boards: %d meetings", boards, len(met))
		}
		for player, had := range seats {
			first, row := 0, 0
			for i, one := range had {
				row++
				if i == 0 || one != had[i-1] {
					row = 1
				}
				if one {
					first++
				}
				if row > 2 {
					t.Errorf("%d boards: %s has %v", boards, player, had)
				}
			}
			if gap := 2*first - boards; gap < -2 || gap > 2 {
				t.Errorf("%d boards: %s has seat 1 in %d rounds", boards, player, first)
			}
		}
	}
}
