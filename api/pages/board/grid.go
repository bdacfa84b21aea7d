package board

import (
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/quits"
	"quatuor/engine/quivive"
	"quatuor/engine/quixo"
)

// Cell is a square of a board as it is told in words. A place where the board has no square has an empty name.
type Cell struct {
	Square string // such as "c1"
	Words  string // what is on it
}

// Grid returns the squares of a board row by row as it is drawn, from the upper left corner on; nil for a game without a
// board of squares.
func Grid(p engine.Projection, in *message.Printer, turn int) [][]Cell {
	d := drawing{in: in}
	var size int
	words := map[square]Cell{}
	note := func(name, text string) {
		if at, ok := parseSquare(name); ok {
			words[at] = Cell{name, text}
		}
	}
	switch view := p.View.(type) {
	case quixo.View:
		size = view.Size
		for _, row := range view.Rows {
			for _, cube := range row {
				note(cube.Square, d.cubeWords(cube))
			}
		}
	case quits.View:
		size = view.Size
		for _, row := range view.Rows {
			for _, tile := range row {
				note(tile.Square, d.tileWords(tile))
			}
		}
	case quivive.View:
		size = quiviveEdge
		for _, row := range view.Rows {
			for _, cell := range row {
				note(cell.Square, d.podiumWords(cell))
			}
		}
	}
	return laid(words, surface{size, turn})
}

// laid returns the squares of a board in the rows and columns in which they are drawn.
func laid(words map[square]Cell, s surface) [][]Cell {
	rows := make([][]Cell, s.size)
	for i := range rows {
		rows[i] = make([]Cell, s.size)
	}
	for at, cell := range words {
		column, row := s.place(at)
		rows[s.size-1-row][column] = cell
	}
	return rows
}

// podiumWords says what is on a cell, without its name.
func (d *drawing) podiumWords(cell quivive.Cell) string {
	if cell.Pawn > 0 {
		return d.word("cell_with_pawn", "Height", cell.Height, "Side", cell.Pawn)
	}
	return d.word("cell", "Height", cell.Height)
}

// Plain reports whether every move of a game is told by the square where it begins and the one where it ends.
func Plain(p engine.Projection) bool {
	switch p.View.(type) {
	case quixo.View, quits.View:
		return true
	}
	return false
}
