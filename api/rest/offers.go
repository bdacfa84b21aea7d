package rest

import (
	"context"
	"net/http"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// VisitOfferTakebackResponse writes the response, as do its siblings.
func (g *gameAnswer) VisitOfferTakebackResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitRematchGameResponse writes the response.
func (g *gameAnswer) VisitRematchGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitGetRematchResponse writes the response.
func (g *gameAnswer) VisitGetRematchResponse(w http.ResponseWriter) error { return g.write(w) }

// OfferTakeback requests a takeback, or responds to a request.
func (a *API) OfferTakeback(ctx context.Context, r gen.OfferTakebackIn) (gen.OfferTakebackOut, error) {
	act := command.AskTakeback
	switch r.Body.Action {
	case gen.Accept:
		act = command.AgreeTakeback
	case gen.Decline:
		act = command.DeclineTakeback
	}
	s, err := act.Run(ctx, a.commands, a.at(r.GameID, r.Body.Seat), command.None{})
	return a.done(ctx, s, err)
}

// RematchGame offers a rematch, or accepts it.
func (a *API) RematchGame(ctx context.Context, r gen.RematchGameIn) (gen.RematchGameOut, error) {
	s, err := command.Rematch.Run(ctx, a.commands, command.At{Game: r.GameID}, command.None{})
	return a.done(ctx, s, err)
}

// GetRematch shows the rematch of a game.
func (a *API) GetRematch(ctx context.Context, r gen.GetRematchIn) (gen.GetRematchOut, error) {
	s, err := a.Tables.Snapshot(ctx, table.RematchOf(r.GameID))
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// VisitAcceptGameResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitAcceptGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitDeclineGameResponse writes the response.
func (g *gameAnswer) VisitDeclineGameResponse(w http.ResponseWriter) error { return g.write(w) }

// AcceptGame accepts an invitation for all seats of the client's player.
func (a *API) AcceptGame(ctx context.Context, r gen.AcceptGameIn) (gen.AcceptGameOut, error) {
	s, err := command.AcceptInvitation.Run(ctx, a.commands, a.at(r.GameID, nil), command.None{})
	return a.done(ctx, s, err)
}

// DeclineGame declines an invitation, which aborts the game.
func (a *API) DeclineGame(ctx context.Context, r gen.DeclineGameIn) (gen.DeclineGameOut, error) {
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
