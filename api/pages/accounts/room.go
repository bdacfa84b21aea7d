// Package accounts is the pages of the visitor's own account: login, registration, /me, forgotten passwords, e-mail.
package accounts

import (
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/mail"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
)

// Config holds the dependencies of these pages alone.
type Config struct {
	Accounts *auth.Guard
	Mail     *mail.Service // nil without a mail server
}

// Pages are the pages of accounts.
type Pages struct {
	*kit.Kit
	Config
}

// New returns the pages of accounts.
func New(k *kit.Kit, c Config) *Pages { return &Pages{k, c} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	p.mountLogin(e)
	p.mountAccounts(e)
	p.mountMail(e)
}

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

// Language is a language of the pages.
type Language struct{ Tag, Name string }

// languageNames are the names of the languages, each in that language.
var languageNames = map[string]string{"en": "English", "fr": "Français", "de": "Deutsch"}

// OfferedLanguages lists the languages of the pages.
func OfferedLanguages() (all []Language) {
	for _, tag := range message.Languages {
		all = append(all, Language{tag.String(), languageNames[tag.String()]})
	}
	return all
}
