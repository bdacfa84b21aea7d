package rest

import (
	"context"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
)

// visible returns a tournament as the viewer may see it.
func (a *API) visible(ctx context.Context, id string) (*tournament.Tournament, error) {
	t, _, err := a.unfiltered(ctx, id)
	if err != nil {
		return nil, err
	}
	return access.View(auth.From(ctx), t), nil
}

// unfiltered returns the unfiltered tournament, for commands, if the viewer may know of it; nothing derived from it may be
// shown without [access.View].
func (a *API) unfiltered(ctx context.Context, id string) (t *tournament.Tournament, staff bool, err error) {
	return access.Tournament(ctx, a.Tournaments, id, auth.From(ctx))
}

// allowed returns the unfiltered tournament if the viewer may take an action in it.
func (a *API) allowed(ctx context.Context, id string, action auth.Action) (*tournament.Tournament, error) {
	t, _, err := a.unfiltered(ctx, id)
	if err != nil {
		return nil, err
	}
	who := auth.From(ctx)
	return t, who.Demand(who.LevelIn(t), action)
}

// CreateTournament creates a tournament as a draft.
func (a *API) CreateTournament(
	ctx context.Context, r gen.CreateTournamentRequestObject,
) (gen.CreateTournamentResponseObject, error) {
	b := r.Body
	in := command.NewTournament{ID: idOf(auth.From(ctx), "tournament", r.Params.IdempotencyKey, b)}
	if err := command.CreateTournament.Check(ctx, a.commands, in); err != nil {
		return nil, err
	}
	err := a.commands.Offer.Apply(&in.Settings, gen.TournamentPatch{
		Name: &b.Name, Variant: &b.Variant, Format: &b.Format, Rounds: b.Rounds, TimeControl: &b.TimeControl,
		Options: b.Options, TieBreaks: b.TieBreaks, Points: b.Points,
		Pairing: b.Pairing, Teams: b.Teams, Play: b.Play, Rated: b.Rated, Venue: b.Venue,
		AutoRounds: b.AutoRounds, StartsAt: b.StartsAt, MaxEntries: b.MaxEntries,
	})
	if err != nil {
		return nil, err
	}
	t, err := command.CreateTournament.Run(ctx, a.commands, in)
	if err != nil {
		return nil, err
	}
	return gen.CreateTournament201JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.CreateTournament201ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// GetTournament shows a tournament.
func (a *API) GetTournament(
	ctx context.Context, r gen.GetTournamentRequestObject,
) (gen.GetTournamentResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return gen.GetTournament200JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.GetTournament200ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// UpdateTournament changes a tournament's settings.
func (a *API) UpdateTournament(
	ctx context.Context, r gen.UpdateTournamentRequestObject,
) (gen.UpdateTournamentResponseObject, error) {
	t, err := command.UpdateSettings.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, *r.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateTournament200JSONResponse{
		Body: a.tournamentFor(ctx, t), Headers: gen.UpdateTournament200ResponseHeaders{ETag: tournamentTag(ctx, t)},
	}, nil
}

// DeleteTournament deletes a tournament that has not started.
func (a *API) DeleteTournament(
	ctx context.Context, r gen.DeleteTournamentRequestObject,
) (gen.DeleteTournamentResponseObject, error) {
	_, err := command.Delete.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, command.None{})
	return gen.DeleteTournament204Response{}, err
}

// runs reports whether the client is on the tournament's staff, and may see unpublished things.
func runs(ctx context.Context, t *tournament.Tournament) bool {
	return access.Staff(auth.From(ctx), t)
}

// tournamentFor returns a tournament as the client sees it; for staff, with warnings.
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

// tournamentView returns a tournament without the parts that depend on the client.
func tournamentView(t *tournament.Tournament) gen.Tournament {
	settings := t.Settings()
	settings.Rules.InitialColour = max(t.FirstColour, settings.Rules.InitialColour)
	v := command.SettingsView(settings, false)
	v.ID = t.ID
	v.Status = gen.TournamentStatus(t.Status)
	v.Entries = len(t.Entries)
	v.RoundsPaired = t.PublishedRounds()
	v.CreatedAt = command.Moment(t.CreatedAt)
	v.StartedAt, v.FinishedAt = command.OptionalMoment(t.StartedAt), command.OptionalMoment(t.FinishedAt)
	if t.CheckIn != tournament.NoCheckIn {
		v.CheckIn = new(gen.TournamentCheckIn(t.CheckIn))
	}
	// While rounds are still to be drawn, the seed would reveal the coming lots.
	if t.Status.Over() {
		v.LotSeed = optional(t.LotSeed)
	}
	return v
}

// ListTournaments lists tournaments, newest first. Drafts are listed only if the filter is for drafts alone, and only
// the viewer's own.
func (a *API) ListTournaments(
	ctx context.Context, r gen.ListTournamentsRequestObject,
) (gen.ListTournamentsResponseObject, error) {
	p := r.Params
	filter := director.Filter{Variant: valueOf(p.Variant), Player: valueOf(p.Player)}
	list := gen.TournamentList{Items: []gen.TournamentSummary{}}
	if statusFilter(&filter, auth.From(ctx), p.Status) {
		page, next, err := a.TournamentList.List(ctx, filter, pageLength(p.Limit), valueOf(p.Cursor))
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			list.Items = append(list.Items, summary(s))
		}
		list.NextCursor = optional(next)
	}
	return gen.ListTournaments200JSONResponse{Body: list, Headers: gen.ListTournaments200ResponseHeaders{
		Link: nextLink("/tournaments", valueOf(list.NextCursor), p.Limit, map[string]string{
			"status": joined(p.Status), "variant": filter.Variant, "player": filter.Player,
		}),
	}}, nil
}

// statusFilter limits a filter to the named stages that the client may see; it reports whether any remain.
func statusFilter(f *director.Filter, who auth.Identity, named *[]gen.TournamentStatus) bool {
	if named == nil {
		f.Status = director.PublicStatuses
		return true
	}
	for _, s := range *named {
		f.Status = append(f.Status, tournament.Status(s))
	}
	if !slices.Contains(f.Status, tournament.Draft) || who.Role == account.RoleAdmin {
		return true
	}
	if len(f.Status) == 1 {
		f.Organiser = who.AccountID
		return !who.Anonymous()
	}
	f.Status = slices.DeleteFunc(f.Status, func(s tournament.Status) bool { return s == tournament.Draft })
	return len(f.Status) > 0
}

func summary(s director.Summary) gen.TournamentSummary {
	return gen.TournamentSummary{
		ID: s.ID, Name: s.Name, Variant: s.Variant, Format: gen.ShownFormat(s.Format), Rounds: optional(s.RoundCount),
		TimeControl: s.TimeControl, Status: gen.TournamentStatus(s.Status), Entries: s.Entries, RoundsPaired: s.Round,
		CreatedAt: command.Moment(s.CreatedAt),
		StartsAt:  command.OptionalMoment(s.StartsAt), StartedAt: command.OptionalMoment(s.StartedAt),
		FinishedAt: command.OptionalMoment(s.FinishedAt),
	}
}
