package quixo

import (
	"fmt"
	"math/bits"
	"strings"

	"quatuor/engine"
)

// position is the board with the seat on turn: all that the moves depend on.
type position struct {
	marks  [2]uint32 // the cubes marked by each side
	second uint32    // of the marked cubes, those with a dot that points to the second partner of their side
	turn   engine.Seat
}

// takeable returns the cubes that the seat on turn may take, as far as their marks and dots allow it: those inside
// the border are included.
func (p *position) takeable(v *variant) uint32 {
	side := sideOf(p.turn)
	own := p.marks[side]
	if v.teams {
		if isSecond(p.turn) {
			own &= p.second
		} else {
			own &^= p.second
		}
	}
	return own | ^(p.marks[0] | p.marks[1])
}

// after returns the position after a push by the seat on turn, with the dot to the second partner where second is
// set.
func (p *position) after(v *variant, push *push, second bool) position {
	const all = ^uint32(0)
	side := sideOf(p.turn)
	next := position{turn: v.next(p.turn)}
	next.marks[side] = push.after(p.marks[side], all)
	next.marks[1-side] = push.after(p.marks[1-side], 0)
	if v.teams {
		dot := uint32(0)
		if second {
			dot = all
		}
		next.second = push.after(p.second, dot)
	}
	return next
}

// lines returns how the push that led here ended the game, if it did: the winning side's index and the reason.
func (p *position) lines(v *variant) (winner int, reason engine.Reason, over bool) {
	other := sideOf(p.turn)
	switch {
	case v.geo.hasLine(p.marks[other]):
		return other, engine.ReasonOpponentLine, true
	case v.geo.hasLine(p.marks[1-other]):
		return 1 - other, engine.ReasonLine, true
	}
	return 0, "", false
}

// dots returns the seats that the dot of a cube may point to when the seat on turn pushes it; in duel only 0, for no
// dot.
func (p *position) dots(v *variant) []engine.Seat {
	if !v.teams {
		return []engine.Seat{0}
	}
	first := engine.Seat(sideOf(p.turn) + 1)
	return []engine.Seat{first, first + 2}
}

// count returns the number of legal moves of a position that is not over; a pass counts as a move.
func (p *position) count(v *variant) uint64 {
	n := v.geo.countPushes(p.takeable(v))
	if v.teams {
		n *= 2
	}
	return uint64(max(n, 1))
}

// perft returns the number of sequences of exactly depth moves; the last ply is counted without being played.
func (p *position) perft(v *variant, depth int) uint64 {
	if depth == 1 {
		return p.count(v)
	}
	takeable := p.takeable(v)
	if takeable&v.geo.border == 0 {
		passed := *p
		passed.turn = v.next(p.turn)
		return passed.perft(v, depth-1)
	}
	var total uint64
	for i := range v.geo.pushes {
		push := &v.geo.pushes[i]
		if push.from&takeable == 0 {
			continue
		}
		for _, dot := range p.dots(v) {
			next := p.after(v, push, isSecond(dot))
			if _, _, over := next.lines(v); !over {
				total += next.perft(v, depth-1)
			}
		}
	}
	return total
}

// Marks of the two sides in duel, and of a cube with its dot in teams, by the seat it points to.
const (
	blank     = '.'
	duelMarks = "xo"
	teamMarks = "swne"
)

// View is a game of Quixo, the same for every viewer.
type View struct {
	Size int      `json:"size"` // the length of an edge
	Rows [][]Cube `json:"rows"` // as the board is drawn: the farthest rank first, each from file a on
}

// Cube is a cube of a [View].
type Cube struct {
	Square string      `json:"square"`           // like "c1"
	Mark   string      `json:"mark,omitempty"`   // "x" for side 1, "o" for side 2, empty for a blank cube
	Dot    engine.Seat `json:"dot,omitempty"`    // the seat that its dot points to; teams only
	Border bool        `json:"border,omitempty"` // whether cubes are taken from this square
}

// View returns the board; it is the same for every viewer.
func (s *state) View(engine.Viewer) engine.View {
	geo := s.variant.geo
	v := View{Size: geo.board.Size(), Rows: make([][]Cube, 0, geo.board.Size())}
	faces := s.faces()
	for _, row := range geo.board.Rows() {
		cubes := make([]Cube, len(row))
		for i, n := range row {
			cubes[i] = geo.cube(n, faces[n])
		}
		v.Rows = append(v.Rows, cubes)
	}
	return v
}

// Faces of a cube: 0 is blank; 1 and 2 are the sides' marks in duel; then come the marks of teams, a mark for each seat
// that the dot may point to.
const (
	sides     = len(duelMarks)
	faceCount = 1 + sides + len(teamMarks)
)

// faces returns the face of each cube, by square.
func (s *state) faces() (faces [maxSquares]uint8) {
	for side, cubes := range s.marks {
		for ; cubes != 0; cubes &= cubes - 1 {
			n := bits.TrailingZeros32(cubes)
			faces[n] = uint8(1 + side)
			if s.variant.teams {
				faces[n] = uint8(sides + int(s.dotOn(n, side)))
			}
		}
	}
	return faces
}

func (g *geometry) cube(n int, face uint8) Cube {
	c := Cube{Square: g.board.Name(n), Border: g.border&(1<<n) != 0}
	side := int(face) - 1
	if side >= sides {
		c.Dot = engine.Seat(int(face) - sides)
		side = sideOf(c.Dot)
	}
	if side >= 0 {
		c.Mark = duelMarks[side : side+1]
	}
	return c
}

// dotOn returns the seat that the dot of a side's cube points to; in teams only.
func (s *state) dotOn(n, side int) engine.Seat {
	if s.second&(1<<n) != 0 {
		return engine.Seat(side + 3)
	}
	return engine.Seat(side + 1)
}

// Position returns the canonical text: the board and the status.
func (s *state) Position() string {
	board := s.variant.geo.board
	text := append(make([]byte, 0, 64), board.Blank()...)
	for side, cubes := range s.marks {
		for ; cubes != 0; cubes &= cubes - 1 {
			n := bits.TrailingZeros32(cubes)
			mark := duelMarks[side]
			if s.variant.teams {
				mark = teamMarks[s.dotOn(n, side)-1]
			}
			text[board.Offset(n)] = mark
		}
	}
	text = append(text, ' ')
	return string(append(text, s.Pending().Status()...))
}

// Parse reads a position as Position prints it.
func (v *variant) Parse(setup engine.Setup, text string) (engine.State, error) {
	board, status, found := strings.Cut(text, " ")
	if !found {
		return nil, fmt.Errorf("a position of %s has a board and a status, as in ...../...../...../...../..... 1", v.info.ID)
	}
	s := &state{variant: v}
	if err := v.geo.board.Scan(board, s.put); err != nil {
		return nil, err
	}
	pending, err := engine.ParseStatus(v.info, setup.Seats, status)
	if err != nil {
		return nil, err
	}
	s.end = pending.Outcome
	if !pending.Over() {
		s.turn = pending.Awaited[0]
	}
	if err := s.consistent(); err != nil {
		return nil, err
	}
	return s, nil
}

// put sets the cube of a square from its character.
func (s *state) put(n int, c byte) bool {
	marks := duelMarks
	if s.variant.teams {
		marks = teamMarks
	}
	i := strings.IndexByte(marks, c)
	if i < 0 {
		return c == blank
	}
	s.marks[i&1] |= 1 << n
	if i > 1 {
		s.second |= 1 << n
	}
	return true
}

// consistent returns an error if the lines on the board do not fit the status.
func (s *state) consistent() error {
	geo := s.variant.geo
	line := [2]bool{geo.hasLine(s.marks[0]), geo.hasLine(s.marks[1])}
	if s.end == nil {
		if line[0] || line[1] {
			return fmt.Errorf("a line stands on the board, so the game cannot go on")
		}
		return nil
	}
	winner := -1
	for side, rank := range s.end.Ranks[:2] {
		if rank < s.end.Ranks[1-side] {
			winner = side
		}
	}
	var ok bool
	switch s.end.Reason {
	case engine.ReasonLine:
		ok = winner >= 0 && line[winner] && !line[1-winner]
	case engine.ReasonOpponentLine:
		ok = winner >= 0 && line[winner]
	case engine.ReasonResignation, engine.ReasonTime, engine.ReasonForfeit:
		ok = winner >= 0 && !line[0] && !line[1]
	case engine.ReasonRepetition, engine.ReasonLength, engine.ReasonAgreement:
		ok = winner < 0 && !line[0] && !line[1]
	case engine.ReasonAdjudication:
		ok = !line[0] && !line[1]
	}
	if !ok {
		return fmt.Errorf("the board does not go with the outcome %s", s.end)
	}
	return nil
}
