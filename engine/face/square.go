package face

import (
	"cmp"
	"strings"

	"quatuor/engine"
)

// Lengths in units of the drawing.
const (
	Unit   = 40.0 // edge of a square
	Margin = 14.0 // strip for arrows, all round
	inset  = 5.5  // from the middle of a coordinate to the edges of its square
)

// Square is a place on a board, file and rank counted from 0.
type Square struct{ File, Rank int }

// ParseSquare reads a name, for example "c1".
func ParseSquare(name string) (Square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'i' || name[1] < '1' || name[1] > '9' {
		return Square{}, false
	}
	return Square{int(name[0] - 'a'), int(name[1] - '1')}, true
}

// Pair reads the two squares of a move ("c1-c5", "a3>e3"), and ignores the text after the second.
func Pair(token, separator string) (from, to Square, ok bool) {
	first, rest, found := strings.Cut(token, separator)
	if !found || len(rest) < 2 {
		return from, to, false
	}
	from, ok = ParseSquare(first)
	if !ok {
		return from, to, false
	}
	to, ok = ParseSquare(rest[:2])
	return from, to, ok
}

// Name returns a square's name.
func (s Square) Name() string { return string(rune('a'+s.File)) + string(rune('1'+s.Rank)) }

// LineName names the row or column through two squares: "row 3", "column c".
func LineName(w Words, from, end Square) string {
	if from.File == end.File {
		return w("did.column", "File", from.Name()[:1])
	}
	return w("did.row", "Rank", from.Name()[1:])
}

// place returns the column and row of a square on a board turned by quarter turns, from the lower left corner and 0.
func place(at Square, edge, turn int) (column, row int) {
	last := edge - 1
	switch turn {
	case 1:
		return last - at.Rank, at.File
	case 2:
		return last - at.File, last - at.Rank
	case 3:
		return at.Rank, last - at.File
	}
	return at.File, at.Rank
}

// Grid returns the squares of a board row by row as it is drawn, from the upper left corner on; nil for a game without
// a board of squares.
func Grid(f Face, view engine.View, w Words, turn int) [][]Cell {
	edge, cells := f.Cells(w, view)
	rows := make([][]Cell, edge)
	for i := range rows {
		rows[i] = make([]Cell, edge)
	}
	for _, cell := range cells {
		if at, ok := ParseSquare(cell.Square); ok {
			column, row := place(at, edge, turn)
			rows[edge-1-row][column] = cell
		}
	}
	return rows
}

// Centre returns the middle of a square.
func (d *Drawing) Centre(at Square) (x, y float64) {
	column, row := place(at, d.Edge, d.Turn)
	return Margin + (float64(column)+0.5)*Unit, Margin + (float64(d.Edge-1-row)+0.5)*Unit
}

// Frame sets the size of the drawing to a board of edge × edge squares, with a strip for arrows.
func (d *Drawing) Frame(edge int) {
	d.Edge, d.Width = edge, 2*Margin+float64(edge)*Unit
	d.Height = d.Width
}

// Coordinates writes the files and ranks into the corners of the squares below and at the left, once those are drawn.
func (d *Drawing) Coordinates() {
	for i := range d.Edge {
		below, beside := Square{i, 0}, Square{0, i}
		file, rank := below.Name()[:1], beside.Name()[1:]
		if d.Turn%2 == 1 {
			below, beside, file, rank = beside, below, rank, file
		}
		x, y := d.Centre(below)
		d.Text("b-rim", x+Unit/2-inset, y+Unit/2-inset, file)
		x, y = d.Centre(beside)
		d.Text("b-rim", x-Unit/2+inset, y-Unit/2+inset, rank)
	}
}

// Mark frames the square that the last move left (class b-from) or reached (b-to).
func (d *Drawing) Mark(class string, at Square) {
	x, y := d.Centre(at)
	d.Rect("b-last "+class, x-Unit/2+1, y-Unit/2+1, Unit-2, Unit-2, 5)
}

// Won highlights a square that won the game.
func (d *Drawing) Won(at Square) {
	x, y := d.Centre(at)
	d.Rect("b-won", x-Unit/2+2.5, y-Unit/2+2.5, Unit-5, Unit-5, 4)
}

// Pushed draws an arrow head outside the end of a line, pointing into it: from there the line was pushed.
func (d *Drawing) Pushed(from, end Square) {
	x, y := d.Centre(end)
	fromX, fromY := d.Centre(from)
	dx, dy := float64(cmp.Compare(x, fromX)), float64(cmp.Compare(y, fromY)) // outwards
	tip := Unit/2 + 2.5
	base := tip + 8
	x, y, px, py := x+dx*tip, y+dy*tip, dy*6, dx*6
	bx, by := x+dx*(base-tip), y+dy*(base-tip)
	d.Path("b-push", "M"+Num(x)+" "+Num(y)+"L"+Num(bx+px)+" "+Num(by+py)+"L"+Num(bx-px)+" "+Num(by-py)+"Z")
}
