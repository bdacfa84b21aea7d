package accounts

import "github.com/labstack/echo/v4"

// deleteMe deletes the visitor's account and player, with the password.
func (p *Pages) deleteMe(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	err := p.Commands.DeleteMe(c.Request().Context(), c.FormValue("confirm"))
	if err != nil {
		return p.meAfter(c, err, "", nil)
	}
	return p.Back(c, "/", "account_deleted")
}
