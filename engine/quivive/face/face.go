// Package face is the outside of Quivive: its board, its moves in words, its bot.
package face

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quivive"
)

// edge is the length of the board's edge, corners included.
const edge = 7

// Face is the face of Quivive.
var Face face.Face = outside{}

type outside struct{ face.Plain }

func (outside) Cells(w face.Words, v engine.View) (int, []face.Cell) {
	var cells []face.Cell
	for _, row := range v.(quivive.View).Rows {
		for _, cell := range row {
			words := w("cell", "Height", cell.Height)
			if cell.Pawn > 0 {
				words = w("cell_with_pawn", "Height", cell.Height, "Side", cell.Pawn)
			}
			cells = append(cells, face.Cell{Square: cell.Square, Words: words})
		}
	}
	return edge, cells
}

func (outside) Did(w face.Words, m face.Move) (words string, named bool) {
	heights, pawns := map[string]int{}, map[string]int{}
	for _, row := range m.After.(quivive.View).Rows {
		for _, cell := range row {
			heights[cell.Square], pawns[cell.Square] = cell.Height, cell.Pawn
		}
	}
	token, from := m.Event.Text, ""
	switch {
	case strings.HasPrefix(token, "+"):
		words = w("did.build", "Square", token[1:], "Height", heights[token[1:]])
	case strings.HasPrefix(token, "@"):
		words = w("did.pawn", "Square", token[1:])
	default:
		walk, taken, _ := strings.Cut(token, "x")
		start, to, _ := strings.Cut(walk, "-")
		from = start
		words = w("did.walk", "From", start, "To", to) + w("then")
		if left := heights[taken]; left > 0 {
			words += w("did.lower", "Square", taken, "Height", left)
		} else {
			words += w("did.pit", "Square", taken)
		}
	}
	for _, row := range m.Before.(quivive.View).Rows {
		for _, cell := range row {
			if cell.Pawn > 0 && cell.Square != from && pawns[cell.Square] == 0 {
				words += w("then") + w("did.stuck", "Square", cell.Square, "Side", cell.Pawn)
			}
		}
	}
	return words, false
}

func (outside) Figures() map[string]face.Figure {
	const start = "+d4 +c3 +e5 +c5 +e3 +d6 +d2 +b4 +f4 +d4 +c3 +e5 @c4 @e4 @d5 @d3"
	return map[string]face.Figure{
		"quivive-start": {Variant: "quivive/duel", Moves: start},
		"quivive-turn":  {Variant: "quivive/duel", Moves: start + " c4-b5xc3"},
	}
}

func (outside) Draw(d *face.Drawing, p engine.Projection) {
	d.Frame(edge)
	for i, row := range p.View.(quivive.View).Rows {
		var words []string
		for _, cell := range row {
			if at, ok := face.ParseSquare(cell.Square); ok {
				drawPodium(d, at, cell)
			}
			words = append(words, podiumWords(d.Word, cell))
		}
		d.Rank(edge-i, words)
	}
	d.Coordinates()
	drawLast(d)
}

// drawPodium draws a cell as its stack of podiums, seen from above: a ring more for each.
func drawPodium(d *face.Drawing, at face.Square, cell quivive.Cell) {
	x, y := d.Centre(at)
	drawOctagon(d, "b-pit", x, y, face.Unit/2-1)
	if cell.Height == 0 {
		drawOctagon(d, "b-hole", x, y+1, face.Unit/2-7)
	}
	for level := range cell.Height {
		drawOctagon(d, "b-podium b-level-"+strconv.Itoa(level+1), x, y, face.Unit/2-2-4*float64(level))
	}
	if cell.Pawn > 0 {
		d.Piece(x, y-2.5, 10.5, engine.Seat(cell.Pawn))
	}
	drawHeight(d, x, y, cell)
}

// drawHeight shows the height of a cell as pips, for digits are pawns: in its middle, or below a pawn.
func drawHeight(d *face.Drawing, x, y float64, cell quivive.Cell) {
	const gap = 7.0
	r, up := 2.7, 0.0
	if cell.Pawn > 0 {
		r, up = 2.2, 13.5
	}
	left := x - gap*float64(cell.Height-1)/2
	for i := range cell.Height {
		d.Circle("b-pip", left+gap*float64(i), y+up, r)
	}
}

// drawOctagon draws a square of the given half edge with its corners cut.
func drawOctagon(d *face.Drawing, class string, x, y, half float64) {
	cut := half * 0.42
	var path strings.Builder
	for i, p := range [][2]float64{
		{-half + cut, -half},
		{half - cut, -half},
		{half, -half + cut},
		{half, half - cut},
		{half - cut, half},
		{-half + cut, half},
		{-half, half - cut},
		{-half, -half + cut},
	} {
		path.WriteByte("ML"[min(i, 1)])
		path.WriteString(face.Num(x+p[0]) + " " + face.Num(y+p[1]))
	}
	d.Path(class, path.String()+"Z")
}

// drawLast marks the last move.
func drawLast(d *face.Drawing) {
	if d.Last == "" {
		return
	}
	d.Say("last_move", "Move", d.Last)
	if at, ok := face.ParseSquare(strings.TrimLeft(d.Last, "+@")); ok {
		d.Mark("b-to", at)
		return
	}
	from, to, ok := face.Pair(d.Last, "-")
	if !ok {
		return
	}
	d.Mark("b-from", from)
	d.Mark("b-to", to)
	if _, name, found := strings.Cut(d.Last, "x"); found {
		if at, ok := face.ParseSquare(name); ok {
			x, y := d.Centre(at)
			d.Path("b-last b-taken", face.Cross(x, y, 8))
		}
	}
}

func podiumWords(w face.Words, cell quivive.Cell) string {
	if cell.Pawn > 0 {
		return w("podium_with_pawn", "Square", cell.Square, "Height", cell.Height, "Side", cell.Pawn)
	}
	return w("podium", "Square", cell.Square, "Height", cell.Height)
}
