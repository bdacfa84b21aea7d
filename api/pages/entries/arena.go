package entries

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
)

// joinArena lets the visitor wait for opponents in an arena.
func (p *Pages) joinArena(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	if who.Anonymous() {
		return p.ToLogin(c, arenaPath(c))
	}
	t, _, err := access.Tournament(ctx, p.Tournaments, c.Param("id"), who)
	if err != nil {
		return err
	}
	if who.PlayerID == "" {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	players, err := p.Players.Players(ctx, []string{who.PlayerID})
	if err != nil {
		return err
	}
	e, err := roster.EntryOf(ctx, p.Ratings, t, "", []string{who.PlayerID}, players)
	if err == nil {
		_, err = command.JoinArena.Run(ctx, p.Commands, command.On{ID: t.ID}, &e)
	}
	if err != nil {
		return err
	}
	return p.Back(c, arenaPath(c), "arena_in")
}

// leaveArena lets the visitor wait for no more opponents.
func (p *Pages) leaveArena(c echo.Context) error {
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, arenaPath(c))
	}
	_, err := command.LeaveArena.Run(c.Request().Context(), p.Commands, command.On{ID: c.Param("id")}, command.None{})
	if err != nil {
		return err
	}
	return p.Back(c, arenaPath(c), "arena_out")
}

func arenaPath(c echo.Context) string {
	return "/tournaments/" + url.PathEscape(c.Param("id")) + "/arena"
}
