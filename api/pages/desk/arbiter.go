package desk

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/arbiter"
	"quatuor/api/pages/phones"
)

// arbiterPart holds the data of the tab Arbiter: the games in play, with their clocks.
type arbiterPart struct {
	Games []arbiter.Game
	Hall  int // open boards without a game on the server
	Calls phones.CallsPart
}

func (p *Pages) arbiter(c echo.Context, b *deskBody) error {
	calls, err := p.phones.CallLines(c.Request().Context(), b.Tournament)
	if err != nil {
		return err
	}
	games, hall, err := p.games.InPlay(c.Request().Context(), b.Tournament)
	b.Part = arbiterPart{games, hall, phones.CallsPart{ID: b.ID, Tab: b.Tab, Calls: calls}}
	return err
}
