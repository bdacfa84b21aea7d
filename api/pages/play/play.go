package play

import (
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/table"
)

// playBody holds the options of a seated visitor.
type playBody struct {
	Game  string
	Turn  int
	Seats []playSeat // the visitor's seats that are awaited
	Own   int8       // the first of the visitor's seats, 0 for a spectator
	Grid  bool       // the board has squares

	viewer engine.Viewer

	Answers   bool // another seat offers a draw
	Offers    bool // a draw can be offered
	Resigns   bool
	AsksBack  bool // a takeback can be requested
	AgreeBack bool // another seat requests a takeback
	Rematches bool // a rematch can be offered
	Berserks  bool // half of the time can be taken

	Arena string // id of the arena that the player goes back to, "" for none

	Chosen []string // the visitor's secret choices for this turn

	Plans bool // a move can be planned while the other thinks

	Ask   string // act to be confirmed: resign, offer or back
	Wrong string // why the last act was refused
}

// playSeat is an awaited seat of the visitor.
type playSeat struct {
	Seat   int8
	Moves  []string    // legal, sorted
	Groups []moveGroup // the same for a list to choose from
	Hand   []handMove  // the same in words, of a game without a board of squares
}

// Example is a move that could be typed.
func (s playSeat) Example() string { return s.Moves[len(s.Moves)/2] }

// moveGroup lists the moves that begin on a square.
type moveGroup struct {
	Square string // "" for all others
	Moves  []handMove
}

// groupedMoves is the number of moves beyond which a list is divided by the squares that they begin on.
const groupedMoves = 12

// group lists the moves by the squares that they begin on.
func (s *playSeat) group() {
	for i, token := range s.Moves {
		square := ""
		if _, begins := face.ParseSquare(token[:min(2, len(token))]); begins && len(token) > 2 &&
			len(s.Moves) > groupedMoves {
			square = token[:2]
		}
		words := handMove{token, face.Choice{Words: token}}
		if i < len(s.Hand) {
			words, square = s.Hand[i], ""
		}
		if n := len(s.Groups); n > 0 && s.Groups[n-1].Square == square {
			s.Groups[n-1].Moves = append(s.Groups[n-1].Moves, words)
		} else {
			s.Groups = append(s.Groups, moveGroup{square, []handMove{words}})
		}
	}
}

// handMove is a move that is chosen by a button.
type handMove struct {
	Token string
	face.Choice
}

func (b playBody) holds(seat engine.Seat) bool { return b.viewer.Holds(seat) }

// Sits reports whether the visitor sits in the game.
func (b playBody) Sits() bool { return b.Own > 0 }

// newPlay returns a viewer's options in a game.
func newPlay(s *table.Snapshot, v engine.Viewer, seen engine.Projection) playBody {
	b := playBody{Game: s.Game.ID, Turn: seen.Turn, viewer: v}
	own := func(seat int8) bool { return v.Holds(engine.Seat(seat)) }
	for seat := int8(1); int(seat) <= s.Game.Seats; seat++ {
		if !own(seat) {
			continue
		}
		if b.Own == 0 {
			b.Own = seat
		}
		if moves := seen.Legal[engine.Seat(seat)]; len(moves) > 0 && s.Game.Status == table.Running && !s.Past() {
			b.Seats = append(b.Seats, playSeat{Seat: seat, Moves: texts(moves)})
		}
	}
	if b.Own == 0 || s.Past() {
		return b
	}
	switch offer, takeback := s.Game.Offer, s.TakebackOffer(); s.Game.Status {
	case table.Running:
		b.Resigns = true
		b.Answers = offer != 0 && !own(offer)
		b.Offers = offer == 0 && s.Match != nil && s.Match.Drawable()
		b.AgreeBack = takeback != 0 && !own(takeback)
		b.AsksBack = takeback == 0 && s.Game.Takebacks && s.Game.Plies > 0
	case table.Finished:
		b.Rematches = s.Game.Tournament == nil && s.Game.Seats == 2
	}
	return b
}

// inWords adds the buttons of a game without a board of squares.
func (b *playBody) inWords(f face.Face, view engine.View, words face.Words) {
	for seat := engine.Seat(1); seat <= 2; seat++ {
		if b.holds(seat) && hasChosen(view, seat) {
			b.Chosen = append(b.Chosen, f.Choice(words, view, seat, f.Sealed(view, seat)).Words)
		}
	}
	for i := range b.Seats {
		seat := engine.Seat(b.Seats[i].Seat)
		for _, token := range b.Seats[i].Moves {
			b.Seats[i].Hand = append(b.Seats[i].Hand, handMove{token, f.Choice(words, view, seat, token)})
		}
	}
}

// group divides the lists of moves.
func (b *playBody) group() {
	for i := range b.Seats {
		b.Seats[i].group()
	}
}

func texts(moves []engine.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = string(m)
	}
	return list
}

// turned returns the number of quarter turns of a board as a seat sees it: opposite each other in a game of two, round
// the table otherwise.
func turned(seats int, own int8) int {
	switch {
	case own == 0:
		return 0
	case seats == 2:
		return 2 * int(own-1)
	case seats == 4:
		return int(own - 1)
	}
	return 0
}

// confirmed are the acts that need a confirmation.
var confirmed = []string{"resign", "offer", "back"}

// gridBody is the board of squares as text, with the data for its script.
type gridBody struct {
	Size  int
	Cells [][]face.Cell
}

// seatNames joins the names of the seated players.
func seatNames(in *message.Printer, seats []SeatBody) (string, error) {
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = seat.Who.Name
		if seat.Who.ID == "" {
			names[i] = in.Seat(seat.Variant, seat.Seat, seat.Of)
		}
	}
	return kit.Enumerate(in, names)
}

// gameCallPart is a player's way to call the arbiter, on the page of a game.
type gameCallPart struct {
	Game   string
	Called bool // a call is open already
}

// gameCallPart returns the form to call the arbiter to a game; nil unless the visitor plays it in the current round of
// a tournament.
func (p *Pages) gameCallPart(c echo.Context, g table.Game) (*gameCallPart, error) {
	place, who := g.Tournament, auth.Session(c)
	if place == nil || who.PlayerID == "" || g.Status.Over() {
		return nil, nil //nolint:nilnil // no way to call the arbiter
	}
	can, called, err := p.Tournaments.CanCall(c.Request().Context(), place.ID, place.Round, place.Board, who.PlayerID, g.ID)
	if !can {
		return nil, err
	}
	return &gameCallPart{Game: g.ID, Called: called}, nil
}

// Awaited lists the players that have not accepted, each once.
func Awaited(row table.Game, who kit.People) (list []kit.Person) {
	for i, id := range row.Players {
		if row.Invited.Has(int8(i+1)) && !slices.Contains(row.Players[:i], id) {
			list = append(list, who.Person(id))
		}
	}
	return list
}

// invite adds the players that have not accepted, and whether the visitor is among them.
func (g *GameBody) invite(row table.Game, v engine.Viewer, who kit.People) {
	if row.Status == table.Waiting && row.StartsAt != 0 {
		g.StartsAt = row.Deadline
	}
	if row.Status != table.Waiting || row.Invited == 0 {
		return
	}
	g.Waiting, g.AcceptUntil = Awaited(row, who), row.Deadline
	for seat := engine.Seat(1); int(seat) <= row.Seats; seat++ {
		g.Asked = g.Asked || v.Holds(seat) && row.Invited.Has(int8(seat))
	}
}
