package pages

import (
	"context"

	"quatuor/engine/table"
)

// spectated returns a game as spectators see it.
func (p *Pages) spectated(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	seen, _, err := s.Spectated(p.Now().UnixMilli())
	return seen, err
}
