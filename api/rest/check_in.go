package rest

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// OpenCheckIn opens the check-in.
func (a *API) OpenCheckIn(ctx context.Context, r gen.OpenCheckInRequestObject) (gen.OpenCheckInResponseObject, error) {
	anew := r.Body != nil && valueOf(r.Body.Anew)
	changed, err := a.staged(ctx, r.TournamentID, auth.PairRounds, func(ctx context.Context, id string, o director.Order) (*tournament.Tournament, error) {
		return a.Tournaments.OpenCheckIn(ctx, id, anew, o)
	})
	return gen.OpenCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CloseCheckIn closes the check-in.
func (a *API) CloseCheckIn(ctx context.Context, r gen.CloseCheckInRequestObject) (gen.CloseCheckInResponseObject, error) {
	changed, err := a.staged(ctx, r.TournamentID, auth.PairRounds, a.Tournaments.CloseCheckIn)
	return gen.CloseCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CancelCheckIn does without a check-in.
func (a *API) CancelCheckIn(ctx context.Context, r gen.CancelCheckInRequestObject) (gen.CancelCheckInResponseObject, error) {
	changed, err := a.staged(ctx, r.TournamentID, auth.PairRounds, a.Tournaments.CancelCheckIn)
	return gen.CancelCheckIn200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CheckIn checks an entry in.
func (a *API) CheckIn(ctx context.Context, r gen.CheckInRequestObject) (gen.CheckInResponseObject, error) {
	changed, err := a.setPresent(ctx, r.TournamentID, r.EntryID, true)
	return gen.CheckIn200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// CheckOut notes that an entry is not there.
func (a *API) CheckOut(ctx context.Context, r gen.CheckOutRequestObject) (gen.CheckOutResponseObject, error) {
	changed, err := a.setPresent(ctx, r.TournamentID, r.EntryID, false)
	return gen.CheckOut200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// setPresent acts for those who run the tournament, or for a member of the entry.
func (a *API) setPresent(ctx context.Context, id, entry string, present bool) (gen.EntryChangedJSONResponse, error) {
	var none gen.EntryChangedJSONResponse
	t, err := a.visible(ctx, id)
	if err != nil {
		return none, err
	}
	e, err := entryOf(t, entry)
	if err != nil {
		return none, err
	}
	who := auth.From(ctx)
	member := who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID) && !who.Can(who.LevelIn(t), auth.PairRounds)
	if !member {
		if err := who.Demand(who.LevelIn(t), auth.PairRounds); err != nil {
			return none, err
		}
		t, err = a.Tournaments.SetPresent(ctx, id, entry, present, order(ctx))
	} else {
		if err := who.Demand(who.LevelIn(t), auth.EnterTournament); err != nil {
			return none, err
		}
		t, err = a.Tournaments.CheckSelfIn(ctx, id, entry, who.PlayerID, present, order(ctx))
	}
	if err != nil {
		return none, err
	}
	return a.entryAnswer(ctx, t, entry)
}
