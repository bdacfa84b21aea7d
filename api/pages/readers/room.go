// Package readers serves the pages of what happens in the club: the first page and walls.
package readers

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
)

// Pages are the first page and walls.
type Pages struct {
	*kit.Kit
	play        *play.Pages
	lobby       *lobby.Pages
	tournaments *tournaments.Pages
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages, open *lobby.Pages, events *tournaments.Pages) *Pages {
	return &Pages{k, games, open, events}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/": p.home,
	})
	p.Get(e, "/tournaments/:id/wall", p.wall)
	p.Get(e, "/wall", p.clubWall)
	if p.Guard != nil {
		p.Get(e, "/start/live", p.startLive)
		p.Get(e, "/tournaments/:id/slip", p.mySlip)
	}
}
