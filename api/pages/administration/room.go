// Package administration is the pages for running a club and its installation: set-up, settings, accounts and
// invitations, players, rating marks, backups, and the audit log.
package administration

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/api/settings"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
)

// Config holds the dependencies of these pages alone.
type Config struct {
	Settings     *settings.Club
	AccountList  AccountList
	Installation Installation
}

// AccountList lists accounts and the audit log, page by page.
type AccountList interface {
	ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) ([]account.Account, string, error)
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// Pages are the pages of administration.
type Pages struct {
	*kit.Kit
	Config
	accounts *accounts.Pages
	guard    *auth.Guard
}

// New returns the pages of administration.
func New(k *kit.Kit, a *accounts.Pages, c Config) *Pages { return &Pages{k, c, a, a.Accounts} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	get := func(path string, handler echo.HandlerFunc) { p.Get(e, path, handler) }
	post := func(path string, handler echo.HandlerFunc) { p.Post(e, path, command.OnNothing, handler) }
	get("/setup", p.setupForm)
	post("/setup", p.setUp)
	get("/admin", p.admin)
	get("/admin/address", p.poster)
	get("/admin/log", p.adminLog)
	get("/admin/settings", p.settingsForm)
	post("/admin/settings", p.saveSettings)
	post("/admin/accounts/:id", p.changeAccount)
	post("/admin/accounts/:id/reset", p.makeReset)
	post("/admin/invitations", p.makeInvitation)
	post("/admin/invitations/:id/end", p.endInvitation)
	get("/admin/players/:id", p.person)
	post("/admin/players/:id/delete", p.deletePerson)
	post("/admin/players/:id/claim", p.makeClaim)
	get("/admin/merge", p.mergeForm)
	post("/admin/merge", p.merge)
	post("/admin/check", p.startCheck)
	get("/admin/doctor", p.doctor)
	if p.accounts.Mail != nil {
		post("/admin/mail/test", p.testMail)
	}
	p.mountRatings(e)
	p.mountBackups(e)
}
