package players

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// directoryLength is how many players the list shows at once: a club, mostly.
const directoryLength = 100

// playersBody is what the list of players shows.
type playersBody struct {
	Name  string // the search text, part of a name
	Lines []club.Player
	Next  string // cursor
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
	return p.Show(c, "players", "players", body)
}
