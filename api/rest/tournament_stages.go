package rest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
)

// command is a step in a tournament's life.
type stageCommand func(ctx context.Context, id string, o director.Order) (*tournament.Tournament, error)

// stage carries out a step for the organiser.
func (a *API) stage(ctx context.Context, id string, do stageCommand) (gen.TournamentChangedJSONResponse, error) {
	return a.staged(ctx, id, auth.RunTournament, do)
}

// staged carries out a step for those who may do the action.
func (a *API) staged(ctx context.Context, id string, action auth.Action, do stageCommand) (gen.TournamentChangedJSONResponse, error) {
	if _, err := a.allowed(ctx, id, action); err != nil {
		return gen.TournamentChangedJSONResponse{}, err
	}
	t, err := do(ctx, id, order(ctx))
	if err != nil {
		return gen.TournamentChangedJSONResponse{}, err
	}
	return gen.TournamentChangedJSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.TournamentChangedResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// OpenTournament lets players register.
func (a *API) OpenTournament(ctx context.Context, r gen.OpenTournamentRequestObject) (gen.OpenTournamentResponseObject, error) {
	changed, err := a.stage(ctx, r.TournamentID, a.Tournaments.Open)
	return gen.OpenTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// CloseTournament ends the registration.
func (a *API) CloseTournament(ctx context.Context, r gen.CloseTournamentRequestObject) (gen.CloseTournamentResponseObject, error) {
	changed, err := a.stage(ctx, r.TournamentID, a.Tournaments.Close)
	return gen.CloseTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// StartTournament fixes the field and begins.
func (a *API) StartTournament(ctx context.Context, r gen.StartTournamentRequestObject) (gen.StartTournamentResponseObject, error) {
	changed, err := a.stage(ctx, r.TournamentID, a.Tournaments.Start)
	return gen.StartTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// FinishTournament declares the results final.
func (a *API) FinishTournament(ctx context.Context, r gen.FinishTournamentRequestObject) (gen.FinishTournamentResponseObject, error) {
	changed, err := a.stage(ctx, r.TournamentID, a.Tournaments.Finish)
	return gen.FinishTournament200JSONResponse{TournamentChangedJSONResponse: changed}, err
}

// ArchiveTournament puts a finished tournament away.
func (a *API) ArchiveTournament(ctx context.Context, r gen.ArchiveTournamentRequestObject) (gen.ArchiveTournamentResponseObject, error) {
	changed, err := a.stage(ctx, r.TournamentID, a.Tournaments.Archive)
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
		Body: body, Headers: gen.GetArbiters200ResponseHeaders{ETag: contentTag(t.Arbiters)},
	}, nil
}

// SetArbiters names a tournament's arbiters.
func (a *API) SetArbiters(ctx context.Context, r gen.SetArbitersRequestObject) (gen.SetArbitersResponseObject, error) {
	var changed *tournament.Tournament
	tags := func(t *tournament.Tournament) ([]string, error) { return []string{contentTag(t.Arbiters)}, nil }
	err := a.guarded(ctx, r.TournamentID, auth.RunTournament, r.Params.IfMatch, tags,
		func(t *tournament.Tournament, o director.Order) error {
			accounts, err := a.accountsOf(ctx, r.Body.Logins)
			if err != nil {
				return err
			}
			changed, err = a.Tournaments.SetArbiters(ctx, t.ID, accounts, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	body, err := a.arbiters(ctx, changed)
	if err != nil {
		return nil, err
	}
	return gen.SetArbiters200JSONResponse{
		Body: body, Headers: gen.SetArbiters200ResponseHeaders{ETag: contentTag(changed.Arbiters)},
	}, nil
}

// accountsOf finds the accounts with these logins.
func (a *API) accountsOf(ctx context.Context, logins []string) ([]string, error) {
	accounts := []string{}
	for i, login := range logins {
		found, err := a.People.AccountByLogin(ctx, strings.ToLower(login))
		if errors.Is(err, account.ErrNotFound) {
			return nil, command.Invalid(fmt.Sprintf("/logins/%d", i), "no account has this login")
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(accounts, found.ID) {
			accounts = append(accounts, found.ID)
		}
	}
	return accounts, nil
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
