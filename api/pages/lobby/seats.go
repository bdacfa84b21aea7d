package lobby

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// maxWord is the maximum length of a message on declining or leaving, in characters.
const maxWord = 200

// tableBody is the page of a game that waits for players.
type tableBody struct {
	Table tableLine
	Parts tableParts
	Link  *kit.Link         // to share, for seated players
	Alert string            // the name of the error message's text
	Word  string            // the word typed
	Over  bool              // was broken off
	Why   sentence.Sentence // the reason in its log
}

// tableParts are the parts of the page that change.
type tableParts struct {
	tableLine
	Player string
	Login  bool // the visitor has no account here, or is not logged in
	Sits   bool
	May    bool // sit down
	Code   string
	Over   bool
	Begun  bool
}

func (p *Pages) tablePage(c echo.Context) error { return p.showTable(c, http.StatusOK, "", "") }

// showTable serves the page of a waiting game; a game that has begun redirects to the board, also from an open page.
func (p *Pages) showTable(c echo.Context, status int, alert, word string) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	s, err := p.Games.Snapshot(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	g := s.Game
	if g.Tournament != nil || begun(g) && !kit.Rerendered(c) {
		return c.Redirect(http.StatusSeeOther, "/games/"+g.ID)
	}
	p.Hub.Seen(s, who.PlayerID)
	code := c.FormValue("code")
	if !kit.Readable(code) {
		return kit.ErrUnreadable
	}
	b := tableBody{Alert: alert, Word: word, Over: g.Status.Over()}
	if n := len(s.Lines); b.Over && n > 0 {
		b.Why = s.Lines[n-1].Because()
	}
	if b.Table, err = p.tableLine(ctx, g, who); err != nil {
		return err
	}
	if b.Over || begun(g) {
		kit.Final(c)
	}
	b.Parts = partsOf(s, b.Table, who, code)
	if g.Open && g.Status == table.Waiting &&
		(b.Table.Host || len(s.SeatsOf(who.PlayerID)) > 0 || g.Code == "" || g.Code == code) {
		name := ""
		if g.Code != "" {
			name = "code"
		}
		if b.Link, err = p.Link(c, "/play/"+g.ID, name, g.Code, p.At(0)); err != nil {
			return err
		}
		b.Link.Until = 0
	}
	return p.Answer(c, status, "table", kit.Frame{Section: "play", Secret: g.Code != "", Body: b})
}

// partsOf returns the parts that change on the page of a waiting game.
func partsOf(s *table.Snapshot, line tableLine, who auth.Identity, code string) tableParts {
	parts := tableParts{
		tableLine: line, Player: who.PlayerID, Login: who.Anonymous(), Code: code,
		Over:  s.Game.Status == table.Aborted && s.Game.StartedAt == 0,
		Begun: begun(s.Game), Sits: len(s.SeatsOf(who.PlayerID)) > 0,
	}
	parts.May = !parts.Sits && who.PlayerID != "" && parts.Free > 0 && s.Game.Status == table.Waiting &&
		(s.Game.Code == "" || s.Game.Code == code)
	return parts
}

// begun reports whether a game waits for players no more.
func begun(g table.Game) bool { return g.StartedAt != 0 || g.Status == table.Waiting && g.Invited == 0 }

// sit takes a seat, or accepts an invitation, and redirects to the board if the game has begun.
func (p *Pages) sit(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	code := c.FormValue("code")
	if !kit.Readable(code) {
		return kit.ErrUnreadable
	}
	back := "/play/" + id
	if code != "" {
		back += "?" + url.Values{"code": {code}}.Encode()
	}
	if _, ok, err := p.VisitingPlayer(c, back); !ok {
		return err
	}
	seat, _ := strconv.ParseInt(c.FormValue("seat"), 10, 8)
	at := command.At{Game: id, Arrival: command.ArrivalOf(c)}
	before, err := command.Sit.Run(ctx, p.Commands, at, command.Seat{Number: int8(seat), Code: code})
	at.Arrival.Done()
	if err != nil {
		return p.tableRefused(c, err)
	}
	if before.Game.Status != table.Waiting || before.Game.Invited == 0 {
		return c.Redirect(http.StatusSeeOther, "/games/"+id)
	}
	return c.Redirect(http.StatusSeeOther, back)
}

// leaveTable declines an invitation, leaves a seat, or cancels the visitor's game, with an optional message.
func (p *Pages) leaveTable(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	who, ok, err := p.VisitingPlayer(c, "/play/"+id)
	if !ok {
		return err
	}
	typed := c.FormValue("word")
	word, err := wording.Line.Optional(typed, maxWord)
	if err != nil {
		return p.showTable(c, http.StatusUnprocessableEntity, "word", typed)
	}
	at := command.At{Game: id, Arrival: command.ArrivalOf(c)}
	before, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return err
	}
	leave, said := command.DeclineInvitation, "declined"
	if before.Game.Open {
		leave, said = command.LeaveSeat, "left"
	}
	if before.Game.CreatedBy == who.AccountID {
		said = "cancelled"
	}
	_, err = leave.Run(ctx, p.Commands, at, word)
	at.Arrival.Done()
	if err != nil {
		return p.tableRefused(c, err)
	}
	if c.FormValue("block") != "" {
		if err := p.blockHost(ctx, before.Game, who); err != nil {
			return err
		}
	}
	return p.Back(c, "/play", said)
}

// blockHost blocks challenges from the creator of a game; in a game of a ladder, which the server creates, from the
// opponent.
func (p *Pages) blockHost(ctx context.Context, g table.Game, who auth.Identity) error {
	var host string
	if g.CreatedBy == tournament.ServerAccount {
		i := slices.IndexFunc(g.Players, func(id string) bool { return id != "" && id != who.PlayerID })
		if i >= 0 {
			host = g.Players[i]
		}
	} else {
		creator, err := p.Players.Account(ctx, g.CreatedBy)
		if err != nil {
			return err
		}
		host = creator.PlayerID
	}
	if host == "" || host == who.PlayerID {
		return nil
	}
	_, err := command.Block.Run(ctx, p.Commands, host)
	if problem.RefusalOf(err).Name == "too_many_blocks" {
		return nil // the account's page shows that the list is full
	}
	return err
}

// tableRefused shows the page again, with an error message.
func (p *Pages) tableRefused(c echo.Context, err error) error {
	refusal := problem.RefusalOf(err)
	if p.Reader(c).TextOr("", "seats.fault."+refusal.Name) == "" {
		return err
	}
	return p.showTable(c, refusal.Status, refusal.Name, "")
}
