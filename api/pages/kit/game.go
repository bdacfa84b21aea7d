package kit

import (
	"context"
	"errors"

	"quatuor/engine/table"
)

// GameIfAny returns a game as it is now, nil if there is none.
func (k *Kit) GameIfAny(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := k.Games.Snapshot(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
