package director

import (
	"context"
	"errors"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/team"
)

// batch is the maximum number of finished games that are fetched at a time.
const batch = 64

// CatchUp records the tournament games that have finished since the last call, of this or another director, and returns
// the number of games that it took from the outbox. Each counts once: result and cursor are stored in the same
// transaction. A game that no pairing awaits (an arbiter was faster, or the tournament was deleted) only moves the
// cursor. Before that CatchUp repairs tournaments with failed effects; a failure there does not stop it and is part of
// the error.
func (d *Director) CatchUp(ctx context.Context) (taken int, err error) {
	failed := d.Repair(ctx)
	select {
	case d.catchingUp <- struct{}{}:
		defer func() { <-d.catchingUp }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	taken, err = d.takeAll(ctx)
	return taken, errors.Join(failed, err)
}

// Repair repairs tournaments with failed effects of this director's changes.
func (d *Director) Repair(ctx context.Context) error {
	var failed []error
	for _, id := range d.takePendingRepair() {
		if err := d.repair(ctx, id); err != nil {
			d.repairLater(id)
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (d *Director) takeAll(ctx context.Context) (taken int, err error) {
	for {
		games, err := d.Store.Pending(ctx, batch)
		if err != nil {
			return taken, err
		}
		for _, g := range games {
			if err := d.recordResult(ctx, g); err != nil {
				return taken, err
			}
			taken++
		}
		if len(games) < batch {
			return taken, nil
		}
	}
}

// recordResult stores the result of a finished game in its tournament, together with the cursor.
func (d *Director) recordResult(ctx context.Context, g Finished) error {
	unlock, err := d.locks.lock(ctx, g.TournamentID)
	if err != nil {
		return err
	}
	defer unlock()
	for range tries {
		t, err := d.Store.Load(ctx, g.TournamentID)
		if errors.Is(err, tournament.ErrNotFound) {
			return d.Store.RecordResult(ctx, g.Seq, nil, 0, tournament.Delta{})
		}
		if err != nil {
			return err
		}
		next, err := d.result(ctx, t, g)
		if err != nil {
			// Trying again would not help; the pairing stays open for the arbiter.
			d.Log.Error("a finished game does not fit its pairing and is left out",
				"tournament", g.TournamentID, "game", g.GameID, "error", err)
		}
		if err != nil || next.Tournament == t {
			return d.Store.RecordResult(ctx, g.Seq, nil, 0, tournament.Delta{})
		}
		next.Succeed(t)
		err = d.Store.RecordResult(ctx, g.Seq, next.Tournament, t.Version, next.Delta)
		if errors.Is(err, tournament.ErrStale) {
			continue
		}
		if err != nil {
			d.repairLater(t.ID) // it may have been stored in spite of the error
			return err
		}
		return d.afterRecord(context.WithoutCancel(ctx), t, next)
	}
	return tournament.ErrStale
}

// result returns the tournament with the result of a finished game; t itself if it changes nothing.
func (d *Director) result(ctx context.Context, t *tournament.Tournament, g Finished) (*tournament.Revision, error) {
	switch {
	case !scoring.Awaits(t, g.Round, g.Board, g.GameID):
		return t.Unchanged()
	case t.Format.Continuous():
		return d.arenaOver(ctx, t, g)
	case t.Teams != nil:
		end := team.End{Game: g.GameID, Ranks: g.Ranks, Aborted: g.Aborted, Plies: g.Plies, Reason: g.Reason, At: g.At}
		return team.GameOver(t, g.Round, g.Board, end, d.NewID)
	case g.Aborted:
		return scoring.GameAborted(t, g.Round, g.Board, g.Reason, g.At)
	case g.Ranks == nil:
		return scoring.GameVoid(t, g.Round, g.Board, d.NewID(), g.Reason, g.At)
	}
	if absent := absentFrom(t, g); absent != nil {
		return scoring.TableOver(t, g.Round, g.Board, g.Ranks, absent, g.Reason, g.At)
	}
	return scoring.GameOver(t, g.Round, g.Board, g.Ranks, g.Plies, d.NewID(), g.Reason, g.At)
}

// absentFrom returns the seats, from 1, of a table of more than two that left a game before their first move; nil for
// none and for games of two. Partners count if they had not moved when their game was decided without play: the arbiter
// decides.
func absentFrom(t *tournament.Tournament, g Finished) []int {
	p, err := t.Pairing(g.Round, g.Board)
	if err != nil || len(p.Seats) < 3 || len(p.Seats) != len(g.Moved) || len(g.Moved) != len(g.Ranks) {
		return nil
	}
	var out []int
	for i, moved := range g.Moved {
		if !moved && (g.Ranks[i] > 1 || t.Rules.Tables.Rotate && g.Plies < len(p.Seats)) {
			out = append(out, i+1)
		}
	}
	return out
}

// afterRecord applies the effects of a result. If another process has recorded the same game first, the store has
// changed nothing and has other ids than those chosen here. So the stored tournament is read before a game is opened or
// a round paired.
func (d *Director) afterRecord(ctx context.Context, from *tournament.Tournament, next *tournament.Revision) error {
	if due(next.Tournament) || opens(next.Delta) {
		stored, err := d.Store.Load(ctx, next.ID)
		if err != nil {
			d.repairLater(next.ID)
			return err
		}
		next = asStored(stored, next.Delta)
	}
	d.follow(ctx, from, next)
	return nil
}

func opens(delta tournament.Delta) bool {
	return slices.ContainsFunc(touched(delta), func(p tournament.RoundPairing) bool {
		return p.Pairing.Result == nil && (p.Pairing.GameID != "" || p.Pairing.Boards != nil)
	})
}

// asStored returns a stored tournament after a change, with the stored pairings.
func asStored(t *tournament.Tournament, delta tournament.Delta) *tournament.Revision {
	out := tournament.Delta{Changes: delta.Changes}
	for _, p := range touched(delta) {
		if stored, err := t.Pairing(p.Round, p.Pairing.Board); err == nil {
			out.Pairings = append(out.Pairings, tournament.RoundPairing{Round: p.Round, Pairing: stored})
		}
	}
	return &tournament.Revision{Tournament: t, Delta: out}
}

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
	next, err := d.advance(ctx, t)
	if errors.Is(err, tournament.ErrUnpairable) {
		d.Log.Error("a tournament's next round could not be started by itself", "tournament", id, "error", err)
		return nil
	}
	if err == nil && next != nil {
		d.follow(ctx, t, next)
	}
	return err
}
