package pages

import (
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/tournament/club"
)

// playersBody is what the list of players shows.
type playersBody struct {
	Name  string // part of the name that was asked for
	Lines []club.Player
	Next  string // cursor
	Clubs bool   // somebody has one
}

func (p *Pages) players(c echo.Context) (err error) {
	body := playersBody{Name: c.QueryParam("name")}
	body.Lines, body.Next, err = p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: body.Name}, pageLength,
		c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Clubs = slices.ContainsFunc(body.Lines, func(who club.Player) bool { return who.Club != "" })
	return p.show(c, "players", "players", body)
}
