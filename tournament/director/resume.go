package director

import (
	"context"
	"errors"

	"quatuor/tournament"
)

// Resume carries through what a crash may have interrupted: in every running tournament the games of published rounds
// are opened if they are not there, games decided by hand broken off, and a round that comes by itself is paired.
// Then it takes the games that have finished meanwhile.
func (d *Director) Resume(ctx context.Context) error {
	ids, err := d.Store.Running(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := d.mend(ctx, id); err != nil {
			return err
		}
	}
	_, err = d.Catch(ctx)
	return err
}

// mend repeats every step that the stored tournament asks for.
func (d *Director) mend(ctx context.Context, id string) error {
	leave, err := d.turns.enter(ctx, id)
	if err != nil {
		return err
	}
	defer leave()
	t, err := d.Store.Load(ctx, id)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.carryOut(ctx, t, touched(tournament.Delta{Rounds: t.Rounds})); err != nil {
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
	if err != nil || next == nil {
		return err
	}
	d.follow(ctx, t, next, delta)
	return nil
}
