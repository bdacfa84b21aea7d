package tournaments

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

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
