package kit

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
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

// VisitingPlayer returns the visitor's identity, if it may play; otherwise it has responded, and ok is false.
func (k *Kit) VisitingPlayer(c echo.Context, back string) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if who.Anonymous() {
		return who, false, k.ToLogin(c, back)
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil || who.PlayerID == "" {
		return who, false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return who, true, nil
}
