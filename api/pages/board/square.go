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

// surface is a board of size × size squares in a drawing.
type surface struct{ size int }

// centre returns the middle of a square.
func (s surface) centre(at square) (x, y float64) {
	return rim + margin + (float64(at.file)+0.5)*unit, margin + (float64(s.size-1-at.rank)+0.5)*unit
}

// frame sets the size of the drawing, with strips for arrows and coordinates.
func (d *drawing) frame(s surface) {
	edge := rim + 2*margin + float64(s.size)*unit
	d.width, d.height = edge, edge
}

// coordinates writes files below and ranks at the left.
func (d *drawing) coordinates(s surface) {
	for i := range s.size {
		x, _ := s.centre(square{i, 0})
		_, y := s.centre(square{0, i})
		d.text("b-rim", x, d.height-rim*0.6, string(rune('a'+i)))
		d.text("b-rim", rim*0.6, y, string(rune('1'+i)))
	}
}

// mark frames the square that the last move left (class b-from) or reached (b-to).
func (d *drawing) mark(s surface, class string, at square) {
	x, y := s.centre(at)
	d.rect("b-last "+class, x-unit/2+1, y-unit/2+1, unit-2, unit-2, 5)
}

// pushed draws an arrow head outside the end of a line, pointing into it: from there the line was pushed.
func (d *drawing) pushed(s surface, from, end square) {
	x, y := s.centre(end)
	dx, dy := sign(end.file-from.file), -sign(end.rank-from.rank) // outwards
	tip := unit/2 + 2.5
	base := tip + 8
	x, y, px, py := x+dx*tip, y+dy*tip, dy*6, dx*6
	bx, by := x+dx*(base-tip), y+dy*(base-tip)
	d.path("b-push", "M"+num(x)+" "+num(y)+"L"+num(bx+px)+" "+num(by+py)+"L"+num(bx-px)+" "+num(by-py)+"Z")
}

func sign(n int) float64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
