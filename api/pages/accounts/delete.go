package accounts

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// deleteMe deletes the visitor's account and player, with the password.
func (p *Pages) deleteMe(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	_, err := command.DeleteMe.Run(c.Request().Context(), p.Commands, c.FormValue("confirm"))
	if err != nil {
		return p.meAfter(c, err, "", nil)
	}
	return p.Back(c, "/", "account_deleted")
}
