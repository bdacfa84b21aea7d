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

func (outside) Draw(d *face.Drawing, p engine.Projection) {
	view := p.View.(quixo.View)
	d.Frame(view.Size)
	edge := float64(view.Size) * face.Unit
	d.Rect("b-base", face.Margin-3, face.Margin-3, edge+6, edge+6, 6)
	for i, row := range view.Rows {
		var words []string
		for _, cube := range row {
			drawCube(d, cube)
			words = append(words, cubeWords(d.Word, cube))
		}
		d.Rank(view.Size-i, words)
	}
	d.Coordinates()
	for _, line := range wonLines(d, view) {
		drawWonLine(d, line)
	}
	if from, end, ok := face.Pair(d.Last, "-"); ok {
		d.Mark("b-to", end)
		d.Pushed(from, end)
		d.Say("last_move", "Move", d.Last)
	}
}

// drawCube draws a cube, with its mark and, in teams, its dot on the side of the seat that it points to.
func drawCube(d *face.Drawing, cube quixo.Cube) {
	at, ok := face.ParseSquare(cube.Square)
	if !ok {
		return
	}
	x, y := d.Centre(at)
	class := "b-cube"
	if !cube.Border {
		class += " b-inner"
	}
	d.Rect(class, x-face.Unit/2+2, y-face.Unit/2+2, face.Unit-4, face.Unit-4, 4)
	r := 9.5
	if cube.Dot > 0 {
		r = 8
	}
	switch cube.Mark {
	case "x":
		d.Path("b-x", face.Cross(x, y, r))
	case "o":
		d.Circle("b-o", x, y, r+0.5)
	}
	if cube.Dot > 0 { // south, west, north, east as the seats sit
		to := [4][2]float64{{0, 13.5}, {-13.5, 0}, {0, -13.5}, {13.5, 0}}[(int(cube.Dot)+3-d.Turn)%4]
		d.Circle("b-dot", x+to[0], y+to[1], 2.6)
	}
}

func cubeWords(w face.Words, cube quixo.Cube) string {
	switch {
	case cube.Mark == "":
		return w("blank")
	case cube.Dot > 0:
		return w("mark_for_seat", "Mark", cube.Mark, "Seat", cube.Dot)
	}
	return cube.Mark
}

// wonLines returns the complete lines of the side that won by a line; none in any other game.
func wonLines(d *face.Drawing, view quixo.View) (lines [][]face.Square) {
	for side, mark := range []string{"x", "o"} {
		if !d.WonBy(side+1, engine.ReasonLine, engine.ReasonOpponentLine) {
			continue
		}
		marked := map[face.Square]bool{}
		for _, row := range view.Rows {
			for _, cube := range row {
				if at, ok := face.ParseSquare(cube.Square); ok {
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
func linesOf(size int) [][]face.Square {
	lines := make([][]face.Square, 2*size+2)
	for i := range size {
		for j := range size {
			lines[i] = append(lines[i], face.Square{File: j, Rank: i})
			lines[size+i] = append(lines[size+i], face.Square{File: i, Rank: j})
		}
		lines[2*size] = append(lines[2*size], face.Square{File: i, Rank: i})
		lines[2*size+1] = append(lines[2*size+1], face.Square{File: i, Rank: size - 1 - i})
	}
	return lines
}

// drawWonLine draws a line that won.
func drawWonLine(d *face.Drawing, line []face.Square) {
	names := make([]string, len(line))
	for i, at := range line {
		names[i] = at.Name()
		d.Won(at)
	}
	x1, y1 := d.Centre(line[0])
	x2, y2 := d.Centre(line[len(line)-1])
	d.Path("b-won-line", "M"+face.Num(x1)+" "+face.Num(y1)+"L"+face.Num(x2)+" "+face.Num(y2))
	d.Say("won_line", "Squares", strings.Join(names, " "))
}
