package rest

import (
	"context"
	"net/http"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// OfferTakeback requests a takeback, or responds to a request.
func (a *API) OfferTakeback(ctx context.Context, r gen.OfferTakebackIn) (gen.OfferTakebackOut, error) {
	do := command.AskTakeback
	switch r.Body.Action {
	case gen.Accept:
		do = command.AgreeTakeback
	case gen.Decline:
		do = command.DeclineTakeback
	}
	return act(ctx, a, do, a.at(r.GameID, r.Body.Seat), command.None{})
}

// RematchGame offers a rematch, or accepts it.
func (a *API) RematchGame(ctx context.Context, r gen.RematchGameIn) (gen.RematchGameOut, error) {
	return act(ctx, a, command.Rematch, command.At{Game: r.GameID}, command.None{})
}

// GetRematch shows the rematch of a game.
func (a *API) GetRematch(ctx context.Context, r gen.GetRematchIn) (gen.GetRematchOut, error) {
	s, err := a.Tables.Snapshot(ctx, table.RematchOf(r.GameID))
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK, 0)
}

// AcceptGame accepts an invitation for all seats of the client's player.
func (a *API) AcceptGame(ctx context.Context, r gen.AcceptGameIn) (gen.AcceptGameOut, error) {
	return act(ctx, a, command.AcceptInvitation, a.at(r.GameID, nil), command.None{})
}

// DeclineGame declines an invitation, which aborts the game.
func (a *API) DeclineGame(ctx context.Context, r gen.DeclineGameIn) (gen.DeclineGameOut, error) {
	return act(ctx, a, command.DeclineInvitation, a.at(r.GameID, nil), valueOf(valueOf(r.Body).Reason))
}
