package director

import (
	"context"

	"quatuor/tournament"
)

// Act is an operation on a tournament, with its entry in the history.
type Act struct {
	entry tournament.Act // in the history
	step  step
}

// step judges an act on the stored tournament, and returns the tournament after it. It must be repeatable: it is called
// again if another process was faster.
type step func(doing, *tournament.Tournament) (*tournament.Revision, error)

// doing is the context of an act while it is carried out.
type doing struct {
	*Director
	Order
	ctx   context.Context //nolint:containedctx // an act is as short as a request
	entry *tournament.Act // a step may add to it
}

// Do carries out an act: it judges, stores, then applies the effects. It returns the tournament as stored; effects that
// fail (a game that is not opened) are not an error and repeated later. The act is added to the history.
func (d *Director) Do(ctx context.Context, id string, act Act, o Order) (*tournament.Tournament, error) {
	entry := act.entry
	do := doing{d, o, ctx, &entry}
	op := func(t *tournament.Tournament) (*tournament.Revision, error) { return act.step(do, t) }
	return d.apply(ctx, id, o, op, &entry)
}

// editing returns the parameters of a change of pairings.
func (do doing) editing() tournament.Editing {
	return tournament.Editing{Begun: do.notBegun(do.ctx), NewGame: do.NewID, By: do.By, At: do.now()}
}

// operation is an operation of package tournament.
type operation func(*tournament.Tournament) (*tournament.Revision, error)

// plain returns an act with a single operation.
func plain(kind tournament.ActKind, op operation) Act { return plainOf(kind, "", op) }

// plainOf is plain for an act on an entry.
func plainOf(kind tournament.ActKind, entry string, op operation) Act {
	step := func(_ doing, t *tournament.Tournament) (*tournament.Revision, error) { return op(t) }
	return Act{tournament.Act{Kind: kind, Entry: entry}, step}
}

// with binds the value of an operation.
func with[T any](op func(*tournament.Tournament, T) (*tournament.Revision, error), value T) operation {
	return func(t *tournament.Tournament) (*tournament.Revision, error) { return op(t, value) }
}

// with2 is with for two values.
func with2[T, U any](op func(*tournament.Tournament, T, U) (*tournament.Revision, error), a T, b U) operation {
	return func(t *tournament.Tournament) (*tournament.Revision, error) { return op(t, a, b) }
}
