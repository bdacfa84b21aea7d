package desk

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// feed is the stream of the desk: it tells that the tournament has changed, and the page asks for what it shows.
func (p *Pages) feed(c echo.Context) error {
	t, err := p.StaffOf(c, auth.SeeDrafts)
	if t == nil {
		return err
	}
	who := auth.Session(c)
	return p.changes.Serve(c.Request().Context(), c.Response(), t.ID,
		func(t *tournament.Tournament) bool { return access.Staff(who, t) })
}

// changeEvent makes the data of the stream's events.
func changeEvent(_ context.Context, t *tournament.Tournament, _ bool, _ string) ([]byte, error) {
	return []byte(`<span data-part="desk-version" data-version="` + strconv.FormatInt(t.Version, 10) + `" hidden></span>`), nil
}
