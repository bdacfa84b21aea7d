// Package cards serves the pages of an entry in a tournament: its card, and how its tie-breaks came about.
package cards

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/ratings"
	"quatuor/api/pages/tournaments"
)

// Pages are the pages of entries.
type Pages struct {
	*kit.Kit
	tournaments *tournaments.Pages
	ratings     *ratings.Pages
}

// New returns the pages of entries.
func New(k *kit.Kit, events *tournaments.Pages, lists *ratings.Pages) *Pages {
	return &Pages{k, events, lists}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{"/tournaments/:id/standings/:number": p.account})
	p.Get(e, "/tournaments/:id/players/:number", p.card)
	p.Live("/tournaments/:id/players/:number", kit.Later, func(c echo.Context) []string {
		return []string{kit.TournamentTopic(c)}
	})
}
