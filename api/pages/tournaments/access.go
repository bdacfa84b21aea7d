package tournaments

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// Public loads the tournament of the address as the public sees it, whatever the visitor's rights.
func (p *Pages) Public(c echo.Context) (*tournament.Tournament, error) {
	nobody := auth.Identity{}
	t, _, err := access.Tournament(c.Request().Context(), p.Tournaments, c.Param("id"), nobody)
	if err != nil {
		return nil, err
	}
	return access.View(nobody, t), nil
}

// Snippet returns the HTML that shows the tournament on another site.
func (b TournamentBody) Snippet() string {
	return `<iframe src="` + b.Address + "/embed/tournaments/" + url.PathEscape(
		b.ID,
	) + `" width="100%" height="600"></iframe>`
}

// StaffOf returns the tournament of an address if the visitor has the right to the action. An anonymous visitor is
// redirected to the login page: then t and err are nil.
func (p *Pages) StaffOf(c echo.Context, action auth.Action) (t *tournament.Tournament, err error) {
	who, form := auth.Session(c), c.Request().Method == http.MethodPost
	if who.Anonymous() && form {
		return nil, p.ToLogin(c, "/tournaments/"+url.PathEscape(c.Param("id"))+"/desk")
	}
	if t, _, err = access.Tournament(c.Request().Context(), p.Tournaments, c.Param("id"), who); err != nil {
		return nil, err
	}
	if who.Anonymous() {
		return nil, p.ToLogin(c, c.Request().URL.RequestURI())
	}
	if err := who.Demand(who.LevelIn(t), action); err != nil {
		return nil, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return t, nil
}
