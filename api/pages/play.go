package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/message"
	"quatuor/api/rest"
	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/table"
)

// playBody is what a visitor who sits in a game can do.
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
	AsksBack  bool // a takeback can be asked for
	AgreeBack bool // another seat asks for one
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
		if _, begins := face.ParseSquare(token[:min(2, len(token))]); begins && len(token) > 2 && len(s.Moves) > groupedMoves {
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
	switch offer, asks := s.Game.Offer, s.TakebackOffer(); s.Game.Status {
	case table.Running:
		b.Resigns = true
		b.Answers = offer != 0 && !own(offer)
		b.Offers = offer == 0 && s.Match != nil && s.Match.Drawable()
		b.AgreeBack = asks != 0 && !own(asks)
		b.AsksBack = asks == 0 && s.Game.Takebacks && s.Game.Plies > 0
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

// turned returns by how many quarter turns a board lies as one of its seats sees it: opposite each other in a game of two,
// round the table otherwise.
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
	for path, handler := range map[string]echo.HandlerFunc{
		"move":    p.playMove,
		"draw":    p.playDraw,
		"resign":  p.playResign,
		"back":    p.playBack,
		"rematch": p.playRematch,
	} {
		e.POST("/games/:id/"+path, p.guard(handler))
	}
}

// playAct is what a form does for a seat of the visitor.
type playAct func(ctx context.Context, a *table.Arrival, act table.Act) error

// carryOut lets the visitor act in a game: with the seat that the form names or, without one, the only one. It leads back
// to the game, or shows it again with what was wrong.
func (p *Pages) carryOut(c echo.Context, done string, do playAct) error {
	id := c.Param("id")
	arrival := rest.Arrival(c.Request().Context(), p.Games, id)
	defer arrival.Done()
	ctx, who := c.Request().Context(), auth.Session(c)
	if who.Anonymous() && byScript(c) {
		return c.JSON(http.StatusUnauthorized, refused{p.reader(c).TextOr("", "play.login")})
	}
	if who.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape("/games/"+id))
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return err
	}
	if err := p.mayKnow(ctx, who, s); err != nil {
		return err
	}
	seat, err := seatOf(s, who.PlayerID, c.FormValue("seat"))
	if err != nil {
		return err
	}
	p.Hub.Seen(s, who.PlayerID)
	err = do(ctx, arrival, table.Act{Game: id, Seat: seat, By: who.AccountID})
	if why, known := p.refusal(p.reader(c), err); known && byScript(c) {
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
	return p.back(c, "/games/"+id, "play."+done)
}

// refused is the answer to a script whose act was refused.
type refused struct {
	Why string `json:"why"`
}

// byScript reports whether a form was sent by the page's script, which needs no page in answer.
func byScript(c echo.Context) bool {
	return c.Request().Header.Get(echo.HeaderAccept) == echo.MIMEApplicationJSON
}

// mayKnow refuses games of tournaments that the visitor may not know of.
func (p *Pages) mayKnow(ctx context.Context, who auth.Identity, s *table.Snapshot) error {
	if s.Game.Tournament == nil {
		return nil
	}
	_, _, err := access.Tournament(ctx, p.Tournaments, s.Game.Tournament.ID, who)
	return err
}

// seatOf returns the seat that a form acts for.
func seatOf(s *table.Snapshot, player, named string) (int8, error) {
	own := s.SeatsOf(player)
	if named == "" && len(own) == 1 {
		return int8(own[0]), nil
	}
	n, err := strconv.Atoi(named)
	if err != nil || !slices.Contains(own, engine.Seat(n)) {
		return 0, echo.NewHTTPError(http.StatusForbidden)
	}
	return int8(n), nil
}

// refusal says why an act was refused, in the reader's language as far as the reason has words there.
func (p *Pages) refusal(in *message.Printer, err error) (why string, known bool) {
	var illegal *engine.MoveError
	var name string
	switch {
	case err == nil:
		return "", false
	case errors.Is(err, table.ErrStaleTurn), errors.Is(err, engine.ErrTurn), errors.Is(err, table.ErrConflict):
		name = "stale"
	case errors.Is(err, table.ErrFlagFallen):
		name = "fallen"
	case errors.Is(err, table.ErrGameOver):
		name = "over"
	case errors.Is(err, table.ErrPaused):
		name = "paused"
	case errors.Is(err, table.ErrNotStarted):
		name = "not_started"
	case errors.As(err, &illegal):
		return in.TextOr("", "play.refused", "Why", told(in, illegal.Sentence())), true
	default:
		status, said := deskRefusal(err)
		if status != http.StatusConflict && status != http.StatusUnprocessableEntity {
			return "", false
		}
		return in.TextOr("", "play.refused_other", "Why", told(in, said)), true
	}
	return in.TextOr("", "play."+name), true
}

// playMove makes a move. The turn in the form says which position it was chosen for; the same form sent again does no harm.
func (p *Pages) playMove(c echo.Context) error {
	turn, err := strconv.Atoi(c.FormValue("turn"))
	token := strings.TrimSpace(c.FormValue("move"))
	if err != nil || !readable(token) {
		return errUnreadable
	}
	return p.carryOut(c, "move", func(ctx context.Context, a *table.Arrival, act table.Act) error {
		_, err := p.Games.Play(ctx, a, table.Move{Act: act, Turn: turn, Token: p.canonical(ctx, act, token)})
		return err
	})
}

// canonical returns the legal move that was typed with other signs between its squares, such as C1C5 or c1 c5; otherwise
// the text itself, which the rules judge.
func (p *Pages) canonical(ctx context.Context, act table.Act, text string) string {
	s, err := p.Games.Snapshot(ctx, act.Game)
	if err != nil {
		return text
	}
	found := text
	for _, move := range s.Outline(engine.ViewerOf(engine.Seat(act.Seat))).Legal[engine.Seat(act.Seat)] {
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
	do, done := p.Games.Offer, "offer"
	switch c.FormValue("answer") {
	case "accept":
		do, done = p.Games.Accept, "answered"
	case "decline":
		do, done = p.Games.Decline, "answered"
	}
	return p.carryOut(c, done, asAct(do))
}

// playBack asks for a takeback, or answers that question.
func (p *Pages) playBack(c echo.Context) error {
	do, done := p.Games.AskBack, "asked_back"
	switch c.FormValue("answer") {
	case "accept":
		do, done = p.Games.AgreeBack, "answered"
	case "decline":
		do, done = p.Games.DeclineBack, "answered"
	}
	return p.carryOut(c, done, asAct(do))
}

func (p *Pages) playResign(c echo.Context) error {
	return p.carryOut(c, "resigned", asAct(p.Games.Resign))
}

// asAct lets go of the game that an act returns: the visitor is led to its page.
func asAct(do func(context.Context, *table.Arrival, table.Act) (*table.Snapshot, error)) playAct {
	return func(ctx context.Context, a *table.Arrival, act table.Act) error {
		_, err := do(ctx, a, act)
		return err
	}
}

func (p *Pages) playRematch(c echo.Context) error {
	return p.carryOut(c, "rematch", func(ctx context.Context, _ *table.Arrival, act table.Act) error {
		_, err := p.Games.Rematch(ctx, act.Game, act.By, auth.Session(c).PlayerID)
		return err
	})
}

// asks are what the page of a game asks once more before it is done.
var asks = []string{"resign", "offer", "back"}

// gridBody is the board of squares in words, with what its script needs.
type gridBody struct {
	Size  int
	Cells [][]face.Cell
}
