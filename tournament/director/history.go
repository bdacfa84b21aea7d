package director

import (
	"cmp"
	"context"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

// note adds an act to the delta of its change, with the text to undo it.
func (d *Director) note(
	ctx context.Context, act tournament.Act, o Order, t *tournament.Tournament, next *tournament.Revision,
) {
	delta := &next.Delta
	act.Version = next.Version
	act.By = o.By
	act.At = d.now()
	if act.Round == 0 && len(next.Rounds) > 0 && len(delta.Rounds) > 0 {
		act.Round = len(next.Rounds)
	}
	if len(delta.Changes) > 0 && act.Board > 0 {
		act.Before, act.After = delta.Changes[0].Texts()
	}
	act = naming(act, t, next)
	switch {
	case act.Kind == tournament.ActArchive, act.Kind == tournament.ActUndo, registration.BindsLate(t, *delta):
	default:
		var kept []tournament.PairingInput
		for _, n := range delta.RemovedRounds {
			// A round that was paired before inputs were stored has none, and is restored without.
			if s, err := d.Store.PairingInput(ctx, t.ID, n); err == nil {
				kept = append(kept, s)
			}
		}
		act.Undo = tournament.UndoOf(t, next.Tournament, *delta, kept...)
	}
	delta.Acts = append(delta.Acts, act)
}

// Acts returns the acts on a tournament, and the results of its games, oldest first. The last act has the text to undo
// it, if it can be undone.
func (d *Director) Acts(ctx context.Context, id string) ([]tournament.Act, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	acts, err := d.Store.Acts(ctx, id)
	if err != nil {
		return nil, err
	}
	changes, err := d.Store.History(ctx, id)
	if err != nil {
		return nil, err
	}
	out := acts
	if len(acts) == 0 || acts[0].Kind != tournament.ActImport {
		out = append([]tournament.Act{{Version: 1, Kind: tournament.ActCreate, By: t.Organiser, At: t.CreatedAt}}, acts...)
	}
	for _, c := range changes {
		if c.By == tournament.ServerAccount || c.By == scoring.PlayersAccount {
			out = append(out, c.Act())
		}
	}
	slices.SortStableFunc(out, func(a, b tournament.Act) int { return cmp.Compare(a.At, b.At) })
	return out, nil
}

// Undoable returns the version of the act that can be undone now, 0 if none can.
func (d *Director) Undoable(t *tournament.Tournament, acts []tournament.Act) int64 {
	last := lastUndo(acts)
	if last == nil {
		return 0
	}
	if _, err := t.Undo(last.Undo, d.NewID, "", 0); err != nil {
		return 0
	}
	return last.Version
}

func lastUndo(acts []tournament.Act) *tournament.Act {
	for i := len(acts) - 1; i >= 0; i-- {
		if acts[i].Undo != "" {
			return &acts[i]
		}
	}
	return nil
}

// takenBack is the reason for aborting games that an act leaves without a pairing.
var takenBack = sentence.Fixed("the pairing was taken back")

// Undo undoes the last act, provided that it led to the given version. Games that the act opened are aborted. It
// returns an error if a player has moved in any of them, or if later changes depend on the act.
func (d *Director) Undo(ctx context.Context, id string, version int64, o Order) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActUndo}
	return d.Do(ctx, id, Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		acts, err := d.Store.Acts(ctx, id)
		if err != nil {
			return nil, err
		}
		last := lastUndo(acts)
		if last == nil || last.Version != version {
			return nil, tournament.NotNow("act %d is not the last one that can be taken back", version)
		}
		do.entry.Round = last.Round
		do.entry.Board = last.Board
		do.entry.Entry = last.Entry
		*do.entry = do.entry.Undoing(*last)
		next, err := t.Undo(last.Undo, d.NewID, o.By, d.now())
		return do.abort(t, next, err, takenBack)
	}}, o)
}

// abort aborts the games that an act leaves without a pairing, unless any of them has begun, and returns the act's
// result.
func (do doing) abort(
	t *tournament.Tournament, next *tournament.Revision, err error, why sentence.Sentence,
) (*tournament.Revision, error) {
	if err != nil {
		return nil, err
	}
	kept := make(map[string]bool)
	for _, r := range next.Rounds {
		for _, p := range r.Pairings {
			for game := range p.GameResults() {
				kept[game] = true
			}
		}
	}
	var gone []string
	notBegun := do.notBegun(do.ctx)
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			for game, result := range p.GameResults() {
				if kept[game] {
					continue
				}
				if result == nil {
					if err := notBegun(game); err != nil {
						return nil, tournament.Refuse(err, "board %d", p.Board)
					}
				}
				gone = append(gone, game)
			}
		}
	}
	slices.Sort(gone)
	for _, game := range gone {
		if err := do.Tables.Abort(do.ctx, game, why); err != nil {
			return nil, err
		}
	}
	return next, nil
}
