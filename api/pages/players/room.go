// Package players serves the pages of players.
package players

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/ratings"
)

// Pages are the pages of players.
type Pages struct {
	*kit.Kit
	play    *play.Pages
	ratings *ratings.Pages

	eventResults *ttlcache.Cache[eventKey, event]
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages, lists *ratings.Pages) *Pages {
	return &Pages{
		Kit: k, play: games, ratings: lists,
		eventResults: ttlcache.New[eventKey, event](kit.RenderedMax, kit.RenderedLife, k.Now),
	}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/players":     p.players,
		"/players/:id": p.player,
	})
}
