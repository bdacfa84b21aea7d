// Package face is the outside of Quixo: its board, its moves in words, its bot.
package face

import (
	"strings"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quixo"
)

// Face is the face of Quixo.
var Face face.Face = outside{}

type outside struct{ face.Plain }

func (outside) Cells(w face.Words, v engine.View) (edge int, cells []face.Cell) {
	view := v.(quixo.View)
	for _, row := range view.Rows {
		for _, cube := range row {
			cells = append(cells, face.Cell{Square: cube.Square, Words: cubeWords(w, cube)})
		}
	}
	return view.Size, cells
}

func (outside) TwoSquares() bool { return true }

func (f outside) Did(w face.Words, m face.Move) (words string, named bool) {
	from, end, ok := face.Pair(m.Event.Text, "-")
	if !ok {
		return f.Plain.Did(w, m)
	}
	what := w("blank")
	for _, row := range m.Before.(quixo.View).Rows {
		for _, cube := range row {
			if cube.Square == from.Name() && cube.Mark != "" {
				what = cube.Mark
			}
		}
	}
	words = w("did.push", "What", what, "From", from.Name(), "End", end.Name(), "Line", face.LineName(w, from, end))
	if _, dot, found := strings.Cut(m.Event.Text, ">"); found {
		words += w("then") + w("did.dot", "Seat", dot)
	}
	return words, false
}

func (outside) Figures() map[string]face.Figure {
	return map[string]face.Figure{
		"quixo-push":  {Variant: "quixo/duel", Moves: "c1-c5"},
		"quixo-line":  {Variant: "quixo/duel", Moves: "c1-c5 a1-a5 c1-c5 e1-e5 c1-c5 a1-a5 c1-c5 e1-e5 c1-c5"},
		"quixo-teams": {Variant: "quixo/teams", Moves: "c1-c5>3 a1-a5>4 e2-a2>1 e1-e5>2 b1-b5>1 e1-a1>4 c1-c5>3"},
	}
}
