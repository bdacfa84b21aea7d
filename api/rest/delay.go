package rest

import (
	"context"
	"slices"

	"quatuor/api/access"
	"quatuor/engine/table"
)

// Behind reports whether the client sees a game with its delay.
func (a *API) Behind(ctx context.Context, s *table.Snapshot) (bool, error) {
	return access.Delayed(ctx, a.Tournaments, s.Game)
}

// Lasting is [access.Lasting].
func (a *API) Lasting(ctx context.Context, s *table.Snapshot) func(context.Context) bool {
	return access.Lasting(ctx, a.Tournaments, s.Game)
}

// seen returns a game as the client sees it: live, or delayed.
func (a *API) seen(ctx context.Context, s *table.Snapshot) (*table.Snapshot, error) {
	behind, err := a.Behind(ctx, s)
	if err != nil || !behind {
		return s, err
	}
	past, _, err := s.Spectated(a.Tables.Time().UnixMilli())
	return past, err
}

// look returns a game by id, as the client sees it.
func (a *API) look(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := a.Tables.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	return a.seen(ctx, s)
}

// seenRows returns a list's rows as the client sees the games, filtered by the states that the client sees.
func (a *API) seenRows(ctx context.Context, rows []table.Game, wanted []table.Status) ([]table.Game, error) {
	var out []table.Game
	for _, g := range rows {
		behind, err := access.Delayed(ctx, a.Tournaments, g)
		if err != nil {
			return nil, err
		}
		if behind {
			s, err := a.look(ctx, g.ID)
			if err != nil {
				return nil, err
			}
			g = s.Game
		}
		if len(wanted) == 0 || slices.Contains(wanted, g.Status) {
			out = append(out, g)
		}
	}
	return out, nil
}
