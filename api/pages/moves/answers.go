package moves

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/problem"
)

func (p *Pages) accept(c echo.Context) error {
	return answerInvitation(p, c, command.AcceptInvitation, command.None{})
}

func (p *Pages) decline(c echo.Context) error {
	return answerInvitation(p, c, command.DeclineInvitation, "")
}

// answerInvitation answers an invitation, and redirects to the game, which shows the outcome: another answer may have
// been faster.
func answerInvitation[In any](p *Pages, c echo.Context, answer command.Game[In], in In) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if auth.Session(c).Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/games/"+id)
	}
	at := command.At{Game: id, Arrival: command.ArrivalOf(c)}
	_, err := answer.Run(ctx, p.Commands, at, in)
	if name := problem.RefusalOf(err).Name; err != nil && name != "game_over" && name != "no_invitation" {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/games/"+id)
}

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
