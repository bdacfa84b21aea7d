package rest

import (
	"context"
	"slices"

	"quatuor/api/access"
	"quatuor/api/gen"
	"quatuor/api/internal/gamejson"
	"quatuor/engine"
	"quatuor/engine/table"
)

// RenderGame returns a game as a viewer may see it, as JSON of the schema Game, with the log lines above since (0 for
// all). Responses and game streams share it.
func (a *API) RenderGame(ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	return a.appendGame(ctx, nil, s, v, since)
}

// appendGame is RenderGame, appended to a buffer.
func (a *API) appendGame(
	ctx context.Context, b []byte, s *table.Snapshot, v engine.Viewer, since int64,
) ([]byte, error) {
	now := a.Tables.Time()
	names, err := a.commands.Names.BySeat(ctx, s.Game.Players, now)
	if err != nil {
		return b, err
	}
	return gamejson.Append(b, s, v, since, gamejson.Facts{Now: now.UnixMilli(), Names: names, Presence: a.Presence})
}

func outcome(o *engine.Outcome) *gen.Outcome {
	if o == nil {
		return nil
	}
	out := &gen.Outcome{Reason: string(o.Reason)}
	if !o.Void() {
		out.Ranks = &o.Ranks
	}
	return out
}

func place(p *table.Place) *gen.GamePlace {
	if p == nil {
		return nil
	}
	return &gen.GamePlace{ID: p.ID, Round: p.Round, Board: p.Board}
}

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
