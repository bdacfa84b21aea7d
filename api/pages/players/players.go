package players

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// playersBody is what the list of players shows.
type playersBody struct {
	Name  string // the search text, part of a name
	Lines []club.Player
	Next  string // cursor
	Clubs bool   // at least one player has one
}

func (p *Pages) players(c echo.Context) error {
	name, err := wording.Line.Optional(c.QueryParam("name"), kit.LongestName)
	if err != nil {
		return p.Error(c, http.StatusBadRequest)
	}
	body := playersBody{Name: name}
	body.Lines, body.Next, err = p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: name},
		kit.PageLength,
		c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Clubs = slices.ContainsFunc(body.Lines, func(who club.Player) bool { return who.Club != "" })
	return p.Show(c, "players", "players", body)
}
