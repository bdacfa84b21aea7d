package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
)

// SetVenue moves the game of a board to the server or to the hall.
func (a *API) SetVenue(ctx context.Context, r gen.SetVenueRequestObject) (gen.SetVenueResponseObject, error) {
	board := command.Board{Round: r.Round, Board: r.Board, Why: valueOf(r.Body.Reason)}
	t, err := command.SetVenue.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch},
		command.BoardVenue{Board: board, Venue: tournament.Venue(r.Body.Venue)})
	if err != nil {
		return nil, err
	}
	p, err := t.Pairing(r.Round, r.Board)
	if err != nil {
		return nil, err
	}
	return gen.SetVenue200JSONResponse{
		Body: pairingView(t, r.Round, p), Headers: gen.SetVenue200ResponseHeaders{ETag: command.Tag(p)},
	}, nil
}

// DeleteResult removes a result that was entered by hand.
func (a *API) DeleteResult(
	ctx context.Context, r gen.DeleteResultRequestObject,
) (gen.DeleteResultResponseObject, error) {
	t, err := command.ClearResult.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch},
		command.Board{Round: r.Round, Board: r.Board})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.resultAfter(ctx, t, r.Round, r.Board)
	return gen.DeleteResult200JSONResponse{Body: body, Headers: gen.DeleteResult200ResponseHeaders{ETag: tag}}, err
}
