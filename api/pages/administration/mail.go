package administration

import (
	"errors"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/tournament/account"
)

// testMail sends the visitor an e-mail, to see whether that works.
func (p *Pages) testMail(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	_, err := command.TestMail.Run(c.Request().Context(), p.Commands, command.None{})
	if errors.Is(err, account.ErrNotFound) {
		err = accounts.InvalidInput("", "no_email")
	}
	return p.adminAfter(c, err, "mail_test", nil)
}
