package board

// Lengths in units of the drawing.
const (
	unit   = 40.0 // edge of a square
	margin = 14.0 // strip for arrows, all round
	rim    = 14.0 // strip for coordinates, outside that one at the left and below
)

// square is a place on a board, file and rank counted from 0.
type square struct{ file, rank int }

// parseSquare reads a name such as "c1".
func parseSquare(name string) (square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'i' || name[1] < '1' || name[1] > '9' {
		return square{}, false
	}
	return square{int(name[0] - 'a'), int(name[1] - '1')}, true
}

// surface is a board of size × size squares in a drawing. It is turned by quarter turns: 0 as seat 1 sees it from the
// south, 1 from the west, 2 from the north, 3 from the east.
type surface struct{ size, turn int }

// place returns the column and row of a square in the drawing, from its lower left corner and 0.
func (s surface) place(at square) (column, row int) {
	last := s.size - 1
	switch s.turn {
	case 1:
		return last - at.rank, at.file
	case 2:
		return last - at.file, last - at.rank
	case 3:
		return at.rank, last - at.file
	}
	return at.file, at.rank
}

// centre returns the middle of a square.
func (s surface) centre(at square) (x, y float64) {
	column, row := s.place(at)
	return rim + margin + (float64(column)+0.5)*unit, margin + (float64(s.size-1-row)+0.5)*unit
}

// frame sets the size of the drawing, with strips for arrows and coordinates.
func (d *drawing) frame(s surface) {
	edge := rim + 2*margin + float64(s.size)*unit
	d.width, d.height = edge, edge
}

// coordinates writes the files and ranks below and at the left.
func (d *drawing) coordinates(s surface) {
	for i := range s.size {
		file, rank := string(rune('a'+i)), string(rune('1'+i))
		if s.turn%2 == 0 {
			d.below(s, square{i, 0}, file)
			d.beside(s, square{0, i}, rank)
		} else {
			d.below(s, square{0, i}, rank)
			d.beside(s, square{i, 0}, file)
		}
	}
}

// below writes a word below the column of a square.
func (d *drawing) below(s surface, at square, word string) {
	x, _ := s.centre(at)
	d.text("b-rim", x, d.height-rim*0.6, word)
}

// beside writes a word at the left of the row of a square.
func (d *drawing) beside(s surface, at square, word string) {
	_, y := s.centre(at)
	d.text("b-rim", rim*0.6, y, word)
}

// mark frames the square that the last move left (class b-from) or reached (b-to).
func (d *drawing) mark(s surface, class string, at square) {
	x, y := s.centre(at)
	d.rect("b-last "+class, x-unit/2+1, y-unit/2+1, unit-2, unit-2, 5)
}

// pushed draws an arrow head outside the end of a line, pointing into it: from there the line was pushed.
func (d *drawing) pushed(s surface, from, end square) {
	x, y := s.centre(end)
	fromX, fromY := s.centre(from)
	dx, dy := sign(x-fromX), sign(y-fromY) // outwards
	tip := unit/2 + 2.5
	base := tip + 8
	x, y, px, py := x+dx*tip, y+dy*tip, dy*6, dx*6
	bx, by := x+dx*(base-tip), y+dy*(base-tip)
	d.path("b-push", "M"+num(x)+" "+num(y)+"L"+num(bx+px)+" "+num(by+py)+"L"+num(bx-px)+" "+num(by-py)+"Z")
}

func sign(n float64) float64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
