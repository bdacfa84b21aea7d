package play

import (
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/face"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

// moveRow is a line of the list of moves: a move of each seat, or a note across.
type moveRow struct {
	Number int
	Cells  []moveCell // by seat; empty for a note
	Note   *note
}

// moveCell is a move; Text is empty while it is sealed, and Made is not set where the seat did not move.
type moveCell struct {
	Made   bool
	Ply    int // its number, 0 for a move that was taken back
	Text   string
	Spent  int64 // ms
	Latest bool
	Gone   bool // taken back
}

// note is a line of the log that is no move.
type note struct {
	Kind table.LineKind
	Who  kit.Person // its player, if any
	Text string

	Reason  sentence.Sentence // an arbiter's, or the server's
	Ms      int64             // of a clock that was changed
	Periods int
	Still   bool // of a resume: the game stays paused for another cause
}

// Taken is the time taken from a clock, in ms.
func (n note) Taken() int64 { return -n.Ms }

// moveList is the list of moves while it is made.
type moveList struct {
	rows   []moveRow
	seats  int
	sealed bool
	made   []madeMove // those that were not taken back
}

// madeMove is a move, its place in the list, and the number of its row.
type madeMove struct {
	line   table.Line
	cell   *moveCell
	number int
}

// record makes the list of moves from the lines that the viewer may see. A row ends where a seat would move a second
// time or, where seats choose in secret, with the turn; a note in its midst breaks it in two rows of the same number.
func (g *GameBody) record(s *table.Snapshot, v engine.Viewer) {
	list := moveList{seats: len(g.Seats), sealed: s.Info().Secret}
	for _, line := range s.Log(v) {
		switch line.Kind {
		case table.LineMove:
			list.move(line)
			continue
		case table.LineTakeback:
			list.takeBack(line)
		}
		if n, shown := g.note(line); shown {
			list.rows = append(list.rows, moveRow{Note: &n})
		}
	}
	for i, m := range list.made {
		m.cell.Ply = i + 1
	}
	g.Moves = list.rows
}

func (l *moveList) move(line table.Line) {
	number, fresh := 1, true
	if n := len(l.made); n > 0 {
		before := l.made[n-1]
		fresh = line.Seat <= before.line.Seat
		if l.sealed {
			fresh = line.Turn != before.line.Turn
		}
		number = before.number
		if fresh {
			number++
		}
	}
	if fresh || l.rows[len(l.rows)-1].Note != nil {
		l.rows = append(l.rows, moveRow{Number: number, Cells: make([]moveCell, l.seats)})
	}
	cell := &l.rows[len(l.rows)-1].Cells[line.Seat-1]
	*cell = moveCell{Made: true, Text: line.Text, Spent: line.Elapsed}
	l.made = append(l.made, madeMove{line, cell, number})
}

// takeBack strikes the moves out that a line takes back.
func (l *moveList) takeBack(line table.Line) {
	first, err := line.First()
	if err != nil || first < 1 || first > len(l.made) {
		return
	}
	for _, m := range l.made[first-1:] {
		m.cell.Gone = true
	}
	l.made = l.made[:first-1]
}

// note returns a full-width line of the list; none for the game's start.
func (g *GameBody) note(line table.Line) (_ note, shown bool) {
	n := note{Kind: line.Kind, Text: line.Text}
	if word := line.Word(); word != "" {
		n.Text, n.Reason = word, line.Because()
	}
	switch line.Kind {
	case table.LineStart:
		return n, false
	case table.LineAbort:
		g.Why = line.Because()
	case table.LineAdjudication:
		g.Why = n.Reason
	case table.LinePause:
		g.paused++
	case table.LineResume:
		g.paused--
		n.Still = g.paused > 0
	case table.LineSet, table.LineAdd:
		ms, periods, err := line.Ms()
		n.Ms = ms
		if err == nil && periods != nil {
			n.Periods = *periods
		}
	}
	if line.Seat > 0 {
		n.Who = g.Seats[line.Seat-1].Who
	}
	return n, true
}

// hasChosen reports whether a seat has made its secret choice for the present turn, which every viewer may know.
func hasChosen(view engine.View, seat engine.Seat) bool {
	sealed, ok := view.(engine.SealedView)
	return ok && sealed.Chosen(seat)
}

// position returns a viewer's projection of a game as its board is drawn: with the last move, which is marked.
func position(s *table.Snapshot, v engine.Viewer) engine.Projection {
	seen := s.Project(v)
	if last := s.LastMove(v); last != "" {
		seen.Events = []engine.Event{{Kind: engine.Moved, Text: last}}
	}
	return seen
}

// deedLine describes an act of a seat.
type deedLine struct {
	Key   int // number of its line in the log
	Who   SeatBody
	Left  string // why the seat left the game, "" for a move
	Token string // of a move in a game with a board of squares
	Words string // the act in words
	Named bool   // the words include the seat
}

// recall adds the latest events: at most those since the visitor's own last move.
func (g *GameBody) recall(in *message.Printer, s *table.Snapshot, v engine.Viewer) error {
	if !g.Dealt() {
		return nil
	}
	list, err := s.Recent(v, len(g.Seats))
	if err != nil {
		return err
	}
	name := func(seat engine.Seat) string {
		text, err := seatNames(in, g.Seats[seat-1:seat])
		if err != nil {
			return ""
		}
		return text
	}
	for _, one := range list {
		seat := one.Event.Seat
		if seat == 0 {
			continue // an event without a seat ends the game; the page shows it apart
		}
		line := deedLine{Key: one.Line, Who: g.Seats[seat-1]}
		switch one.Event.Kind {
		case engine.Moved:
			line.Words, line.Named = catalog.FaceOf(g.Variant).Did(board.Words(in), face.Move{
				Event: one.Event, Before: one.Before, After: one.After, Name: name,
			})
			if g.Play.Grid {
				line.Token = one.Event.Text
			}
		case engine.Left:
			line.Left = one.Event.Text
		default:
			continue
		}
		g.Deeds = append(g.Deeds, line)
	}
	return nil
}

// order marks each seat's partners and, in a game of three and more, the seat whose turn comes next.
func (g *GameBody) order() {
	for i := range g.Seats {
		for j, other := range g.Seats {
			if i != j && other.Side == g.Seats[i].Side {
				g.Seats[i].With = append(g.Seats[i].With, other.Who)
			}
		}
	}
	if len(g.Seats) < 3 || len(g.Awaited) != 1 || !g.Running() {
		return
	}
	for i := g.Awaited[0].Seat; i < g.Awaited[0].Seat+len(g.Seats)-1; i++ {
		if seat := &g.Seats[i%len(g.Seats)]; !seat.Out {
			seat.Next = true
			return
		}
	}
}

// Near lists the seats on the visitor's side of the board: its own, for a spectator the first.
func (g GameBody) Near() []SeatBody {
	if !g.Play.Sits() {
		return g.Seats[:1]
	}
	var near []SeatBody
	for _, seat := range g.Seats {
		if seat.Own {
			near = append(near, seat)
		}
	}
	return near
}

// Far lists the seats that are not near, in the order of their turns.
func (g GameBody) Far() []SeatBody {
	first := max(1, int(g.Play.Own))
	var far []SeatBody
	for i := range g.Seats {
		seat := g.Seats[(first-1+i)%len(g.Seats)]
		if !seat.Own && (g.Play.Sits() || seat.Seat != 1) {
			far = append(far, seat)
		}
	}
	return far
}
