package quivive

import (
	"slices"

	"quatuor/engine"
)

// View is what anybody may see of a game of Quivive: all of it.
type View struct {
	// Phase is build, pawns or play.
	Phase string `json:"phase"`
	// Cells lists the 37 cells, sorted by name.
	Cells []Cell `json:"cells"`
	// PodiumsLeft is how many podiums are still to be placed, from 12 down.
	PodiumsLeft int `json:"podiums_left"`
	// PodiumsOn is the height, 1 or 2, of the cells that may take the next podium; 0 when all are placed.
	PodiumsOn int `json:"podiums_on"`
	// Gone lists the seats that are out, in the order in which they left; always empty in duel and teams.
	Gone []engine.Seat `json:"gone"`
}

// Cell is one cell of the board.
type Cell struct {
	// Name is the cell's square, such as d4.
	Name string `json:"name"`
	// Height is the number of podiums on it, 0 to 3.
	Height int `json:"height"`
	// Pawn is the side whose pawn stands there (in a melee also its seat); 0 if none does.
	Pawn engine.Side `json:"pawn"`
}

// View shows everything to everybody.
func (s *state) View(engine.Viewer) engine.View {
	v := View{Phase: s.phase.String(), Cells: make([]Cell, cellCount), Gone: slices.Clone(s.left())}
	for c := range cell(cellCount) {
		v.Cells[c] = Cell{Name: names[c], Height: s.height(c), Pawn: s.pawnOn(c)}
	}
	if s.phase == build {
		v.PodiumsLeft = extras - s.built()
		v.PodiumsOn = s.height(s.open().first())
	}
	return v
}

// pawnOn gives the side whose pawn stands on a cell, 0 if none does.
func (s *state) pawnOn(c cell) engine.Side {
	for i, set := range s.pawns {
		if set.has(c) {
			return engine.Side(i + 1)
		}
	}
	return 0
}

// Redact gives the log as it is: nothing in it is secret.
func (s *state) Redact(_ engine.Viewer, events []engine.Event) []engine.Event { return events }
