// Package face is the outside of Quivive: its board, its moves in words, its bot.
package face

import (
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
