package rest

import (
	"context"
	"net/http"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// VisitPauseGameResponse writes the answer, as do its siblings.
func (g *gameAnswer) VisitPauseGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitResumeGameResponse writes the answer.
func (g *gameAnswer) VisitResumeGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitStartGameResponse writes the answer.
func (g *gameAnswer) VisitStartGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitChangeClockResponse writes the answer.
func (g *gameAnswer) VisitChangeClockResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitAdjudicateGameResponse writes the answer.
func (g *gameAnswer) VisitAdjudicateGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitForfeitGameResponse writes the answer.
func (g *gameAnswer) VisitForfeitGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitTakeBackMovesResponse writes the answer.
func (g *gameAnswer) VisitTakeBackMovesResponse(w http.ResponseWriter) error { return g.write(w) }

// rule lets an arbiter act on a game: one who runs its tournament, or an admin where it belongs to none.
func (a *API) rule(
	ctx context.Context, game, reason string, do func(context.Context, *table.Arrival, table.Ruling) (*table.Snapshot, error),
) (*gameAnswer, error) {
	s, err := a.Tables.Snapshot(ctx, game)
	if err != nil {
		return nil, err
	}
	who := auth.From(ctx)
	if err := access.Arbitrate(ctx, a.Tournaments, who, s.Game.Tournament); err != nil {
		return nil, err
	}
	if s, err = do(ctx, a.arrival(ctx, game), table.Ruling{By: who.AccountID, Reason: reason}); err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// PauseGame stops a game's clocks.
func (a *API) PauseGame(ctx context.Context, r gen.PauseGameRequestObject) (gen.PauseGameResponseObject, error) {
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.Pause(ctx, at, ruling, valueOf(r.Body.Cause))
		})
}

// ResumeGame lets a paused game go on.
func (a *API) ResumeGame(ctx context.Context, r gen.ResumeGameRequestObject) (gen.ResumeGameResponseObject, error) {
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.Resume(ctx, at, ruling, valueOf(r.Body.Cause))
		})
}

// StartGame starts the clocks of a game before its time.
func (a *API) StartGame(ctx context.Context, r gen.StartGameRequestObject) (gen.StartGameResponseObject, error) {
	return a.rule(ctx, r.GameID, "",
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.StartPlanned(ctx, at, ruling.By)
		})
}

// ChangeClock sets a seat's clock, or adds to it.
func (a *API) ChangeClock(ctx context.Context, r gen.ChangeClockRequestObject) (gen.ChangeClockResponseObject, error) {
	change := table.ClockChange{Seat: r.Body.Seat, Periods: r.Body.Periods}
	switch set, add := r.Body.SetMs, r.Body.AddMs; {
	case (set == nil) == (add == nil):
		return nil, command.Invalid("/set_ms", "give either set_ms, what the clock shows from now on, or add_ms, what is added to it")
	case set != nil:
		change.Ms = *set
	case change.Periods != nil:
		return nil, command.Invalid("/periods", "periods can be sent with set_ms only")
	default:
		change.Add, change.Ms = true, *add
	}
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.ChangeClock(ctx, at, ruling, change)
		})
}

// AdjudicateGame decides a game.
func (a *API) AdjudicateGame(ctx context.Context, r gen.AdjudicateGameRequestObject) (gen.AdjudicateGameResponseObject, error) {
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.Adjudicate(ctx, at, ruling, r.Body.Ranks)
		})
}

// ForfeitGame takes a seat out of a game.
func (a *API) ForfeitGame(ctx context.Context, r gen.ForfeitGameRequestObject) (gen.ForfeitGameResponseObject, error) {
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.Forfeit(ctx, at, ruling, r.Body.Seat)
		})
}

// TakeBackMoves takes back the last moves of a game.
func (a *API) TakeBackMoves(ctx context.Context, r gen.TakeBackMovesRequestObject) (gen.TakeBackMovesResponseObject, error) {
	plies := 1
	if r.Body.Plies != nil {
		plies = *r.Body.Plies
	}
	return a.rule(ctx, r.GameID, r.Body.Reason,
		func(ctx context.Context, at *table.Arrival, ruling table.Ruling) (*table.Snapshot, error) {
			return a.Tables.TakeBack(ctx, at, ruling, r.Body.Turn, plies)
		})
}
