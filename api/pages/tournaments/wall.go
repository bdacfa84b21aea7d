package tournaments

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
)

// wall serves the page for a screen in the hall: the round as the public sees it, whatever the visitor's rights.
func (p *Pages) wall(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	outline, err := results.Of(t, false, 0)
	if err != nil {
		return err
	}
	outline.In = p.Reader(c)
	body := tournamentBody{Body: outline, Tab: tabWall}
	if err = p.fillGames(c.Request().Context(), &body); err != nil {
		return err
	}
	kit.Again(c, body.Games.Next)
	if body.Rendered, err = p.renderLive(c.Request().Context(), body); err != nil {
		return err
	}
	return p.Bare(c, "wall", kit.BareFrame{Kind: "wall", Body: body})
}
