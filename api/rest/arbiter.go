package rest

import (
	"context"
	"net/http"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// rule executes an arbiter's command on a game.
func rule[In any](ctx context.Context, a *API, do command.Ruling[In], game, reason string, in In) (*gameAnswer, error) {
	s, err := do.Run(ctx, a.commands, a.at(game, nil), reason, in)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK, 0)
}

// PauseGame stops a game's clocks.
func (a *API) PauseGame(ctx context.Context, r gen.PauseGameIn) (gen.PauseGameOut, error) {
	return rule(ctx, a, command.Pause, r.GameID, r.Body.Reason, valueOf(r.Body.Cause))
}

// ResumeGame lets a paused game go on.
func (a *API) ResumeGame(ctx context.Context, r gen.ResumeGameIn) (gen.ResumeGameOut, error) {
	return rule(ctx, a, command.Resume, r.GameID, r.Body.Reason, valueOf(r.Body.Cause))
}

// StartGame starts the clocks of a game before its time.
func (a *API) StartGame(ctx context.Context, r gen.StartGameIn) (gen.StartGameOut, error) {
	return rule(ctx, a, command.StartClocks, r.GameID, "", command.None{})
}

// ChangeClock sets a seat's clock, or adds to it.
func (a *API) ChangeClock(ctx context.Context, r gen.ChangeClockIn) (gen.ChangeClockOut, error) {
	change := table.ClockChange{Seat: r.Body.Seat, Periods: r.Body.Periods}
	switch set, add := r.Body.SetMs, r.Body.AddMs; {
	case (set == nil) == (add == nil):
		return nil, command.Invalid(
			"/set_ms", "give either set_ms, what the clock shows from now on, or add_ms, what is added to it",
		)
	case set != nil:
		change.Ms = *set
	case change.Periods != nil:
		return nil, command.Invalid("/periods", "periods can be sent with set_ms only")
	default:
		change.Add, change.Ms = true, *add
	}
	return rule(ctx, a, command.ChangeClock, r.GameID, r.Body.Reason, change)
}

// AdjudicateGame decides a game.
func (a *API) AdjudicateGame(ctx context.Context, r gen.AdjudicateGameIn) (gen.AdjudicateGameOut, error) {
	return rule(ctx, a, command.Adjudicate, r.GameID, r.Body.Reason, r.Body.Ranks)
}

// ForfeitGame takes a seat out of a game.
func (a *API) ForfeitGame(ctx context.Context, r gen.ForfeitGameIn) (gen.ForfeitGameOut, error) {
	return rule(ctx, a, command.Forfeit, r.GameID, r.Body.Reason, r.Body.Seat)
}

// TakeBackMoves takes back the last moves of a game.
func (a *API) TakeBackMoves(ctx context.Context, r gen.TakeBackMovesIn) (gen.TakeBackMovesOut, error) {
	in := command.Takeback{Turn: r.Body.Turn, Plies: 1}
	command.Set(&in.Plies, r.Body.Plies)
	return rule(ctx, a, command.TakeBack, r.GameID, r.Body.Reason, in)
}
