package rest

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/table"
)

// Behind reports whether whoever asks sees a game with its delay: everybody does but its players, those who run its
// tournament, and admins.
func (a *API) Behind(ctx context.Context, s *table.Snapshot) (bool, error) {
	return a.behind(ctx, s.Game)
}

func (a *API) behind(ctx context.Context, g table.Game) (bool, error) {
	if !g.Delayed() {
		return false, nil
	}
	if player := auth.From(ctx).PlayerID; player != "" && slices.Contains(g.Players, player) {
		return false, nil
	}
	who, level, err := a.levelAt(ctx, g.Tournament)
	return !who.Can(level, auth.SeeDrafts), err
}

// seen gives a game as whoever asks sees it: as it stands, or as it stood.
func (a *API) seen(ctx context.Context, s *table.Snapshot) (*table.Snapshot, error) {
	behind, err := a.behind(ctx, s.Game)
	if err != nil || !behind {
		return s, err
	}
	past, _, err := s.Spectated(a.Now().UnixMilli())
	return past, err
}

// look gives a game as whoever asks sees it, by its id.
func (a *API) look(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := a.Tables.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	return a.seen(ctx, s)
}

// seenRows gives the rows of a list as whoever asks sees the games, those alone that are seen in one of the states asked
// for.
func (a *API) seenRows(ctx context.Context, rows []table.Game, wanted []table.Status) ([]table.Game, error) {
	var out []table.Game
	for _, g := range rows {
		behind, err := a.behind(ctx, g)
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
