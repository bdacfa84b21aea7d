package tournaments

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/internal/calendar"
)

// calendar serves a tournament as iCalendar.
func (p *Pages) calendar(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	return p.Calendar(c, t.Name, t.ID)
}

// season serves the club's tournaments as iCalendar.
func (p *Pages) season(c echo.Context) error {
	ctx := c.Request().Context()
	ids, err := calendar.Newest(ctx, p.TournamentList)
	if err != nil {
		return err
	}
	return p.Calendar(c, p.Club(ctx).Name, ids...)
}
