package administration

import (
	"errors"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/accounts"
	"quatuor/tournament/account"
)

// testMail sends the visitor an e-mail, to see whether that works.
func (p *Pages) testMail(c echo.Context) error {
	who, ok, err := p.staff(c)
	if !ok {
		return err
	}
	if err := who.Demand(who.Level(), auth.ManageAccounts); err != nil {
		return p.adminAfter(c, err, "", nil)
	}
	err = p.accounts.Mail.Test(c.Request().Context(), who)
	if errors.Is(err, account.ErrNotFound) {
		err = accounts.InvalidInput("", "no_email")
	}
	return p.adminAfter(c, err, "mail_test", nil)
}
