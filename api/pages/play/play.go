package play

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/problem"
	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/table"
)

// playBody is what a seated visitor can do.
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
	AgreeBack bool // another seat requests one
	Rematches bool // a rematch can be offered

	Chosen []string // the visitor's secret choices for this turn

	Plans bool // a move can be planned while the other thinks

	Ask   string // what is to be confirmed: resign, offer or back
	Wrong string // why the last act was refused
}

// playSeat is one awaited seat of the visitor.
type playSeat struct {
	Seat   int8
	Moves  []string    // legal, sorted
	Groups []moveGroup // the same for a list to choose from
	Hand   []handMove  // the same in words, of a game without a board of squares
}

// Example is a move that could be typed.
func (s playSeat) Example() string { return s.Moves[len(s.Moves)/2] }

// moveGroup are moves that begin on one square.
type moveGroup struct {
	Square string // "" for all others
	Moves  []handMove
}

// groupedMoves is how many moves a list holds before it is divided by the squares on which they begin.
const groupedMoves = 12

// group lists the moves by the squares on which they begin.
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

// newPlay returns what a viewer can do in a game.
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

// turned returns by how many quarter turns a board lies as one of its seats sees it: opposite each other in a game of
// two, round the table otherwise.
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

// mountPlay adds the forms of a game's page.
func (p *Pages) mountPlay(e *echo.Echo) {
	p.Post(e, "/games/:id/move", command.Move.Target(), p.playMove)
	p.Post(e, "/games/:id/draw", command.OfferDraw.Target(), p.playDraw)
	p.Post(e, "/games/:id/resign", command.Resign.Target(), p.playResign)
	p.Post(e, "/games/:id/back", command.AskTakeback.Target(), p.playBack)
	p.Post(e, "/games/:id/rematch", command.Rematch.Target(), p.playRematch)
}

// playRun executes a command for the form's seat or, without one, the visitor's only seat. It redirects to the game, or
// shows it again with an error message.
func playRun[In any](p *Pages, c echo.Context, done string, act command.Game[In], in In) error {
	ctx, id := c.Request().Context(), c.Param("id")
	at := command.At{Game: id, Arrival: command.ArrivalOf(c)}
	switch anonymous := auth.Session(c).Anonymous(); {
	case anonymous && byScript(c):
		return c.JSON(http.StatusUnauthorized, refused{p.Reader(c).TextOr("", "play.login")})
	case anonymous:
		return p.ToLogin(c, "/games/"+id)
	}
	if seat := c.FormValue("seat"); seat != "" {
		n, err := strconv.ParseInt(seat, 10, 8)
		if err != nil {
			return kit.ErrUnreadable
		}
		at.Seat = new(int8(n))
	}
	_, err := act.Run(ctx, p.Commands, at, in)
	if why, known := p.Refusal(p.Reader(c), err); known && byScript(c) {
		return c.JSON(http.StatusConflict, refused{why})
	} else if known {
		return p.showGame(c, http.StatusConflict, func(b *playBody) { b.Wrong = why })
	}
	if err != nil {
		return err
	}
	if byScript(c) {
		return c.NoContent(http.StatusNoContent) // the page's stream brings what has changed
	}
	return p.Back(c, "/games/"+id, "play."+done)
}

// refused is the response to a script whose act was refused.
type refused struct {
	Why string `json:"why"`
}

// byScript reports whether the page's script sent the form, and needs no page in response.
func byScript(c echo.Context) bool {
	return c.Request().Header.Get(echo.HeaderAccept) == echo.MIMEApplicationJSON
}

// Refusal returns the reason why an act was refused, in the reader's language if it is translated.
func (p *Pages) Refusal(in *message.Printer, err error) (why string, known bool) {
	if err == nil {
		return "", false
	}
	if why = in.TextOr("", "play.fault."+problem.RefusalOf(err).Name); why != "" {
		return why, true
	}
	if illegal := (*engine.MoveError)(nil); errors.As(err, &illegal) {
		return in.TextOr("", "play.refused", "Why", in.Told(illegal.Sentence())), true
	}
	status, said := problem.MessageOf(err)
	if status != http.StatusConflict && status != http.StatusUnprocessableEntity {
		return "", false
	}
	return in.TextOr("", "play.refused_other", "Why", in.Told(said)), true
}

// playMove makes a move. The form's turn identifies the position, so a repeated form has no effect.
func (p *Pages) playMove(c echo.Context) error {
	turn, err := strconv.Atoi(c.FormValue("turn"))
	token := strings.TrimSpace(c.FormValue("move"))
	if err != nil || !kit.Readable(token) {
		return kit.ErrUnreadable
	}
	return playRun(p, c, "move", command.Move, table.Move{Turn: turn, Token: p.canonical(c, token)})
}

// canonical returns the one legal move of the visitor that was typed with other signs between its squares, such as C1C5
// or c1 c5; otherwise the text itself, which the rules judge.
func (p *Pages) canonical(c echo.Context, text string) string {
	s, err := p.Games.Snapshot(c.Request().Context(), c.Param("id"))
	if err != nil {
		return text
	}
	seats := s.SeatsOf(auth.Session(c).PlayerID)
	if n, err := strconv.Atoi(c.FormValue("seat")); err == nil {
		seats = slices.DeleteFunc(seats, func(seat engine.Seat) bool { return int(seat) != n })
	}
	if len(seats) != 1 {
		return text
	}
	found := text
	for _, move := range s.Outline(engine.ViewerOf(seats[0])).Legal[seats[0]] {
		switch token := string(move); {
		case token == text:
			return text
		case bare(token) != bare(text):
		case found != text:
			return text // it could be several
		default:
			found = token
		}
	}
	return found
}

// bare returns the letters and digits of a text, lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// playDraw offers a draw, or answers an offer.
func (p *Pages) playDraw(c echo.Context) error {
	switch c.FormValue("answer") {
	case "accept":
		return playRun(p, c, "answered", command.AcceptDraw, command.None{})
	case "decline":
		return playRun(p, c, "answered", command.DeclineDraw, command.None{})
	}
	return playRun(p, c, "offer", command.OfferDraw, command.None{})
}

// playBack requests a takeback, or answers a request.
func (p *Pages) playBack(c echo.Context) error {
	switch c.FormValue("answer") {
	case "accept":
		return playRun(p, c, "answered", command.AgreeTakeback, command.None{})
	case "decline":
		return playRun(p, c, "answered", command.DeclineTakeback, command.None{})
	}
	return playRun(p, c, "asked_back", command.AskTakeback, command.None{})
}

func (p *Pages) playResign(c echo.Context) error {
	return playRun(p, c, "resigned", command.Resign, command.None{})
}

func (p *Pages) playRematch(c echo.Context) error {
	return playRun(p, c, "rematch", command.Rematch, command.None{})
}

// confirmed are the acts that the page asks to confirm.
var confirmed = []string{"resign", "offer", "back"}

// gridBody is the board of squares as text, with the data for its script.
type gridBody struct {
	Size  int
	Cells [][]face.Cell
}
