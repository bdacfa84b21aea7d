package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// SetVenue moves the game of a board to the server or to the hall.
func (a *API) SetVenue(ctx context.Context, r gen.SetVenueRequestObject) (gen.SetVenueResponseObject, error) {
	var changed *tournament.Tournament
	err := a.guarded(ctx, r.TournamentID, auth.EnterResults, ifSent(r.Params.IfMatch), venueTags(r.Round, r.Board),
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.SetVenue(ctx, t.ID, r.Round, r.Board, tournament.Venue(r.Body.Venue), valueOf(r.Body.Reason), o)
			return err
		})
	if err != nil {
		return nil, err
	}
	p, err := changed.Pairing(r.Round, r.Board)
	if err != nil {
		return nil, err
	}
	return gen.SetVenue200JSONResponse{
		Body: pairingView(changed, r.Round, p), Headers: gen.SetVenue200ResponseHeaders{ETag: contentTag(p)},
	}, nil
}

// venueTags returns the tags of a board and of its round, published or not.
func venueTags(n, board int) func(*tournament.Tournament) ([]string, error) {
	return func(t *tournament.Tournament) ([]string, error) {
		p, err := t.Pairing(n, board)
		if err != nil {
			return nil, err
		}
		return []string{contentTag(p), contentTag(t.Rounds[n-1])}, nil
	}
}

// DeleteResult removes a result that was entered by hand.
func (a *API) DeleteResult(ctx context.Context, r gen.DeleteResultRequestObject) (gen.DeleteResultResponseObject, error) {
	var changed *tournament.Tournament
	err := a.guarded(ctx, r.TournamentID, auth.EnterResults, r.Params.IfMatch, boardTags(r.Round, r.Board),
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.ClearResult(ctx, t.ID, r.Round, r.Board, "", o)
			return err
		})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.resultAfter(ctx, changed, r.Round, r.Board)
	return gen.DeleteResult200JSONResponse{Body: body, Headers: gen.DeleteResult200ResponseHeaders{ETag: tag}}, err
}
