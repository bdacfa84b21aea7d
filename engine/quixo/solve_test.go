package quixo

import "testing"

// TestSolveThree solves the board of 3 × 3 and compares the values of all 3^9 boards, from the view of the player to
// move, with those of Tanaka, Bonnet, Tixeuil and Tamura, "Quixo Is Solved", 2020: 12,748 won, 6,935 lost and none
// drawn; the first player wins. A board with the mover's line counts as won, also if both lines stand, one with only
// the other's as lost.
func TestSolveThree(t *testing.T) {
	v := &variant{info: duel.info, geo: newGeometry(3)}
	s := solver{variant: v, values: map[position]int{}}
	boards := allBoards(v.geo.board.Len())
	for s.pass(boards) {
	}
	count := map[int]int{}
	for _, p := range boards {
		count[s.values[p]]++
	}
	if count[won] != 12_748 || count[lost] != 6_935 || count[unknown] != 0 {
		t.Errorf("%d won, %d lost, %d drawn", count[won], count[lost], count[unknown])
	}
	if got := s.values[position{turn: 1}]; got != won {
		t.Errorf("the first player's value is %d", got)
	}
}

// Values of a board for the player to move.
const (
	unknown = iota
	won
	lost
)

// solver gives boards their values pass by pass; seat 1 is always the one to move, for the colours can be swapped.
type solver struct {
	variant *variant
	values  map[position]int
}

// allBoards lists every way to fill n squares, with seat 1 to move.
func allBoards(n int) []position {
	boards := []position{{turn: 1}}
	for square := range n {
		for _, p := range boards {
			for side := range p.marks {
				next := p
				next.marks[side] |= 1 << square
				boards = append(boards, next)
			}
		}
	}
	return boards
}

// pass values the boards that follow from the values known, and reports whether there were any.
func (s *solver) pass(boards []position) bool {
	found := false
	for _, p := range boards {
		if s.values[p] != unknown {
			continue
		}
		if value := s.value(p); value != unknown {
			s.values[p] = value
			found = true
		}
	}
	return found
}

func (s *solver) value(p position) int {
	switch {
	case s.variant.geo.hasLine(p.marks[0]):
		return won
	case s.variant.geo.hasLine(p.marks[1]):
		return lost
	}
	value := lost
	takeable := p.takeable(s.variant)
	for i := range s.variant.geo.pushes {
		push := &s.variant.geo.pushes[i]
		if push.from&takeable == 0 {
			continue
		}
		next := p.after(s.variant, push, false)
		next.marks[0], next.marks[1], next.turn = next.marks[1], next.marks[0], 1
		switch s.values[next] {
		case lost:
			return won
		case unknown:
			value = unknown
		}
	}
	return value
}
