package kit

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// BareFrame is the data of a page without navigation: for print, wall displays and embedding on other sites.
type BareFrame struct {
	Site string
	Kind string // CSS class of the page
	Made int64  // time of rendering, ms UTC; 0 to keep the ETag of an unchanged page
	Body any
}

// Bare answers with a page without navigation, in the visitor's language.
func (k *Kit) Bare(c echo.Context, page string, f BareFrame) error {
	f.Site = k.Club(c.Request().Context()).Name
	html, err := k.Render(k.Reader(c), page, "bare", f)
	if err != nil {
		return err
	}
	return k.Send(c, 200, html, Policy, ReaderOf(auth.Session(c)))
}
