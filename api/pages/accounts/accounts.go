package accounts

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// mountAccounts adds the pages of accounts.
func (p *Pages) mountAccounts(e *echo.Echo) {
	get := func(path string, handler echo.HandlerFunc) { p.Get(e, path, handler) }
	post := func(path string, handler echo.HandlerFunc) { p.Post(e, path, command.OnNothing, handler) }
	get("/setup", p.setupForm)
	post("/setup", p.setUp)
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
	get("/admin", p.admin)
	get("/admin/address", p.poster)
	get("/admin/log", p.adminLog)
	get("/admin/settings", p.settingsForm)
	post("/admin/settings", p.saveSettings)
	post("/admin/accounts/:id", p.changeAccount)
	post("/admin/accounts/:id/reset", p.makeReset)
	post("/admin/invitations", p.makeInvitation)
	post("/admin/invitations/:id/end", p.endInvitation)
	get("/admin/players/:id", p.adminPlayer)
	post("/admin/players/:id/delete", p.deletePlayer)
	post("/admin/players/:id/claim", p.makeClaim)
	post("/admin/check", p.startCheck)
	get("/admin/merge", p.mergeForm)
	post("/admin/merge", p.merge)
	p.mountRatings(e)
	p.mountBackups(e)
	get("/admin/doctor", p.doctor)
	get("/reset", p.resetForm)
	post("/reset", p.reset)
}

// What the pages of accounts refuse by themselves.
var (
	errAtOnce = invalidInput("at_once", "at_once")
	errToken  = invalidInput("token", "token")
	errNumber = invalidInput("uses", "number")
)

// enter logs the browser in as the owner of a new account, or of one whose password was set.
func (p *Pages) enter(c echo.Context, login, password string) error {
	ctx := c.Request().Context()
	from := p.Accounts.OriginOf(c.Request(), c.RealIP())
	owner, err := p.Accounts.CheckLogin(ctx, login, password, from)
	if err != nil {
		return err
	}
	return p.Accounts.SignIn(ctx, c.Response(), owner, from)
}
