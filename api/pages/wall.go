package pages

import (
	"github.com/labstack/echo/v4"

	"quatuor/tournament"
	"quatuor/tournament/director"
)

// PublishedAt returns when the round shown was published, ms UTC; 0 if it is not going on.
func (b tournamentBody) PublishedAt() int64 {
	if b.Shown == 0 || b.Status != tournament.Running || b.Rounds[b.Shown-1].Status != tournament.Published {
		return 0
	}
	return b.Rounds[b.Shown-1].PublishedAt
}

// wall answers with what hangs in the hall: the round as the public sees it, whoever has opened it there.
func (p *Pages) wall(c echo.Context) error {
	t, err := p.public(c)
	if err != nil {
		return err
	}
	body, err := outline(t, false, 0)
	if err != nil {
		return err
	}
	body.Tab, body.in = tabWall, p.reader(c)
	if err = p.fillGames(c.Request().Context(), &body); err != nil {
		return err
	}
	if body.Rendered, err = p.renderTournament(c.Request().Context(), body); err != nil {
		return err
	}
	return p.bare(c, "wall", bareFrame{Kind: "wall", Body: body})
}

// clubWallBody is what the wall of the club shows.
type clubWallBody struct {
	Running []tournamentLine
	Soon    []tournamentLine
	Recent  []gameLine
}

func (p *Pages) clubWall(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body clubWallBody
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.tournamentLines(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.bare(c, "club-wall", bareFrame{Kind: "wall", Body: body})
}
