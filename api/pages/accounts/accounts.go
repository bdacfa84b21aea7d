package accounts

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// mountAccounts adds the pages of accounts.
func (p *Pages) mountAccounts(e *echo.Echo) {
	get := func(path string, handler echo.HandlerFunc) { p.Get(e, path, handler) }
	post := func(path string, handler echo.HandlerFunc) { p.Post(e, path, command.OnNothing, handler) }
	get("/register", p.registerForm)
	post("/register", p.register)
	get("/me", p.me)
	post("/me/player", p.changePlayer)
	post("/me/unblock", p.unblock)
	post("/me/claim", p.claim)
	post("/me/language", p.changeLanguage)
	post("/me/password", p.changePassword)
	post("/me/reset-seen", p.resetSeen)
	post("/me/sessions/end", p.endSessions)
	post("/me/sessions/:id/end", p.endSession)
	post("/me/delete", p.deleteMe)
	post("/me/tokens", p.makeToken)
	post("/me/tokens/:id/delete", p.deleteToken)
	get("/reset", p.resetForm)
	post("/reset", p.reset)
}

// The refusals of the pages of accounts themselves.
var (
	errAtOnce = InvalidInput("at_once", "at_once")
	errToken  = InvalidInput("token", "token")
)

// Enter logs the browser in as the owner of an account that is new or has a new password.
func (p *Pages) Enter(c echo.Context, login, password string) error {
	ctx := c.Request().Context()
	from := p.Accounts.OriginOf(c.Request(), c.RealIP())
	owner, err := p.Accounts.CheckLogin(ctx, login, password, from)
	if err != nil {
		return err
	}
	return p.Accounts.SignIn(ctx, c.Response(), owner, from)
}
