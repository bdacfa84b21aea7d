package readers

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// clubWallBody holds the data of the wall of the club.
type clubWallBody struct {
	Running []runningEvent
	Soon    []director.Summary
	Recent  []play.GameLine
}

func (p *Pages) clubWall(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body clubWallBody
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.TournamentList.List(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.Bare(c, "club-wall", kit.BareFrame{Kind: "wall", Body: body})
}
