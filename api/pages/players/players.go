// Package players serves the pages of players.
package players

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/ratings"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// directoryLength is the number of players that the list shows at once: a club, mostly.
const directoryLength = 100

// playersBody holds the data of the list of players.
type playersBody struct {
	Name  string // the search text, part of a name
	Lines []club.Player
	Next  string // cursor

	Enters bool // the visitor may enter players from a list
}

// File returns the address of the whole list as a file.
func (b playersBody) File() string {
	q := url.Values{"format": {"csv"}}
	if b.Name != "" {
		q.Set("name", b.Name)
	}
	return contract.BasePath + "/players/export?" + q.Encode()
}

func (p *Pages) players(c echo.Context) error {
	name, err := wording.Line.Optional(c.QueryParam("name"), kit.LongestName)
	if err != nil {
		return p.Error(c, http.StatusBadRequest)
	}
	body := playersBody{Name: name}
	body.Lines, body.Next, err = p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: name},
		directoryLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	who := auth.Session(c)
	body.Enters = p.Guard != nil && who.Can(who.Level(), auth.CreatePlayers)
	return p.Show(c, "players", "players", body)
}

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
