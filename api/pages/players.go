package pages

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// longestName is how many characters of a name can be searched for.
const longestName = 200

// playersBody is what the list of players shows.
type playersBody struct {
	Name  string // part of the name that was asked for
	Lines []club.Player
	Next  string // cursor
	Clubs bool   // at least one player has one
}

func (p *Pages) players(c echo.Context) error {
	name, err := wording.Line.Optional(c.QueryParam("name"), longestName)
	if err != nil {
		return p.Error(c, http.StatusBadRequest)
	}
	body := playersBody{Name: name}
	body.Lines, body.Next, err = p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: name}, pageLength,
		c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Clubs = slices.ContainsFunc(body.Lines, func(who club.Player) bool { return who.Club != "" })
	return p.show(c, "players", "players", body)
}
