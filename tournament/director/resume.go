package director

import (
	"context"
	"errors"

	"quatuor/tournament"
)

// Resume completes what a crash may have interrupted: in every running tournament it opens missing games of published
// rounds, aborts games that were decided by hand, and pairs an automatic round that is due. Then it catches up with
// games finished since.
func (d *Director) Resume(ctx context.Context) error {
	ids, err := d.Store.Running(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := d.repair(ctx, id); err != nil {
			return err
		}
	}
	_, err = d.CatchUp(ctx)
	return err
}

// repair applies all effects of the stored tournament again.
func (d *Director) repair(ctx context.Context, id string) error {
	unlock, err := d.locks.lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	t, err := d.Store.Load(ctx, id)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.applyToGames(ctx, t, touched(tournament.Delta{Rounds: t.Rounds})); err != nil {
		return err
	}
	if !due(t) {
		return nil
	}
	next, delta, err := d.advance(ctx, t)
	if errors.Is(err, tournament.ErrUnpairable) {
		d.Log.Error("a tournament's next round could not be started by itself", "tournament", id, "error", err)
		return nil
	}
	if err == nil && next != nil {
		d.follow(ctx, t, next, delta)
	}
	return err
}
