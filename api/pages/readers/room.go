// Package readers serves the pages other than tournaments and games: the first page, players, ratings, walls.
package readers

import (
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/rating/systems"
)

// Pages are the first page, players, ratings and walls.
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
		"/":                          p.home,
		"/players":                   p.players,
		"/players/:id":               p.player,
		"/players/:id/ratings/:list": p.ratingReasons,
		"/ratings":                   p.ratings,
		"/ratings/:list":             p.ranking,
	})
	p.Get(e, "/tournaments/:id/wall", p.wall)
	p.Get(e, "/wall", p.clubWall)
	if p.Guard != nil {
		p.Get(e, "/start/live", p.startLive)
		p.Get(e, "/tournaments/:id/slip", p.mySlip)
	}
}

// Functions are for the templates that show ratings.
func Functions(*message.Printer) template.FuncMap {
	return template.FuncMap{"period": systems.PeriodName}
}
