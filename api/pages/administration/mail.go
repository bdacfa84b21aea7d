package administration

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/problem"
)

// testMail sends the visitor an e-mail, to see whether that works.
func (p *Pages) testMail(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	_, err := command.TestMail.Run(c.Request().Context(), p.Commands, command.None{})
	if problem.RefusalOf(err).Status == http.StatusNotFound {
		err = accounts.InvalidInput("", "no_email")
	}
	return p.adminAfter(c, err, "mail_test", nil)
}
