package rest

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
)

// visible returns a tournament as the viewer may know it.
func (a *API) visible(ctx context.Context, id string) (*tournament.Tournament, error) {
	t, _, err := a.whole(ctx, id)
	if err != nil {
		return nil, err
	}
	return access.View(auth.From(ctx), t), nil
}

// whole returns a tournament that the viewer may know of with all that is in it, for acting on it; nothing made of it
// may be shown without [access.View].
func (a *API) whole(ctx context.Context, id string) (t *tournament.Tournament, staff bool, err error) {
	return access.Tournament(ctx, a.Tournaments, id, auth.From(ctx))
}

// allowed returns a tournament in which the viewer may do something, with all that is in it.
func (a *API) allowed(ctx context.Context, id string, action auth.Action) (*tournament.Tournament, error) {
	t, _, err := a.whole(ctx, id)
	if err != nil {
		return nil, err
	}
	who := auth.From(ctx)
	return t, who.Demand(who.LevelIn(t), action)
}

// CreateTournament prepares a tournament.
func (a *API) CreateTournament(ctx context.Context, r gen.CreateTournamentRequestObject) (gen.CreateTournamentResponseObject, error) {
	who, b := auth.From(ctx), r.Body
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return nil, err
	}
	s := tournament.Settings{}
	err := a.commands.Apply(&s, gen.TournamentPatch{
		Name: &b.Name, Variant: &b.Variant, Format: &b.Format, Rounds: b.Rounds, TimeControl: &b.TimeControl,
		Options: b.Options, TieBreaks: b.TieBreaks, Points: b.Points, Pairing: b.Pairing, Play: b.Play, Rated: b.Rated, Venue: b.Venue,
		AutoRounds: b.AutoRounds, StartsAt: b.StartsAt,
	})
	if err != nil {
		return nil, err
	}
	t, err := a.commands.Create(ctx, idOf(who, "tournament", r.Params.IdempotencyKey, b), s)
	if err != nil {
		return nil, err
	}
	return gen.CreateTournament201JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.CreateTournament201ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// GetTournament shows a tournament.
func (a *API) GetTournament(ctx context.Context, r gen.GetTournamentRequestObject) (gen.GetTournamentResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return gen.GetTournament200JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.GetTournament200ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// UpdateTournament changes a tournament's settings.
func (a *API) UpdateTournament(ctx context.Context, r gen.UpdateTournamentRequestObject) (gen.UpdateTournamentResponseObject, error) {
	t, err := command.UpdateSettings.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, *r.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateTournament200JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.UpdateTournament200ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// DeleteTournament deletes a tournament that has not started.
func (a *API) DeleteTournament(ctx context.Context, r gen.DeleteTournamentRequestObject) (gen.DeleteTournamentResponseObject, error) {
	_, err := command.Delete.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, command.None{})
	return gen.DeleteTournament204Response{}, err
}

// runs reports whether the asker is one of those who run the tournament, and may see what is not public yet.
func runs(ctx context.Context, t *tournament.Tournament) bool {
	return access.Staff(auth.From(ctx), t)
}

// tournamentFor is a tournament as the asker sees it; for those who run it, with what they should think of.
func (a *API) tournamentFor(ctx context.Context, t *tournament.Tournament) gen.Tournament {
	return a.tournamentShown(t, runs(ctx, t))
}

func (a *API) tournamentShown(t *tournament.Tournament, staff bool) gen.Tournament {
	v := tournamentView(t)
	if staff {
		v.Warnings = warningViews(a.Tournaments.Advice(t))
	}
	return v
}

// tournamentView is a tournament as all who may know of it see it.
func tournamentView(t *tournament.Tournament) gen.Tournament {
	settings := t.Settings()
	settings.Rules.InitialColour = max(t.FirstColour, settings.Rules.InitialColour)
	v := command.SettingsView(settings, false)
	v.ID, v.Status, v.Entries, v.RoundsPaired = t.ID, gen.TournamentStatus(t.Status), len(t.Entries), t.PublishedRounds()
	v.CreatedAt, v.StartedAt, v.FinishedAt = command.Moment(t.CreatedAt), command.OptionalMoment(t.StartedAt), command.OptionalMoment(t.FinishedAt)
	if t.CheckIn != tournament.NoCheckIn {
		stage := gen.TournamentCheckIn(t.CheckIn)
		v.CheckIn = &stage
	}
	// While rounds are still to be drawn, the seed would tell what lots are going to decide.
	if t.Status == tournament.Finished || t.Status == tournament.Archived {
		v.LotSeed = optional(t.LotSeed)
	}
	return v
}
