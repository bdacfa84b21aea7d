package command

import (
	"context"
	"errors"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/series"
)

// SeasonStamp returns the settings of a season, and a text that changes whenever [Service.SeasonTable] may compute
// something else for the same reader: the versions of the season, of its parts and of their tournaments, as far as the
// reader sees them. Players' names are not in it, see [Service.NamesEpoch].
func (s *Service) SeasonStamp(ctx context.Context, id string) (settings series.Season, stamp string, err error) {
	if settings, err = s.Seasons.Season(ctx, id); err != nil {
		return settings, "", err
	}
	stamps := []any{settings.ID, settings.CreatedAt, settings.Version}
	for _, part := range settings.Parts {
		of, err := s.partStamp(ctx, part)
		if err != nil && !gone(err) {
			return settings, "", err
		}
		stamps = append(stamps, part.Key(), err != nil, of)
	}
	return settings, Tag(stamps), nil
}

// partStamp returns the versions of a part of a season, and of what the part counts.
func (s *Service) partStamp(ctx context.Context, p series.SeasonPart) ([]any, error) {
	switch p.Kind {
	case series.OfTournament:
		return s.eventStamps(ctx, nil, p.ID)
	case series.OfSeries:
		of, err := s.Seasons.Series(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		ids := make([]string, len(of.Parts))
		for i, part := range of.Parts {
			ids[i] = part.Tournament
		}
		return s.eventStamps(ctx, []any{of.CreatedAt, of.Version}, ids...)
	case series.OfLadder:
		l, err := s.Ladder(ctx, p.ID) // challenges lapse by time alone, so that the order counts
		if err != nil {
			return nil, err
		}
		return []any{l.Name, l.Order(), len(l.Events)}, nil
	}
	settings, plans, err := s.Seasons.League(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	stamp := []any{settings.CreatedAt, settings.Version, SeesDrafts(auth.From(ctx), settings.Organiser)}
	var ids []string
	for _, plan := range plans {
		stamp = append(stamp, plan.Number, plan.Version, plan.Confirmed)
		for _, d := range plan.State.Divisions {
			if d.Tournament != "" {
				ids = append(ids, d.Tournament)
			}
		}
	}
	return s.eventStamps(ctx, stamp, ids...)
}

// eventStamps adds the versions of tournaments to a stamp: the public one or, of a draft that the reader sees, its own.
func (s *Service) eventStamps(ctx context.Context, stamp []any, ids ...string) ([]any, error) {
	for _, id := range ids {
		t, _, err := access.Tournament(ctx, s, id, auth.From(ctx))
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
