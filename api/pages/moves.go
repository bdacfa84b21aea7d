package pages

import (
	"quatuor/engine"
	"quatuor/engine/quiwin"
	"quatuor/engine/table"
)

// moveRow is a line of the list of moves: one move of each seat, or a note across.
type moveRow struct {
	Number int
	Cells  []moveCell // by seat; empty for a note
	Note   *note
}

// moveCell is one move; Text is empty while it is sealed, and Made is not set where the seat did not move.
type moveCell struct {
	Made   bool
	Text   string
	Spent  int64 // ms
	Latest bool
}

// note is a line of the log that is no move.
type note struct {
	Kind table.LineKind
	Who  person // whose it is, if anybody's
	Text string
}

// record makes the list of moves from the lines that the viewer may see. A row ends where a seat would move a second
// time or, where seats choose in secret, with the turn; a note in its midst breaks it in two rows of one number.
func (g *gameBody) record(s *table.Snapshot, v engine.Viewer) {
	sealed := s.Info().Secret
	var before table.Line
	var latest *moveCell
	number := 0
	for _, line := range s.Log(v) {
		if line.Kind != table.LineMove {
			g.note(line)
			continue
		}
		fresh := number == 0 || line.Seat <= before.Seat
		if sealed {
			fresh = number == 0 || line.Turn != before.Turn
		}
		if fresh {
			number++
		}
		if fresh || g.Moves[len(g.Moves)-1].Note != nil {
			g.Moves = append(g.Moves, moveRow{Number: number, Cells: make([]moveCell, len(g.Seats))})
		}
		latest = &g.Moves[len(g.Moves)-1].Cells[line.Seat-1]
		*latest = moveCell{Made: true, Text: line.Text, Spent: line.Elapsed}
		before = line
	}
	if latest != nil {
		latest.Latest = true
	}
}

// note adds a line across, but for the game's start.
func (g *gameBody) note(line table.Line) {
	if line.Kind == table.LineAbort {
		g.Why = line.Text
	}
	if line.Kind == table.LineStart {
		return
	}
	n := note{Kind: line.Kind, Text: line.Text}
	if line.Seat > 0 {
		n.Who = g.Seats[line.Seat-1].Who
	}
	g.Moves = append(g.Moves, moveRow{Note: &n})
}

// hasChosen reports whether a seat has made its secret choice for the present turn, which everybody may know.
func hasChosen(view engine.View, seat engine.Seat) bool {
	hidden, ok := view.(quiwin.View)
	return ok && hidden.Phase != "over" && hidden.Seats[seat-1].HasChosen
}
