// Package face is the outside of Quits: its board, its moves in words, its bot.
package face

import (
	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quits"
)

// Face is the face of Quits.
var Face face.Face = outside{}

type outside struct{ face.Plain }

func (outside) Cells(w face.Words, v engine.View) (edge int, cells []face.Cell) {
	view := v.(quits.View)
	for _, row := range view.Rows {
		for _, tile := range row {
			cells = append(cells, face.Cell{Square: tile.Square, Words: tileWords(w, tile)})
		}
	}
	return view.Size, cells
}

func (outside) TwoSquares() bool { return true }

func (f outside) Did(w face.Words, m face.Move) (words string, named bool) {
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
			words += w("then") + w("did.out", "Name", m.Name(p.Seat), "Goal", p.Goal, "Out", p.Out, "Needed", after.Needed)
		}
	}
	return words, false
}

func (outside) Figures() map[string]face.Figure {
	return map[string]face.Figure{
		"quits-start": {Variant: "quits/duel"}, "quits-slide": {Variant: "quits/duel", Moves: "a1>e1"},
	}
}
