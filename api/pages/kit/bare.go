package kit

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// BareFrame is what a page without navigation gets: one that is printed, hangs on a wall or stands on another site.
type BareFrame struct {
	Site string
	Kind string // a class of the whole page
	Made int64  // when, ms UTC; 0 where that would make two equal pages different
	Body any
}

// Bare answers with a page without navigation, for the visitor.
func (k *Kit) Bare(c echo.Context, page string, f BareFrame) error {
	f.Site = k.Club(c.Request().Context()).Name
	html, err := k.Render(k.Reader(c), page, "bare", f)
	if err != nil {
		return err
	}
	return k.Send(c, 200, html, Policy, ReaderOf(auth.Session(c)))
}
