// Package face is the outside of Quits: its board, its moves in words, its bot.
package face

import (
	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quits"
)

// Face is the face of Quits.
type Face struct{ face.Plain }

// Cells returns the tiles.
func (Face) Cells(w face.Words, v engine.View) (edge int, cells []face.Cell) {
	view := v.(quits.View)
	for _, row := range view.Rows {
		for _, tile := range row {
			cells = append(cells, face.Cell{Square: tile.Square, Words: tileWords(w, tile)})
		}
	}
	return view.Size, cells
}

// TwoSquares returns true.
func (Face) TwoSquares() bool { return true }

// Did describes the step or slide, and the marbles that left the board.
func (f Face) Did(w face.Words, m face.Move) (words string, named bool) {
	if from, to, ok := face.Pair(m.Event.Text, ">"); ok {
		words = w("did.slide", "Line", face.LineName(w, from, to), "From", from.Name(), "To", to.Name())
	} else if from, to, ok := face.Pair(m.Event.Text, "-"); ok {
		words = w("did.step", "From", from.Name(), "To", to.Name())
	} else {
		return f.Plain.Did(w, m)
	}
	before, after := m.Before.(quits.View), m.After.(quits.View)
	for i, p := range after.Players {
		if i < len(before.Players) && p.Out > before.Players[i].Out {
			words += "; " + w("did.out", "Name", m.Name(p.Seat), "Goal", p.Goal, "Out", p.Out, "Needed", after.Needed)
		}
	}
	return words, false
}

// Figures returns the games that illustrate the rules.
func (Face) Figures() map[string]face.Figure {
	return map[string]face.Figure{"quits-start": {Variant: "quits/duel"}, "quits-slide": {Variant: "quits/duel", Moves: "a1>e1"}}
}
