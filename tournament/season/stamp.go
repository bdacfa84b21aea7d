package season

import (
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/series"
)

// Stamp returns the settings of a season, and values that change whenever [Reading.Season] may compute another table
// for the same viewer: the versions of the season, of its parts and of their tournaments, as far as the viewer sees them.
// Players' names are not among them.
func (r Reading) Stamp(ctx context.Context, id string) (settings series.Season, stamps []any, err error) {
	if settings, err = r.Store.Season(ctx, id); err != nil {
		return settings, nil, err
	}
	stamps = []any{settings.ID, settings.CreatedAt, settings.Version}
	for _, part := range settings.Parts {
		of, err := r.partStamp(ctx, part)
		if err != nil && !Gone(err) {
			return settings, nil, err
		}
		stamps = append(stamps, part.Key(), err != nil, of)
	}
	return settings, stamps, nil
}

// partStamp returns the versions of a part of a season, and of its tournaments.
func (r Reading) partStamp(ctx context.Context, p series.SeasonPart) ([]any, error) {
	switch p.Kind {
	case series.OfTournament:
		return r.eventStamps(ctx, nil, p.ID)
	case series.OfSeries:
		of, err := r.Store.Series(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		ids := make([]string, len(of.Parts))
		for i, part := range of.Parts {
			ids[i] = part.Tournament
		}
		return r.eventStamps(ctx, []any{of.CreatedAt, of.Version}, ids...)
	case series.OfLadder:
		l, err := r.Ladder(ctx, p.ID) // challenges lapse by time alone, so that the order counts
		if err != nil {
			return nil, err
		}
		return []any{l.Name, l.Order(), len(l.Events)}, nil
	}
	settings, plans, err := r.Store.League(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	stamp := []any{settings.CreatedAt, settings.Version, r.viewer.SeesDrafts(settings.Organiser)}
	var ids []string
	for _, plan := range plans {
		stamp = append(stamp, plan.Number, plan.Version, plan.Confirmed)
		for _, d := range plan.State.Divisions {
			if d.Tournament != "" {
				ids = append(ids, d.Tournament)
			}
		}
	}
	return r.eventStamps(ctx, stamp, ids...)
}

// eventStamps adds the versions of tournaments to a stamp: the public version or, of a draft that the viewer sees, its own.
func (r Reading) eventStamps(ctx context.Context, stamp []any, ids ...string) ([]any, error) {
	for _, id := range ids {
		t, err := r.viewer.Tournament(ctx, id)
		switch {
		case errors.Is(err, tournament.ErrNotFound):
			stamp = append(stamp, id, "none")
		case err != nil:
			return nil, err
		case t.Status == tournament.Draft:
			stamp = append(stamp, id, t.CreatedAt, "draft", t.Version)
		default:
			stamp = append(stamp, id, t.CreatedAt, t.PublicVersion)
		}
	}
	return stamp, nil
}
