package season

import (
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/series"
)

// Series is a series with the tournaments that its viewer may see, and the standings.
type Series struct {
	series.Settings
	Events    []*tournament.Tournament // parallel to Parts, which has no hidden or deleted tournaments
	Series    series.Series
	Standings []series.Standing
	Names     map[string]string // of the players
}

// Series computes the standings of a series from the tournaments that exist and that the viewer may see.
func (r Reading) Series(ctx context.Context, id string) (s Series, err error) {
	if s.Settings, err = r.Store.Series(ctx, id); err != nil {
		return s, err
	}
	s.Series.Rules = s.Rules
	var parts []series.Part
	for _, part := range s.Parts {
		event, err := r.viewer.Tournament(ctx, part.Tournament)
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return s, err
		}
		event = event.Public()
		counted, err := series.EventOf(event, part.Factor)
		if err != nil {
			return s, err
		}
		parts = append(parts, part)
		s.Events = append(s.Events, event)
		s.Series.Events = append(s.Series.Events, counted)
	}
	s.Parts = parts
	if s.Standings, err = s.Series.Standings(); err != nil {
		return s, err
	}
	s.Names, err = r.standingNames(ctx, s.Standings)
	return s, err
}
