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
) (gen.TournamentChangedJSON, error) {
	t, err := c.Run(ctx, a.commands, command.On{ID: id}, in)
	if err != nil {
		return gen.TournamentChangedJSON{}, err
	}
	return gen.TournamentChangedJSON{
		Body: a.tournamentFor(ctx, t), Headers: gen.TournamentChangedHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// OpenTournament opens the registration.
func (a *API) OpenTournament(ctx context.Context, r gen.OpenTournamentIn) (gen.OpenTournamentOut, error) {
	changed, err := stage(ctx, a, command.Open, r.TournamentID, command.None{})
	return gen.OpenTournament200JSON{TournamentChangedJSON: changed}, err
}

// CloseTournament closes the registration.
func (a *API) CloseTournament(ctx context.Context, r gen.CloseTournamentIn) (gen.CloseTournamentOut, error) {
	changed, err := stage(ctx, a, command.Close, r.TournamentID, command.None{})
	return gen.CloseTournament200JSON{TournamentChangedJSON: changed}, err
}

// StartTournament starts a tournament; its field is final.
func (a *API) StartTournament(ctx context.Context, r gen.StartTournamentIn) (gen.StartTournamentOut, error) {
	changed, err := stage(ctx, a, command.Start, r.TournamentID, command.None{})
	return gen.StartTournament200JSON{TournamentChangedJSON: changed}, err
}

// FinishTournament declares the results final.
func (a *API) FinishTournament(ctx context.Context, r gen.FinishTournamentIn) (gen.FinishTournamentOut, error) {
	changed, err := stage(ctx, a, command.Finish, r.TournamentID, command.None{})
	return gen.FinishTournament200JSON{TournamentChangedJSON: changed}, err
}

// ArchiveTournament archives a finished tournament.
func (a *API) ArchiveTournament(ctx context.Context, r gen.ArchiveTournamentIn) (gen.ArchiveTournamentOut, error) {
	changed, err := stage(ctx, a, command.Archive, r.TournamentID, command.None{})
	return gen.ArchiveTournament200JSON{TournamentChangedJSON: changed}, err
}

// GetArbiters lists a tournament's arbiters.
func (a *API) GetArbiters(ctx context.Context, r gen.GetArbitersIn) (gen.GetArbitersOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	body, err := a.arbiters(ctx, t)
	if err != nil {
		return nil, err
	}
	return gen.GetArbiters200JSON{Body: body, Headers: gen.GetArbiters200Headers{ETag: command.Tag(t.Arbiters)}}, nil
}

// SetArbiters replaces a tournament's arbiters.
func (a *API) SetArbiters(ctx context.Context, r gen.SetArbitersIn) (gen.SetArbitersOut, error) {
	t, err := command.SetArbiters.Run(
		ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.Body.Logins,
	)
	if err != nil {
		return nil, err
	}
	body, err := a.arbiters(ctx, t)
	return gen.SetArbiters200JSON{Body: body, Headers: gen.SetArbiters200Headers{ETag: command.Tag(t.Arbiters)}}, err
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
func (a *API) OpenCheckIn(ctx context.Context, r gen.OpenCheckInIn) (gen.OpenCheckInOut, error) {
	anew := r.Body != nil && valueOf(r.Body.Anew)
	changed, err := stage(ctx, a, command.OpenCheckIn, r.TournamentID, anew)
	return gen.OpenCheckIn200JSON{TournamentChangedJSON: changed}, err
}

// CloseCheckIn closes the check-in.
func (a *API) CloseCheckIn(ctx context.Context, r gen.CloseCheckInIn) (gen.CloseCheckInOut, error) {
	changed, err := stage(ctx, a, command.CloseCheckIn, r.TournamentID, command.None{})
	return gen.CloseCheckIn200JSON{TournamentChangedJSON: changed}, err
}

// CancelCheckIn cancels the check-in.
func (a *API) CancelCheckIn(ctx context.Context, r gen.CancelCheckInIn) (gen.CancelCheckInOut, error) {
	changed, err := stage(ctx, a, command.CancelCheckIn, r.TournamentID, command.None{})
	return gen.CancelCheckIn200JSON{TournamentChangedJSON: changed}, err
}

// CheckIn checks an entry in.
func (a *API) CheckIn(ctx context.Context, r gen.CheckInIn) (gen.CheckInOut, error) {
	in := command.Presence{Entry: r.EntryID, Present: true}
	changed, err := changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
	return gen.CheckIn200JSON{EntryChangedJSON: changed}, err
}

// CheckOut marks an entry as absent.
func (a *API) CheckOut(ctx context.Context, r gen.CheckOutIn) (gen.CheckOutOut, error) {
	in := command.Presence{Entry: r.EntryID, Away: tournament.Bye(valueOf(r.Params.Bye))}
	changed, err := changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
	return gen.CheckOut200JSON{EntryChangedJSON: changed}, err
}
