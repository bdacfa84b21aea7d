package pages

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// bareFrame is what a page without navigation gets: one that is printed, hangs on a wall or stands on another site.
type bareFrame struct {
	Site string
	Kind string // a class of the whole page
	Made int64  // when, ms UTC; 0 where that would make two equal pages different
	Body any
}

// bare answers with a page without navigation, for the visitor.
func (p *Pages) bare(c echo.Context, page string, f bareFrame) error {
	f.Site = p.Club(c.Request().Context()).Name
	html, err := p.render(p.reader(c), page, "bare", f)
	if err != nil {
		return err
	}
	return p.send(c, 200, html, policy, readerOf(auth.Session(c)))
}
