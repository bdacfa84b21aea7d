package rest

import (
	"context"
	"fmt"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// AgreeToEntry notes that a player agrees to be in a team that another account entered.
func (a *API) AgreeToEntry(ctx context.Context, r gen.AgreeToEntryRequestObject) (gen.AgreeToEntryResponseObject, error) {
	changed, err := a.asMember(ctx, r.TournamentID, r.EntryID, a.Tournaments.Agree)
	return gen.AgreeToEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// DeclineEntry notes that a player does not want to be in a team that another account entered.
func (a *API) DeclineEntry(ctx context.Context, r gen.DeclineEntryRequestObject) (gen.DeclineEntryResponseObject, error) {
	changed, err := a.asMember(ctx, r.TournamentID, r.EntryID, a.Tournaments.Decline)
	return gen.DeclineEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// asMember carries out what a member of an entry alone may do. The organiser confirms or withdraws an entry instead.
func (a *API) asMember(ctx context.Context, id, entry string,
	do func(ctx context.Context, id, entry, player string, o director.Order) (*tournament.Tournament, error),
) (gen.EntryChangedJSONResponse, error) {
	var none gen.EntryChangedJSONResponse
	t, err := a.visible(ctx, id)
	if err != nil {
		return none, err
	}
	e, err := command.Entry(t, entry)
	if err != nil {
		return none, err
	}
	who := auth.From(ctx)
	if err := who.Demand(who.LevelIn(t), auth.EnterTournament); err != nil {
		return none, err
	}
	if who.PlayerID == "" || !slices.Contains(e.Members, who.PlayerID) {
		return none, fmt.Errorf("%w: only members of this entry answer for themselves", auth.ErrRole)
	}
	if t, err = do(ctx, id, entry, who.PlayerID, order(ctx)); err != nil {
		return none, err
	}
	return a.entryAnswer(ctx, t, entry)
}
