// Package players serves the pages of players and their ratings.
package players

import (
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/rating/systems"
)

// Pages are the pages of players and ratings.
type Pages struct {
	*kit.Kit
	play        *play.Pages
	tournaments *tournaments.Pages

	eventResults *ttlcache.Cache[eventKey, event]
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages, events *tournaments.Pages) *Pages {
	return &Pages{
		Kit: k, play: games, tournaments: events,
		eventResults: ttlcache.New[eventKey, event](kit.RenderedMax, kit.RenderedLife, k.Now),
	}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/players":                   p.players,
		"/players/:id":               p.player,
		"/players/:id/ratings/:list": p.ratingReasons,
		"/ratings":                   p.ratings,
		"/ratings/:list":             p.ranking,
	})
}

// Functions are for the templates that show ratings.
func Functions(*message.Printer) template.FuncMap {
	return template.FuncMap{"period": systems.PeriodName}
}
