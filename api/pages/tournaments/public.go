package tournaments

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// Public loads the tournament of the address as the public sees it, whatever the visitor's rights.
func (p *Pages) Public(c echo.Context) (*tournament.Tournament, error) {
	nobody := auth.Identity{}
	t, _, err := access.Tournament(c.Request().Context(), p.Tournaments, c.Param("id"), nobody)
	if err != nil {
		return nil, err
	}
	return access.View(nobody, t), nil
}

// Snippet returns the HTML with which another site shows the tournament.
func (b TournamentBody) Snippet() string {
	return `<iframe src="` + b.Address + "/embed/tournaments/" + url.PathEscape(
		b.ID,
	) + `" width="100%" height="600"></iframe>`
}
