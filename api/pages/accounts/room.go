// Package accounts is the pages of the visitor's own account: login, registration, /me, forgotten passwords, e-mail.
package accounts

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/mail"
	"quatuor/api/pages/kit"
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
