// Package moves carries out players' acts in a game by a form: moves, offers and their answers, calls for the arbiter.
package moves

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
	"quatuor/api/pages/play"
	"quatuor/api/problem"
	"quatuor/engine"
	"quatuor/engine/table"
)

// Pages are the forms of players in games.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the forms of players in games.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/games/:id/accept", command.AcceptInvitation.Target(), p.accept)
	p.Post(e, "/games/:id/decline", command.DeclineInvitation.Target(), p.decline)
	p.Post(e, "/games/:id/move", command.Move.Target(), p.move)
	p.Post(e, "/games/:id/draw", command.OfferDraw.Target(), p.draw)
	p.Post(e, "/games/:id/resign", command.Resign.Target(), p.resign)
	p.Post(e, "/games/:id/berserk", command.Berserk.Target(), p.berserk)
	p.Post(e, "/games/:id/back", command.AskTakeback.Target(), p.takeBack)
	p.Post(e, "/games/:id/rematch", command.Rematch.Target(), p.rematch)
	p.Post(e, "/games/:id/call", command.CallToGame.Target(), p.call)
}

// run executes a command for the form's seat or, if it names none, the visitor's only seat. It redirects to the game,
// or shows it again with an error message.
func run[In any](p *Pages, c echo.Context, done string, act command.Game[In], in In) error {
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
	if why, known := Refusal(p.Reader(c), err); known && byScript(c) {
		return c.JSON(http.StatusConflict, refused{why})
	} else if known {
		return p.play.ShowGameWith(c, http.StatusConflict, func(g *play.GameBody) { g.Play.Wrong = why })
	}
	if err != nil {
		return err
	}
	if byScript(c) {
		return c.NoContent(http.StatusNoContent) // the page's stream brings the changes
	}
	return p.Back(c, "/games/"+id, "play."+done)
}

// refused is the response to a script after a refused act.
type refused struct {
	Why string `json:"why"`
}

// byScript reports whether the page's script sent the form, and needs no page in response.
func byScript(c echo.Context) bool {
	return c.Request().Header.Get(echo.HeaderAccept) == echo.MIMEApplicationJSON
}

// move makes a move. The form's turn identifies the position, so a repeated form has no effect.
func (p *Pages) move(c echo.Context) error {
	turn, err := strconv.Atoi(c.FormValue("turn"))
	token := strings.TrimSpace(c.FormValue("move"))
	if err != nil || !kit.Readable(token) {
		return kit.ErrUnreadable
	}
	return run(p, c, "move", command.Move, table.Move{Turn: turn, Token: p.canonical(c, token)})
}

// canonical returns the only legal move of the visitor that was typed with other signs between its squares, like C1C5
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

// draw offers a draw, or answers an offer.
func (p *Pages) draw(c echo.Context) error {
	switch c.FormValue("answer") {
	case "accept":
		return run(p, c, "answered", command.AcceptDraw, command.None{})
	case "decline":
		return run(p, c, "answered", command.DeclineDraw, command.None{})
	}
	return run(p, c, "offer", command.OfferDraw, command.None{})
}

// takeBack requests a takeback, or answers a request.
func (p *Pages) takeBack(c echo.Context) error {
	switch c.FormValue("answer") {
	case "accept":
		return run(p, c, "answered", command.AgreeTakeback, command.None{})
	case "decline":
		return run(p, c, "answered", command.DeclineTakeback, command.None{})
	}
	return run(p, c, "asked_back", command.AskTakeback, command.None{})
}

func (p *Pages) berserk(c echo.Context) error {
	return run(p, c, "berserk_on", command.Berserk, command.None{})
}

func (p *Pages) resign(c echo.Context) error {
	return run(p, c, "resigned", command.Resign, command.None{})
}

func (p *Pages) rematch(c echo.Context) error {
	return run(p, c, "rematch", command.Rematch, command.None{})
}

// Refusal returns the reason why an act was refused, in the reader's language if it is translated.
func Refusal(in *message.Printer, err error) (why string, known bool) {
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

func (p *Pages) accept(c echo.Context) error {
	return answerInvitation(p, c, command.AcceptInvitation, command.None{})
}

func (p *Pages) decline(c echo.Context) error {
	return answerInvitation(p, c, command.DeclineInvitation, "")
}

// answerInvitation answers an invitation, and redirects to the game, which shows the outcome: another answer may have
// been faster.
func answerInvitation[In any](p *Pages, c echo.Context, answer command.Game[In], in In) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if auth.Session(c).Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/games/"+id)
	}
	at := command.At{Game: id, Arrival: command.ArrivalOf(c)}
	_, err := answer.Run(ctx, p.Commands, at, in)
	if name := problem.RefusalOf(err).Name; err != nil && name != "game_over" && name != "no_invitation" {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/games/"+id)
}

// call calls the arbiter to a game on the server, for a player of it.
func (p *Pages) call(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if auth.Session(c).Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/games/"+id)
	}
	_, err := command.CallToGame.Run(ctx, p.Commands, command.At{Game: id}, c.FormValue("word"))
	if err == nil {
		return p.Back(c, "/games/"+id, "called")
	}
	said, known := map[string]string{
		"called": "called_before", "invalid": "call_word", "wrong_state": "call_late",
	}[problem.RefusalOf(err).Name]
	if !known {
		return err
	}
	return p.Back(c, "/games/"+id, said)
}
