package quivive

import "quatuor/engine"

// View is what anybody may see of a game of Quivive: all of it.
type View struct {
	// Phase is build, pawns or play.
	Phase string `json:"phase"`
	// Rows is the board as it is drawn: the farthest rank first, each from its first file on. Ranks have 3, 5 or 7
	// cells and are centred.
	Rows [][]Cell `json:"rows"`
	// PodiumsLeft is how many podiums are still to be placed, from 12 down.
	PodiumsLeft int `json:"podiums_left"`
	// PodiumsOn is the height, 1 or 2, of the cells that may take the next podium; 0 when all are placed.
	PodiumsOn int `json:"podiums_on"`
	// Gone lists the seats that are out, in the order in which they left; always empty in duel and teams.
	Gone []engine.Seat `json:"gone"`
}

// Cell is one cell of a [View].
type Cell struct {
	Square string `json:"square"`         // such as "d4"
	Height int    `json:"height"`         // podiums on it, 0 to 3
	Pawn   int    `json:"pawn,omitempty"` // the side whose pawn stands there, in a melee also its seat; 0 if none does
}

// View shows everything to everybody.
func (s *state) View(engine.Viewer) engine.View {
	v := View{
		Phase: s.phase.String(), Gone: append([]engine.Seat{}, s.gone...), Rows: make([][]Cell, 0, len(shape.Rows())),
	}
	all := make([]Cell, shape.Len())
	for _, row := range shape.Rows() {
		cells := all[:len(row):len(row)]
		all = all[len(row):]
		for i, c := range row {
			cells[i] = Cell{Square: shape.Name(c), Height: s.height(c), Pawn: s.pawnOn(c)}
		}
		v.Rows = append(v.Rows, cells)
	}
	if s.phase == build {
		v.PodiumsLeft = extras - s.built()
		v.PodiumsOn = s.height(s.open().first())
	}
	return v
}

// Redact gives the log as it is: nothing in it is secret.
func (s *state) Redact(_ engine.Viewer, events []engine.Event) []engine.Event { return events }
