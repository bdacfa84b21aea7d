package kit

import (
	"html/template"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/calendar"
)

// Season is the way to a calendar.
type Season struct {
	Path      string       // of the file
	Subscribe template.URL // for programs, "" where the address is not known
}

// Season returns the way to the calendar at a path.
func (k *Kit) Season(c echo.Context, path string) Season {
	_, host, known := strings.Cut(k.Address(c), "://")
	if !known {
		return Season{Path: path}
	}
	return Season{path, template.URL("webcal://" + host + path)} //nolint:gosec // of the configured address or the checked Host
}

// Calendar answers with the public tournaments among ids as iCalendar in the reader's language; with those of a team if
// the address names its number.
func (k *Kit) Calendar(c echo.Context, name string, ids ...string) error {
	ctx, in := c.Request().Context(), k.Reader(c)
	team, ok := calendar.OneTeam(c.QueryParam("team"))
	if !ok {
		return ErrMissing
	}
	list, err := calendar.Read(ctx, k.Tournaments, ids...)
	if err != nil {
		return err
	}
	cal := calendar.Calendar{
		Name: name, Site: k.Club(ctx).Name, Address: k.Address(c), Team: team,
		Round: func(name string, round int) string { return Say(in, "feed.round", "Name", name, "Round", round) },
	}
	return k.File(c, calendar.Kind, cal.Of(list...))
}
