package play

import (
	"context"

	"quatuor/engine/table"
)

// Spectated returns a game as spectators see it, and when they will see more of it without a further move.
func (p *Pages) Spectated(ctx context.Context, id string) (seen *table.Snapshot, next int64, err error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	return s.Spectated(p.Now().UnixMilli())
}
