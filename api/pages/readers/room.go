// Package readers serves the pages about events in the club: the first page and walls. For developers of the pages it
// has a page of all their components.
package readers

import (
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/cards"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/pages/play"
	"quatuor/api/stream"
)

// Pages are the first page and walls.
type Pages struct {
	*kit.Kit
	play    *play.Pages
	lobby   *lobby.Pages
	entries *entries.Pages
	cards   *cards.Pages
	podiums *ttlcache.Cache[podiumKey, []place]
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages, open *lobby.Pages, own *entries.Pages, card *cards.Pages) *Pages {
	podiums := ttlcache.New[podiumKey, []place](kit.RenderedMax, kit.RenderedLife, k.Now)
	return &Pages{k, games, open, own, card, podiums}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/": p.home,
	})
	p.Get(e, "/wall", p.clubWall)
	p.Live("/", kit.Soon, evening)
	p.Live("/wall", kit.Soon, evening)
	if p.Design {
		p.Get(e, "/design", p.design)
	}
	p.Get(e, "/tournaments/:id/slip", p.mySlip)
}

// evening returns the topics of events in the club, and for the visitor.
func evening(c echo.Context) []string {
	return kit.TopicsOf(auth.Session(c), stream.AnyTournament, stream.AnyGame)
}

// designBody holds the data of the page of all components.
type designBody struct {
	Names []string // four players, two tournaments
}

// design serves a page with every component of docs/design.md.
func (p *Pages) design(c echo.Context) error {
	return p.Show(c, "design", "", designBody{[]string{
		"Ada Nowak", "Bruno Keller", "Chiara Rossi", "Dmitri Volkov", "Autumn Cup", "Club Open",
	}})
}
