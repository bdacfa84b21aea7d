package accounts

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
)

// resetBody holds the data of the page for setting a new password with a link.
type resetBody struct {
	Code  string
	Login string // of the account, "" where the link is not good
	Fault *Fault
	Mail  bool // a link can be sent
}

func (p *Pages) resetForm(c echo.Context) error {
	code := c.QueryParam("code")
	if code == "" {
		return p.Answer(c, http.StatusOK, "reset", kit.Frame{Secret: true, Body: &resetBody{Mail: p.Mail != nil}})
	}
	owner, err := p.Accounts.ResetOwner(c.Request().Context(), code, c.RealIP())
	if err != nil {
		return p.resetRefused(c, &resetBody{Mail: p.Mail != nil}, err)
	}
	return p.Answer(c, http.StatusOK, "reset", kit.Frame{Secret: true, Body: &resetBody{Code: code, Login: owner.Login}})
}

func (p *Pages) reset(c echo.Context) error {
	ctx := c.Request().Context()
	code, err := typed(c, "code")
	if err != nil {
		return err
	}
	password := c.FormValue("password")
	owner, err := p.Accounts.ResetPassword(ctx, code, password, c.RealIP())
	if err != nil {
		body := &resetBody{Mail: p.Mail != nil}
		if errors.Is(err, auth.ErrInvalidField) { // the code was good
			if known, e := p.Accounts.ResetOwner(ctx, code, c.RealIP()); e == nil {
				body.Code, body.Login = code, known.Login
			}
		}
		return p.resetRefused(c, body, err)
	}
	if err := p.Enter(c, owner.Login, password); err != nil {
		return err
	}
	return p.Back(c, "/me", "password_set")
}

func (p *Pages) resetRefused(c echo.Context, body *resetBody, err error) error {
	var status int
	if body.Fault, status, err = p.Fault(c, err); err != nil {
		return err
	}
	return p.Answer(c, status, "reset", kit.Frame{Secret: true, Body: body})
}
