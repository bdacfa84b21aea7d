package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
)

// stage executes a command that changes a tournament's stage.
func stage[In any](
	ctx context.Context, a *API, c command.Command[In], id string, in In,
) (gen.TournamentChangedJSONResponse, error) {
	t, err := c.Run(ctx, a.commands, command.On{ID: id}, in)
	if err != nil {
		return gen.TournamentChangedJSONResponse{}, err
	}
	return gen.TournamentChangedJSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.TournamentChangedResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// OpenTournament opens the registration.
func (a *API) OpenTournament(
	ctx context.Context, r gen.OpenTournamentRequestObject,
) (gen.OpenTournamentResponseObject, error) {
	changed, err := stage(ctx, a, command.Open, r.TournamentID, command.None{})
	return gen.OpenTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CloseTournament closes the registration.
func (a *API) CloseTournament(
	ctx context.Context, r gen.CloseTournamentRequestObject,
) (gen.CloseTournamentResponseObject, error) {
	changed, err := stage(ctx, a, command.Close, r.TournamentID, command.None{})
	return gen.CloseTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// StartTournament starts a tournament; its field is final.
func (a *API) StartTournament(
	ctx context.Context, r gen.StartTournamentRequestObject,
) (gen.StartTournamentResponseObject, error) {
	changed, err := stage(ctx, a, command.Start, r.TournamentID, command.None{})
	return gen.StartTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// FinishTournament declares the results final.
func (a *API) FinishTournament(
	ctx context.Context, r gen.FinishTournamentRequestObject,
) (gen.FinishTournamentResponseObject, error) {
	changed, err := stage(ctx, a, command.Finish, r.TournamentID, command.None{})
	return gen.FinishTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// ArchiveTournament archives a finished tournament.
func (a *API) ArchiveTournament(
	ctx context.Context, r gen.ArchiveTournamentRequestObject,
) (gen.ArchiveTournamentResponseObject, error) {
	changed, err := stage(ctx, a, command.Archive, r.TournamentID, command.None{})
	return gen.ArchiveTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// GetArbiters lists a tournament's arbiters.
func (a *API) GetArbiters(ctx context.Context, r gen.GetArbitersRequestObject) (gen.GetArbitersResponseObject, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	body, err := a.arbiters(ctx, t)
	if err != nil {
		return nil, err
	}
	return gen.GetArbiters200JSONResponse{
		Body: body, Headers: gen.GetArbiters200ResponseHeaders{ETag: command.Tag(t.Arbiters)},
	}, nil
}

// SetArbiters replaces a tournament's arbiters.
func (a *API) SetArbiters(ctx context.Context, r gen.SetArbitersRequestObject) (gen.SetArbitersResponseObject, error) {
	t, err := command.SetArbiters.Run(
		ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.Body.Logins,
	)
	if err != nil {
		return nil, err
	}
	body, err := a.arbiters(ctx, t)
	return gen.SetArbiters200JSONResponse{
		Body: body, Headers: gen.SetArbiters200ResponseHeaders{ETag: command.Tag(t.Arbiters)},
	}, err
}

func (a *API) arbiters(ctx context.Context, t *tournament.Tournament) (gen.Arbiters, error) {
	body := gen.Arbiters{Items: []gen.Arbiter{}}
	for _, id := range t.Arbiters {
		found, err := a.People.Account(ctx, id)
		if err != nil {
			return body, err
		}
		body.Items = append(body.Items, gen.Arbiter{AccountID: id, Login: found.Login})
	}
	return body, nil
}

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
