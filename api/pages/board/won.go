package board

import (
	"strings"

	"quatuor/engine"
	"quatuor/engine/quixo"
)

// wonBy reports whether a seat has won the game, for one of some reasons.
func (d *drawing) wonBy(seat int, reasons ...engine.Reason) bool {
	if d.end == nil || d.end.Void() {
		return false
	}
	for _, reason := range reasons {
		if d.end.Reason == reason && seat <= len(d.end.Ranks) && d.end.Ranks[seat-1] == 1 {
			return true
		}
	}
	return false
}

// wonLines returns the complete lines of the side that won by a line; none in any other game.
func (d *drawing) wonLines(view quixo.View) (lines [][]square) {
	for side, mark := range []string{"x", "o"} {
		if !d.wonBy(side+1, engine.ReasonLine, engine.ReasonOpponentLine) {
			continue
		}
		marked := map[square]bool{}
		for _, row := range view.Rows {
			for _, cube := range row {
				if at, ok := parseSquare(cube.Square); ok {
					marked[at] = cube.Mark == mark
				}
			}
		}
		for _, line := range linesOf(view.Size) {
			whole := true
			for _, at := range line {
				whole = whole && marked[at]
			}
			if whole {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// linesOf returns the rows, columns and long diagonals of a board.
func linesOf(size int) [][]square {
	lines := make([][]square, 2*size+2)
	for i := range size {
		for j := range size {
			lines[i] = append(lines[i], square{j, i})
			lines[size+i] = append(lines[size+i], square{i, j})
		}
		lines[2*size] = append(lines[2*size], square{i, i})
		lines[2*size+1] = append(lines[2*size+1], square{i, size - 1 - i})
	}
	return lines
}

// wonLine draws a line that won.
func (d *drawing) wonLine(s surface, line []square) {
	names := make([]string, len(line))
	for i, at := range line {
		names[i] = at.name()
		x, y := s.centre(at)
		d.rect("b-won", x-unit/2+2.5, y-unit/2+2.5, unit-5, unit-5, 4)
	}
	x1, y1 := s.centre(line[0])
	x2, y2 := s.centre(line[len(line)-1])
	d.path("b-won-line", "M"+num(x1)+" "+num(y1)+"L"+num(x2)+" "+num(y2))
	d.say("won_line", "Squares", strings.Join(names, " "))
}
