package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
)

// OpenCheckIn opens the check-in.
func (a *API) OpenCheckIn(ctx context.Context, r gen.OpenCheckInRequestObject) (gen.OpenCheckInResponseObject, error) {
	anew := r.Body != nil && valueOf(r.Body.Anew)
	changed, err := stage(ctx, a, command.OpenCheckIn, r.TournamentID, anew)
	return gen.OpenCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CloseCheckIn closes the check-in.
func (a *API) CloseCheckIn(
	ctx context.Context, r gen.CloseCheckInRequestObject,
) (gen.CloseCheckInResponseObject, error) {
	changed, err := stage(ctx, a, command.CloseCheckIn, r.TournamentID, command.None{})
	return gen.CloseCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CancelCheckIn cancels the check-in.
func (a *API) CancelCheckIn(
	ctx context.Context, r gen.CancelCheckInRequestObject,
) (gen.CancelCheckInResponseObject, error) {
	changed, err := stage(ctx, a, command.CancelCheckIn, r.TournamentID, command.None{})
	return gen.CancelCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CheckIn checks an entry in.
func (a *API) CheckIn(ctx context.Context, r gen.CheckInRequestObject) (gen.CheckInResponseObject, error) {
	in := command.Presence{Entry: r.EntryID, Present: true}
	changed, err := changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
	return gen.CheckIn200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// CheckOut marks an entry as absent.
func (a *API) CheckOut(ctx context.Context, r gen.CheckOutRequestObject) (gen.CheckOutResponseObject, error) {
	in := command.Presence{Entry: r.EntryID, Away: tournament.Bye(valueOf(r.Params.Bye))}
	changed, err := changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
	return gen.CheckOut200JSONResponse{EntryChangedJSONResponse: changed}, err
}
