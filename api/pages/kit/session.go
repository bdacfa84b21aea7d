package kit

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// Session returns the visitor's identity. An anonymous visitor is redirected to the login page; then ok is false.
func (k *Kit) Session(c echo.Context) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if !who.Anonymous() {
		return who, true, nil
	}
	target := "/login?next=" + c.Path()
	if c.Request().Method != http.MethodGet {
		target = "/login"
	}
	return who, false, c.Redirect(http.StatusSeeOther, target)
}

// ToLogin redirects to the login page, which continues to next.
func (k *Kit) ToLogin(c echo.Context, next string) error {
	return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape(next))
}

// StaffOf returns the tournament of an address if the visitor has the right to the action. An anonymous visitor is
// redirected to the login page: then t and err are nil.
func (k *Kit) StaffOf(c echo.Context, action auth.Action) (t *tournament.Tournament, err error) {
	who, form := auth.Session(c), c.Request().Method == http.MethodPost
	if who.Anonymous() && form {
		return nil, k.ToLogin(c, "/tournaments/"+url.PathEscape(c.Param("id"))+"/desk")
	}
	if t, _, err = access.Tournament(c.Request().Context(), k.Tournaments, c.Param("id"), who); err != nil {
		return nil, err
	}
	if who.Anonymous() {
		return nil, k.ToLogin(c, c.Request().URL.RequestURI())
	}
	if err := who.Demand(who.LevelIn(t), action); err != nil {
		return nil, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return t, nil
}
