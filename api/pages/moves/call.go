package moves

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/problem"
)

// call calls the arbiter to a game on the server, for one of its players.
func (p *Pages) call(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if auth.Session(c).Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/games/"+id)
	}
	_, err := command.CallToGame.Run(ctx, p.Commands, command.At{Game: id}, c.FormValue("word"))
	if err == nil {
		return p.Back(c, "/games/"+id, "called")
	}
	said, known := map[string]string{
		"called": "called_before", "invalid": "call_word", "wrong_state": "call_late",
	}[problem.RefusalOf(err).Name]
	if !known {
		return err
	}
	return p.Back(c, "/games/"+id, said)
}
