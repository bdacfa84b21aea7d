package play

import (
	"quatuor/api/pages/board"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/face"
	"quatuor/engine/table"
)

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
