package play

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/problem"
	"quatuor/engine/table"
	"quatuor/tournament/slip"
)

// gameCall calls the arbiter to a game on the server, for one of its players.
func (p *Pages) gameCall(c echo.Context) error {
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

// gameCallPart is a player's way to call the arbiter, on the page of a game.
type gameCallPart struct {
	Game   string
	Called bool // a call is open already
}

// gameCallPart returns the form to call the arbiter to a game; nil unless the visitor plays it in the current round of
// a tournament.
func (p *Pages) gameCallPart(c echo.Context, g table.Game) (*gameCallPart, error) {
	place, who, ctx := g.Tournament, auth.Session(c), c.Request().Context()
	if p.Director == nil || place == nil || who.PlayerID == "" || g.Status.Over() ||
		!slices.Contains(g.Players, who.PlayerID) {
		return nil, nil //nolint:nilnil // there is no such way
	}
	t, err := p.Tournaments.Tournament(ctx, place.ID)
	if err != nil {
		return nil, err
	}
	pair, err := t.Pairing(place.Round, place.Board)
	if err != nil || pair.GameID != g.ID || pair.Result != nil || !slip.Open(t, place.Round) {
		return nil, nil //nolint:nilerr,nilnil // the board is gone
	}
	called, err := p.Director.CalledFromGame(ctx, t, place.Round, place.Board, who.PlayerID)
	return &gameCallPart{Game: g.ID, Called: called}, err
}
