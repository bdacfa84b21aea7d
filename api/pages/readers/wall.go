package readers

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// wall serves the page for a screen in the hall: the round as the public sees it, whatever the visitor's rights.
func (p *Pages) wall(c echo.Context) error {
	t, err := p.tournaments.Public(c)
	if err != nil {
		return err
	}
	body, err := tournaments.Outline(t, false, 0)
	if err != nil {
		return err
	}
	body.Tab, body.In = tournaments.TabWall, p.Reader(c)
	if err = p.tournaments.FillGames(c.Request().Context(), &body); err != nil {
		return err
	}
	kit.Again(c, body.Games.Next)
	if body.Rendered, err = p.tournaments.RenderTournament(c.Request().Context(), body); err != nil {
		return err
	}
	return p.Bare(c, "wall", kit.BareFrame{Kind: "wall", Body: body})
}

// clubWallBody holds the data of the wall of the club.
type clubWallBody struct {
	Running []runningEvent
	Soon    []tournaments.TournamentLine
	Recent  []play.GameLine
}

func (p *Pages) clubWall(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body clubWallBody
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.tournaments.TournamentLines(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.Bare(c, "club-wall", kit.BareFrame{Kind: "wall", Body: body})
}
