// Package face is the outside of Quits: its board, its moves in words, its bot.
package face

import (
	"strconv"

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

func (outside) Draw(d *face.Drawing, p engine.Projection) {
	view := p.View.(quits.View)
	d.Frame(view.Size)
	goals := map[string]engine.Seat{}
	for _, p := range view.Players {
		goals[p.Goal] = p.Seat
	}
	from, to, slid := face.Pair(d.Last, ">")
	for i, row := range view.Rows {
		var words []string
		for _, tile := range row {
			at, ok := face.ParseSquare(tile.Square)
			if !ok {
				continue
			}
			drawTile(d, at, goals[tile.Square], slid && onLine(at, from, to))
			words = append(words, tileWords(d.Word, tile))
		}
		d.Rank(view.Size-i, words)
	}
	d.Coordinates()
	drawLast(d)
	for _, row := range view.Rows {
		for _, tile := range row {
			if at, ok := face.ParseSquare(tile.Square); ok && tile.Owner > 0 {
				x, y := d.Centre(at)
				d.Piece(x, y, 13, tile.Owner)
			}
		}
	}
	for _, p := range view.Players {
		if at, ok := face.ParseSquare(p.Goal); ok && d.WonBy(int(p.Seat), engine.ReasonOut) {
			d.Won(at)
		}
		d.Say("goal", "Seat", p.Seat, "Goal", p.Goal, "Out", p.Out, "Needed", view.Needed)
	}
}

// drawTile draws a loose tile; a goal bears the seat of the marbles that leave there.
func drawTile(d *face.Drawing, at face.Square, goal engine.Seat, slid bool) {
	x, y := d.Centre(at)
	class := "b-tile"
	if slid {
		class += " b-slid"
	}
	d.Rect(class, x-face.Unit/2+1.5, y-face.Unit/2+1.5, face.Unit-3, face.Unit-3, 3)
	if goal > 0 {
		seat := strconv.Itoa(int(goal))
		d.Circle("b-goal b-seat-"+seat, x, y, 16)
		d.Text("b-goal-word b-seat-"+seat, x, y, seat)
	}
}

// drawLast marks the last move.
func drawLast(d *face.Drawing) {
	if from, to, slid := face.Pair(d.Last, ">"); slid {
		d.Pushed(from, to)
	}
	if from, to, ok := face.Pair(d.Last, "-"); ok {
		d.Mark("b-from", from)
		d.Mark("b-to", to)
	}
	if d.Last != "" {
		d.Say("last_move", "Move", d.Last)
	}
}

// onLine reports whether a square lies on the row or column between two ends.
func onLine(at, from, to face.Square) bool {
	if from.File == to.File {
		return at.File == from.File
	}
	return at.Rank == from.Rank
}

func tileWords(w face.Words, tile quits.Tile) string {
	if tile.Owner == 0 {
		return w("empty")
	}
	return w("seat", "Seat", tile.Owner)
}
