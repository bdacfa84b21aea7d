package quixo

import (
	"flag"
	"fmt"
	"math/bits"
	"testing"
)

var solveFour = flag.Bool("quixo.four", false, "solve the board of 4 × 4, too: 20 s, 45 MB")

// TestSolveSmallBoards solves boards with the moves of the game and compares the values of all 3^(n·n) boards, from the
// view of the player to move, with those of Tanaka, Bonnet, Tixeuil and Tamura, "Quixo Is Solved", 2020. A board with
// the mover's line counts as won, also with both lines; with only the other's it counts as lost.
func TestSolveSmallBoards(t *testing.T) {
	type solved struct {
		size             int
		won, lost, drawn int
	}
	boards := []solved{{3, 12_748, 6_935, 0}}
	if *solveFour {
		boards = append(boards, solved{4, 26_434_489, 15_003_736, 1_608_496})
	}
	for _, tc := range boards {
		t.Run(fmt.Sprint(tc.size), func(t *testing.T) {
			s := newSolver(tc.size)
			s.solve()
			var count [3]int
			for _, v := range s.values {
				count[v]++
			}
			if count[won] != tc.won || count[lost] != tc.lost || count[drawn] != tc.drawn {
				t.Errorf("%d won, %d lost, %d drawn", count[won], count[lost], count[drawn])
			}
			if got := s.values[0]; got != won {
				t.Errorf("the first player's value is %d", got)
			}
		})
	}
}

// value is the outcome of a board for the player to move. Boards that cannot be decided in the end are drawn.
type value uint8

const (
	drawn value = iota
	won
	lost
)

// solver holds the values of all boards of a size, with seat 1 to move, for the sides can be swapped.
type solver struct {
	variant *variant
	squares int
	ternary []uint32 // for each set of squares the number with the digits 1 there to base 3
	values  []value  // by the board as a number to base 3: 1 for seat 1's marks, 2 for the others
}

func newSolver(size int) *solver {
	v := &variant{info: duel.info, geo: newGeometry(size)}
	s := &solver{variant: v, squares: v.geo.board.Len()}
	s.ternary = make([]uint32, 1<<s.squares)
	digit := uint32(1)
	for square := range s.squares {
		for set := range 1 << square {
			s.ternary[set|1<<square] = s.ternary[set] + digit
		}
		digit *= 3
	}
	s.values = make([]value, digit)
	return s
}

func (s *solver) at(p *position) *value {
	return &s.values[s.ternary[p.marks[0]]+2*s.ternary[p.marks[1]]]
}

// solve goes from full boards to blank ones, for a turn never takes a mark away, and over the boards with the same
// number of marks until it learns nothing more.
func (s *solver) solve() {
	for marked := s.squares; marked >= 0; marked-- {
		for s.pass(marked) {
		}
	}
}

// pass values the boards with a number of marks that follow from the values known, and reports whether any did.
func (s *solver) pass(marked int) bool {
	found := false
	for set := range uint32(1) << s.squares {
		if bits.OnesCount32(set) != marked {
			continue
		}
		for own := set; ; own = (own - 1) & set {
			p := position{turn: 1, marks: [2]uint32{own, set &^ own}}
			if known := s.at(&p); *known == drawn {
				*known = s.judge(&p)
				found = found || *known != drawn
			}
			if own == 0 {
				break
			}
		}
	}
	return found
}

// judge returns the value of a board as far as it follows from those known.
func (s *solver) judge(p *position) value {
	geo := s.variant.geo
	switch {
	case geo.hasLine(p.marks[0]):
		return won
	case geo.hasLine(p.marks[1]):
		return lost
	}
	best := lost
	takeable := p.takeable(s.variant)
	for i := range geo.pushes {
		push := &geo.pushes[i]
		if push.from&takeable == 0 {
			continue
		}
		next := p.after(s.variant, push, false)
		next.marks[0], next.marks[1] = next.marks[1], next.marks[0]
		switch *s.at(&next) {
		case lost:
			return won
		case drawn:
			best = drawn
		}
	}
	return best
}
