// Package lobby is the pages for finding opponents: challenges, open games, and games that wait for players.
package lobby

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/stream"
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
	p.Get(e, "/play", p.challengePage)
	p.Post(e, "/play", command.OnNothing, p.challenge)
	p.Live("/play", kit.Soon, func(c echo.Context) []string { return kit.TopicsOf(auth.Session(c), stream.Lobby) })
	p.Get(e, "/play/:id", p.tablePage)
	p.Live("/play/:id", kit.Soon, func(c echo.Context) []string {
		return kit.TopicsOf(auth.Session(c), stream.OfTable(c.Param("id")))
	})
	p.Post(e, "/play/:id/sit", command.Sit.Target(), p.sit)
	p.Post(e, "/play/:id/leave", command.LeaveSeat.Target(), p.leaveTable)
}
