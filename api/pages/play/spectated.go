package play

import (
	"context"

	"quatuor/engine/table"
)

// Spectated returns a game as spectators see it.
func (p *Pages) Spectated(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	seen, _, err := s.Spectated(p.Now().UnixMilli())
	return seen, err
}
