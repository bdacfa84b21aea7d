package rest

import (
	"context"
	"net/http"

	"quatuor/api/command"
	"quatuor/api/gen"
)

// VisitAcceptGameResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitAcceptGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitDeclineGameResponse writes the response.
func (g *gameAnswer) VisitDeclineGameResponse(w http.ResponseWriter) error { return g.write(w) }

// AcceptGame accepts an invitation for all seats of the client's player.
func (a *API) AcceptGame(ctx context.Context, r gen.AcceptGameRequestObject) (gen.AcceptGameResponseObject, error) {
	s, err := command.AcceptInvitation.Run(ctx, a.commands, a.at(r.GameID, nil), command.None{})
	return a.done(ctx, s, err)
}

// DeclineGame declines an invitation, which aborts the game.
func (a *API) DeclineGame(ctx context.Context, r gen.DeclineGameRequestObject) (gen.DeclineGameResponseObject, error) {
	s, err := command.DeclineInvitation.Run(ctx, a.commands, a.at(r.GameID, nil), wordOf(r.Body))
	return a.done(ctx, s, err)
}

// wordOf returns the message sent along with an act; "" for none.
func wordOf(act *gen.DeclineAct) string {
	if act == nil {
		return ""
	}
	return valueOf(act.Reason)
}
