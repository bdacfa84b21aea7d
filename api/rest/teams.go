package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
)

// AgreeToEntry notes that a player agrees to be in a team that another account entered.
func (a *API) AgreeToEntry(ctx context.Context, r gen.AgreeToEntryRequestObject) (gen.AgreeToEntryResponseObject, error) {
	changed, err := changeEntry(ctx, a, command.Agree, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.AgreeToEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// DeclineEntry notes that a player does not want to be in a team that another account entered.
func (a *API) DeclineEntry(ctx context.Context, r gen.DeclineEntryRequestObject) (gen.DeclineEntryResponseObject, error) {
	changed, err := changeEntry(ctx, a, command.Decline, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.DeclineEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}
