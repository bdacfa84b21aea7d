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

// after executes a command on a tournament, and shows what it is about.
func after[In, Out any](
	ctx context.Context, a *API, do command.Command[In], on command.On, in In,
	show func(context.Context, *tournament.Tournament) (Out, error),
) (out Out, err error) {
	t, err := do.Run(ctx, a.commands, on, in)
	if err != nil {
		return out, err
	}
	return show(ctx, t)
}

// afterAt is after for a command about a board of a round.
func afterAt[In, Out any](
	ctx context.Context, a *API, do command.Command[In], on command.On, in In,
	show func(ctx context.Context, t *tournament.Tournament, round, board int) (Out, error), round, board int,
) (Out, error) {
	return after(ctx, a, do, on, in, func(ctx context.Context, t *tournament.Tournament) (Out, error) {
		return show(ctx, t, round, board)
	})
}

// CreateTournament creates a tournament as a draft.
func (a *API) CreateTournament(ctx context.Context, r gen.CreateTournamentIn) (gen.CreateTournamentOut, error) {
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
	return a.taggedTournament(ctx, t)
}

// GetTournament shows a tournament.
func (a *API) GetTournament(ctx context.Context, r gen.GetTournamentIn) (gen.GetTournamentOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return a.taggedTournament(ctx, t)
}

// UpdateTournament changes a tournament's settings.
func (a *API) UpdateTournament(ctx context.Context, r gen.UpdateTournamentIn) (gen.UpdateTournamentOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return after(ctx, a, command.UpdateSettings, on, *r.Body, a.taggedTournament)
}

// DeleteTournament deletes a tournament that has not started.
func (a *API) DeleteTournament(ctx context.Context, r gen.DeleteTournamentIn) (gen.DeleteTournamentOut, error) {
	return done(command.Delete.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, command.None{}))
}

// runs reports whether the client is on the tournament's staff, and may see unpublished things.
func runs(ctx context.Context, t *tournament.Tournament) bool {
	return access.Staff(auth.From(ctx), t)
}

// taggedTournament returns a tournament as the client sees it.
func (a *API) taggedTournament(ctx context.Context, t *tournament.Tournament) (gen.TaggedTournamentJSON, error) {
	return gen.TaggedTournamentJSON{
		Body:    a.tournamentShown(t, runs(ctx, t)),
		Headers: gen.Tagged{ETag: command.TournamentTag(auth.From(ctx), t)},
	}, nil
}

// tournamentShown returns a tournament for the public or for staff, who also get warnings.
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
func (a *API) ListTournaments(ctx context.Context, r gen.ListTournamentsIn) (gen.ListTournamentsOut, error) {
	p := r.Params
	filter := director.Filter{Variant: valueOf(p.Variant), Player: valueOf(p.Player)}
	if !statusFilter(&filter, auth.From(ctx), p.Status) {
		return gen.ListTournaments200JSON{Body: gen.TournamentList{Items: []gen.TournamentSummary{}}}, nil
	}
	page, next, err := a.TournamentList.List(ctx, filter, pageLength(p.Limit), valueOf(p.Cursor))
	return gen.ListTournaments200JSON{
		Body: gen.TournamentList{Items: each(page, summary), NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

// statusFilter limits a filter to the named stages that the client may see; it reports whether any remain.
func statusFilter(f *director.Filter, who auth.Identity, named *[]gen.TournamentStatus) bool {
	if named == nil {
		f.Status = director.PublicStatuses
		return true
	}
	f.Status = retyped[tournament.Status](*named)
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
