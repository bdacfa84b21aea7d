// Package accounts is the pages of accounts and administration: set-up, login, /me, and the settings of the club.
package accounts

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
)

// Pages are the pages of accounts and of administration.
type Pages struct{ *kit.Kit }

// New returns the pages of accounts.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	p.mountLogin(e)
	p.mountAccounts(e)
}
