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
) (gen.TaggedTournamentJSON, error) {
	return after(ctx, a, c, command.On{ID: id}, in, a.taggedTournament)
}

// OpenTournament opens the registration.
func (a *API) OpenTournament(ctx context.Context, r gen.OpenTournamentIn) (gen.OpenTournamentOut, error) {
	return stage(ctx, a, command.Open, r.TournamentID, command.None{})
}

// CloseTournament closes the registration.
func (a *API) CloseTournament(ctx context.Context, r gen.CloseTournamentIn) (gen.CloseTournamentOut, error) {
	return stage(ctx, a, command.Close, r.TournamentID, command.None{})
}

// StartTournament starts a tournament; its field is final.
func (a *API) StartTournament(ctx context.Context, r gen.StartTournamentIn) (gen.StartTournamentOut, error) {
	return stage(ctx, a, command.Start, r.TournamentID, command.None{})
}

// FinishTournament declares the results final.
func (a *API) FinishTournament(ctx context.Context, r gen.FinishTournamentIn) (gen.FinishTournamentOut, error) {
	return stage(ctx, a, command.Finish, r.TournamentID, command.None{})
}

// ArchiveTournament archives a finished tournament.
func (a *API) ArchiveTournament(ctx context.Context, r gen.ArchiveTournamentIn) (gen.ArchiveTournamentOut, error) {
	return stage(ctx, a, command.Archive, r.TournamentID, command.None{})
}

// GetArbiters lists a tournament's arbiters.
func (a *API) GetArbiters(ctx context.Context, r gen.GetArbitersIn) (gen.GetArbitersOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	return a.arbiters(ctx, t)
}

// SetArbiters replaces a tournament's arbiters.
func (a *API) SetArbiters(ctx context.Context, r gen.SetArbitersIn) (gen.SetArbitersOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return after(ctx, a, command.SetArbiters, on, r.Body.Logins, a.arbiters)
}

func (a *API) arbiters(ctx context.Context, t *tournament.Tournament) (gen.TaggedArbitersJSON, error) {
	body := gen.Arbiters{Items: []gen.Arbiter{}}
	for _, id := range t.Arbiters {
		found, err := a.People.Account(ctx, id)
		if err != nil {
			return gen.TaggedArbitersJSON{}, err
		}
		body.Items = append(body.Items, gen.Arbiter{AccountID: id, Login: found.Login})
	}
	return gen.TaggedArbitersJSON{Body: body, Headers: gen.Tagged{ETag: command.Tag(t.Arbiters)}}, nil
}

// OpenCheckIn opens the check-in.
func (a *API) OpenCheckIn(ctx context.Context, r gen.OpenCheckInIn) (gen.OpenCheckInOut, error) {
	anew := r.Body != nil && valueOf(r.Body.Anew)
	return stage(ctx, a, command.OpenCheckIn, r.TournamentID, anew)
}

// CloseCheckIn closes the check-in.
func (a *API) CloseCheckIn(ctx context.Context, r gen.CloseCheckInIn) (gen.CloseCheckInOut, error) {
	return stage(ctx, a, command.CloseCheckIn, r.TournamentID, command.None{})
}

// CancelCheckIn cancels the check-in.
func (a *API) CancelCheckIn(ctx context.Context, r gen.CancelCheckInIn) (gen.CancelCheckInOut, error) {
	return stage(ctx, a, command.CancelCheckIn, r.TournamentID, command.None{})
}

// CheckIn checks an entry in.
func (a *API) CheckIn(ctx context.Context, r gen.CheckInIn) (gen.CheckInOut, error) {
	in := command.Presence{Entry: r.EntryID, Present: true}
	return changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
}

// CheckOut marks an entry as absent.
func (a *API) CheckOut(ctx context.Context, r gen.CheckOutIn) (gen.CheckOutOut, error) {
	in := command.Presence{Entry: r.EntryID, Away: tournament.Bye(valueOf(r.Params.Bye))}
	return changeEntry(ctx, a, command.SetPresence, command.On{ID: r.TournamentID}, r.EntryID, in)
}
