package play

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine"
	"quatuor/engine/table"
)

// Awaited lists the players that have not accepted, each once.
func Awaited(row table.Game, who kit.People) (list []kit.Person) {
	for i, id := range row.Players {
		if row.Invited.Has(int8(i+1)) && !slices.Contains(row.Players[:i], id) {
			list = append(list, who.Person(id))
		}
	}
	return list
}

// invite adds the players that have not accepted, and whether the visitor is one of them.
func (g *GameBody) invite(row table.Game, v engine.Viewer, who kit.People) {
	if row.Status == table.Waiting && row.StartsAt != 0 {
		g.StartsAt = row.Deadline
	}
	if row.Status != table.Waiting || row.Invited == 0 {
		return
	}
	g.Waiting, g.AcceptUntil = Awaited(row, who), row.Deadline
	for seat := engine.Seat(1); int(seat) <= row.Seats; seat++ {
		g.Asked = g.Asked || v.Holds(seat) && row.Invited.Has(int8(seat))
	}
}

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
