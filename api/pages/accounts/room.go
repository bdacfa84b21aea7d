// Package accounts is the pages of accounts and administration: set-up, login, /me, and the settings of the club.
package accounts

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/mail"
	"quatuor/api/pages/kit"
	"quatuor/api/settings"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
)

// Config holds what these pages depend on alone.
type Config struct {
	Accounts     *auth.Guard
	Settings     *settings.Club
	AccountList  AccountList
	Installation Installation
	Mail         *mail.Service // nil without a mail server
}

// AccountList lists accounts and the audit log, page by page.
type AccountList interface {
	ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) ([]account.Account, string, error)
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// Pages are the pages of accounts and of administration.
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
