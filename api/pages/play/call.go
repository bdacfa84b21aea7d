package play

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/engine/table"
)

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
		return nil, nil //nolint:nilnil // there is no such way
	}
	can, called, err := p.Director.CanCall(c.Request().Context(), place.ID, place.Round, place.Board, who.PlayerID, g.ID)
	if !can {
		return nil, err
	}
	return &gameCallPart{Game: g.ID, Called: called}, nil
}
