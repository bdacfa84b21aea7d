// Package arbiter carries out what arbiters do at games on the server, and lists the games of a tournament for them.
package arbiter

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
)

// Pages are the forms of arbiters at games.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the forms of arbiters at games.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/games/:id/arbiter/:act", command.OnGame, p.arbitrate)
}
