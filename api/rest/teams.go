package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
)

// AgreeToEntry confirms a player's place in a team entered by another account.
func (a *API) AgreeToEntry(
	ctx context.Context, r gen.AgreeToEntryRequestObject,
) (gen.AgreeToEntryResponseObject, error) {
	changed, err := changeEntry(ctx, a, command.Agree, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.AgreeToEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// DeclineEntry declines a player's place in a team entered by another account.
func (a *API) DeclineEntry(
	ctx context.Context, r gen.DeclineEntryRequestObject,
) (gen.DeclineEntryResponseObject, error) {
	changed, err := changeEntry(ctx, a, command.Decline, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.DeclineEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}
