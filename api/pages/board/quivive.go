package board

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/quivive"
)

// quiviveEdge is the length of the board's edge, corners included.
const quiviveEdge = 7

func (d *drawing) quivive(view quivive.View) {
	s := surface{quiviveEdge, d.turn}
	d.frame(s)
	d.coordinates(s)
	for i, row := range view.Rows {
		var words []string
		for _, cell := range row {
			if at, ok := parseSquare(cell.Square); ok {
				d.podium(s, at, cell)
			}
			words = append(words, d.cellWords(cell))
		}
		d.rank(quiviveEdge-i, words)
	}
	d.quiviveLast(s)
}

// podium draws a cell as its stack of podiums, seen from above: one ring more for each.
func (d *drawing) podium(s surface, at square, cell quivive.Cell) {
	x, y := s.centre(at)
	d.octagon("b-pit", x, y, unit/2-1)
	if cell.Height == 0 {
		d.octagon("b-hole", x, y+1, unit/2-7)
	}
	for level := range cell.Height {
		d.octagon("b-podium b-level-"+strconv.Itoa(level+1), x, y, unit/2-2-4*float64(level))
	}
	if cell.Pawn > 0 {
		d.piece(x, y-2.5, 10.5, engine.Seat(cell.Pawn))
	}
	d.stackHeight(x, y, cell)
}

// stackHeight shows how many podiums a cell has as pips, for digits are pawns: in its middle, or below a pawn.
func (d *drawing) stackHeight(x, y float64, cell quivive.Cell) {
	const gap = 7.0
	r, up := 2.7, 0.0
	if cell.Pawn > 0 {
		r, up = 2.2, 13.5
	}
	left := x - gap*float64(cell.Height-1)/2
	for i := range cell.Height {
		d.circle("b-pip", left+gap*float64(i), y+up, r)
	}
}

func (d *drawing) quiviveLast(s surface) {
	if d.last == "" {
		return
	}
	d.say("last_move", "Move", d.last)
	if at, ok := parseSquare(strings.TrimLeft(d.last, "+@")); ok {
		d.mark(s, "b-to", at)
		return
	}
	from, to, ok := pair(d.last, "-")
	if !ok {
		return
	}
	d.mark(s, "b-from", from)
	d.mark(s, "b-to", to)
	if _, name, found := strings.Cut(d.last, "x"); found {
		if at, ok := parseSquare(name); ok {
			x, y := s.centre(at)
			d.path("b-last b-taken", cross(x, y, 8))
		}
	}
}

func (d *drawing) cellWords(cell quivive.Cell) string {
	if cell.Pawn > 0 {
		return d.word("podium_with_pawn", "Square", cell.Square, "Height", cell.Height, "Side", cell.Pawn)
	}
	return d.word("podium", "Square", cell.Square, "Height", cell.Height)
}
