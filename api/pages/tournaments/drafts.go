package tournaments

import (
	"errors"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Drafts lists the draft tournaments of whose staff the visitor is; they are hidden from others.
func (p *Pages) Drafts(c echo.Context) (list []TournamentLine, err error) {
	who, ctx := auth.Session(c), c.Request().Context()
	if who.Anonymous() {
		return nil, nil
	}
	lines, _, err := p.TournamentLines(
		ctx, director.Filter{Status: []tournament.Status{tournament.Draft}}, kit.PageLength, "",
	)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		t, staff, err := access.Tournament(ctx, p.Tournaments, line.ID, who)
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if staff && t.Status == tournament.Draft {
			list = append(list, line)
		}
	}
	return list, nil
}

// Creates reports whether the visitor may create tournaments.
func (p *Pages) Creates(c echo.Context) bool {
	who := auth.Session(c)
	return who.Can(who.Level(), auth.CreateTournaments)
}
