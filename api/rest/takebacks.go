package rest

import (
	"context"
	"net/http"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// VisitOfferTakebackResponse writes the answer, as do its siblings.
func (g *gameAnswer) VisitOfferTakebackResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitRematchGameResponse writes the answer.
func (g *gameAnswer) VisitRematchGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitGetRematchResponse writes the answer.
func (g *gameAnswer) VisitGetRematchResponse(w http.ResponseWriter) error { return g.write(w) }

// OfferTakeback asks for a takeback, or answers that question.
func (a *API) OfferTakeback(ctx context.Context, r gen.OfferTakebackRequestObject) (gen.OfferTakebackResponseObject, error) {
	act, err := a.act(ctx, r.GameID, r.Body.Seat)
	if err != nil {
		return nil, err
	}
	do := a.Tables.AskBack
	switch r.Body.Action {
	case gen.Accept:
		do = a.Tables.AgreeBack
	case gen.Decline:
		do = a.Tables.DeclineBack
	}
	s, err := do(ctx, a.arrival(ctx, r.GameID), act)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// RematchGame offers a rematch, or accepts it.
func (a *API) RematchGame(ctx context.Context, r gen.RematchGameRequestObject) (gen.RematchGameResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	s, err := a.Tables.Snapshot(ctx, r.GameID)
	if err != nil {
		return nil, err
	}
	if len(s.SeatsOf(who.PlayerID)) == 0 {
		return nil, command.ErrNotInGame
	}
	if err := access.Challenge(ctx, a.People, who.PlayerID, s.Game.Players); err != nil {
		return nil, err
	}
	if s, err = a.Tables.Rematch(ctx, r.GameID, who.AccountID, who.PlayerID); err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// GetRematch shows the rematch of a game.
func (a *API) GetRematch(ctx context.Context, r gen.GetRematchRequestObject) (gen.GetRematchResponseObject, error) {
	s, err := a.Tables.Snapshot(ctx, table.RematchOf(r.GameID))
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}
