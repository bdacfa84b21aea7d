package rest

import (
	"context"

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
