package director

import (
	"context"
	"errors"

	"quatuor/tournament"
)

// batch is how many finished games are fetched at a time.
const batch = 64

// Catch takes the tournament games that have finished since the last call, by whichever director, and gives how many
// it took from the outbox. Each counts once: the result is stored in one transaction with the cursor. A game that
// fits no pairing (an arbiter was faster, or the tournament is gone) only moves the cursor. Before that it repeats
// what is owed; a failure there holds nothing up and is part of the error.
func (d *Director) Catch(ctx context.Context) (taken int, err error) {
	var owed []error
	for _, id := range d.owed() {
		if err := d.mend(ctx, id); err != nil {
			d.owe(id)
			owed = append(owed, err)
		}
	}
	select {
	case d.catch <- struct{}{}:
		defer func() { <-d.catch }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	taken, err = d.takeAll(ctx)
	return taken, errors.Join(append(owed, err)...)
}

func (d *Director) takeAll(ctx context.Context) (taken int, err error) {
	for {
		games, err := d.Store.Pending(ctx, batch)
		if err != nil {
			return taken, err
		}
		for _, g := range games {
			if err := d.settle(ctx, g); err != nil {
				return taken, err
			}
			taken++
		}
		if len(games) < batch {
			return taken, nil
		}
	}
}

// settle stores what one finished game means for its tournament, and the cursor with it.
func (d *Director) settle(ctx context.Context, g Finished) error {
	leave, err := d.turns.enter(ctx, g.TournamentID)
	if err != nil {
		return err
	}
	defer leave()
	for range tries {
		t, err := d.Store.Load(ctx, g.TournamentID)
		if errors.Is(err, tournament.ErrNotFound) {
			return d.Store.RecordResult(ctx, g.Seq, nil, 0, tournament.Delta{})
		}
		if err != nil {
			return err
		}
		next, delta, err := d.result(t, g)
		if err != nil {
			// Nothing will ever make this game fit; the pairing stays open for the arbiter.
			d.Log.Error("a finished game does not fit its pairing and is left out",
				"tournament", g.TournamentID, "game", g.GameID, "error", err)
			next = t
		}
		if next == t {
			return d.Store.RecordResult(ctx, g.Seq, nil, 0, tournament.Delta{})
		}
		next.Succeed(t, delta)
		for i := range delta.Acts {
			delta.Acts[i].Version = next.Version
		}
		err = d.Store.RecordResult(ctx, g.Seq, next, t.Version, delta)
		if errors.Is(err, tournament.ErrStale) {
			continue
		}
		if err != nil {
			d.owe(t.ID) // the store may have kept it all the same
			return err
		}
		return d.afterSettle(context.WithoutCancel(ctx), t, next, delta)
	}
	return tournament.ErrStale
}

// result judges a finished game; t itself means that it changes nothing.
func (d *Director) result(t *tournament.Tournament, g Finished) (*tournament.Tournament, tournament.Delta, error) {
	switch {
	case !t.Awaits(g.Round, g.Board, g.GameID):
		return t, tournament.Delta{}, nil
	case g.Aborted:
		return t.GameAborted(g.Round, g.Board, g.Reason, g.At)
	case g.Ranks == nil:
		return t.GameVoid(g.Round, g.Board, d.NewID(), g.Reason, g.At)
	}
	return t.GameOver(g.Round, g.Board, g.Ranks, g.Plies, d.NewID(), g.Reason, g.At)
}

// afterSettle does what follows. Settling changes nothing if another process has settled the same game meanwhile; the
// ids chosen here are then not the stored ones, so what is stored is read before a game is opened or a round paired.
func (d *Director) afterSettle(ctx context.Context, from, next *tournament.Tournament, delta tournament.Delta) error {
	if due(next) || opens(delta) {
		stored, err := d.Store.Load(ctx, next.ID)
		if err != nil {
			d.owe(next.ID)
			return err
		}
		next, delta = stored, asStored(stored, delta)
	}
	d.follow(ctx, from, next, delta)
	return nil
}

func opens(delta tournament.Delta) bool {
	for _, p := range touched(delta) {
		if p.Pairing.Result == nil && p.Pairing.GameID != "" {
			return true
		}
	}
	return false
}

// asStored replaces the pairings of a delta by those that are stored.
func asStored(t *tournament.Tournament, delta tournament.Delta) tournament.Delta {
	out := tournament.Delta{Changes: delta.Changes}
	for _, p := range touched(delta) {
		if stored, err := t.Pairing(p.Round, p.Pairing.Board); err == nil {
			out.Pairings = append(out.Pairings, tournament.RoundPairing{Round: p.Round, Pairing: stored})
		}
	}
	return out
}
