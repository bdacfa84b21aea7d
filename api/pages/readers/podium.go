package readers

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// place is an entry at a rank.
type place struct {
	Rank   int
	Entry  tournament.Entry
	Points tournament.Points
}

// podium returns the first entries of a tournament's standings.
func (p *Pages) podium(ctx context.Context, id string) ([]place, error) {
	t, err := p.Tournaments.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.podiums.Load(podiumKey{id, t.Version}, func() ([]place, error) {
		table, err := standings.After(t, 0)
		if err != nil {
			return nil, err
		}
		places := make([]place, 0, homePlaces)
		for _, row := range table.Rows[:min(homePlaces, len(table.Rows))] {
			places = append(places, place{row.Rank, row.Entry, row.Points})
		}
		return places, nil
	})
}

// podiumKey is the cache key of a tournament's first places.
type podiumKey struct {
	id      string
	version int64
}
