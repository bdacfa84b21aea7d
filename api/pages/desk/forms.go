package desk

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// feed is the event stream of the desk: it publishes new versions of the tournament, and the page reloads its content.
func (p *Pages) feed(c echo.Context) error {
	t, err := p.tournaments.StaffOf(c, auth.SeeDrafts)
	if t == nil {
		return err
	}
	who := auth.Session(c)
	return p.changes.Serve(c.Request().Context(), c.Response(), t.ID,
		func(t *tournament.Tournament) bool { return access.Staff(who, t) })
}

// changeEvent returns the data of an event.
func changeEvent(_ context.Context, t *tournament.Tournament, _ bool, _ string) ([]byte, error) {
	return []byte(`<span data-part="desk-version" data-version="` + strconv.FormatInt(t.Version, 10) + `" hidden></span>`), nil
}
