// Package lobby is the pages on which players find opponents: challenges, open games, and games that wait for players.
package lobby

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
)

// Pages are the pages of games that have not begun.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	if p.Guard == nil {
		return
	}
	p.Get(e, "/play", p.challengePage)
	p.Post(e, "/play", command.OnNothing, p.challenge)
	p.Get(e, "/play/live", p.lobbyLive)
	p.Get(e, "/play/:id", p.tablePage)
	p.Get(e, "/play/:id/live", p.tableLive)
	p.Post(e, "/play/:id/sit", command.Sit.Target(), p.sit)
	p.Post(e, "/play/:id/leave", command.LeaveSeat.Target(), p.leaveTable)
}
