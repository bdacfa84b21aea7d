package director

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quatuor/tournament"
)

// note writes an act into the delta that carries it out, with the way back.
func (d *Director) note(ctx context.Context, act tournament.Act, o Order, t, next *tournament.Tournament, delta *tournament.Delta) {
	act.Version, act.By, act.At = next.Version, o.By, d.now()
	if act.Round == 0 && len(next.Rounds) > 0 && len(delta.Rounds) > 0 {
		act.Round = len(next.Rounds)
	}
	if len(delta.Changes) > 0 && act.Board > 0 {
		act.Before, act.After = delta.Changes[0].Before.Text(), delta.Changes[0].After.Text()
	}
	switch act.Kind {
	case tournament.ActArchive, tournament.ActUndo:
	default:
		var kept []tournament.PairingInput
		for _, n := range delta.RemovedRounds {
			// A round that was drawn up before these were kept has none, and comes back without.
			if s, err := d.Store.PairingInput(ctx, t.ID, n); err == nil {
				kept = append(kept, s)
			}
		}
		act.Undo = tournament.UndoOf(t, next, *delta, kept...)
	}
	delta.Acts = append(delta.Acts, act)
}

// Acts lists everything that was done with a tournament, oldest first, and the results that its games gave. The last act
// has the way back with it, if there is one.
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
		if c.By == tournament.ServerAccount {
			out = append(out, c.Act())
		}
	}
	slices.SortStableFunc(out, func(a, b tournament.Act) int { return cmp.Compare(a.At, b.At) })
	return out, nil
}

// Undoable gives the version of the act that can be taken back now, 0 if none can.
func (d *Director) Undoable(t *tournament.Tournament, acts []tournament.Act) int64 {
	last := lastUndo(acts)
	if last == nil {
		return 0
	}
	if _, _, err := t.Undo(last.Undo, d.NewID, "", 0); err != nil {
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

// Undo takes back the last act, which must be the one that led to the given version. Games that the act opened are
// broken off, if nobody has moved in them; it is refused otherwise, and if something was built on the act since.
func (d *Director) Undo(ctx context.Context, id string, version int64, o Order) (*tournament.Tournament, error) {
	act, err := d.undoing(ctx, id, version)
	if err != nil {
		return nil, err
	}
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		acts, err := d.Store.Acts(ctx, id)
		if err != nil {
			return nil, tournament.Delta{}, err
		}
		last := lastUndo(acts)
		if last == nil || last.Version != version {
			return nil, tournament.Delta{}, tournament.Refuse(tournament.ErrState, "act %d is not the last one that can be taken back", version)
		}
		next, delta, err := t.Undo(last.Undo, d.NewID, o.By, d.now())
		if err != nil {
			return nil, tournament.Delta{}, err
		}
		return next, delta, d.giveUpAll(ctx, t, next)
	})
}

// undoing is the act of taking another one back, which says what it was about.
func (d *Director) undoing(ctx context.Context, id string, version int64) (tournament.Act, error) {
	out := tournament.Act{Kind: tournament.ActUndo}
	acts, err := d.Store.Acts(ctx, id)
	if err != nil {
		return out, err
	}
	for _, a := range acts {
		if a.Version == version {
			out.Round, out.Board, out.Entry, out.Why = a.Round, a.Board, a.Entry, fmt.Sprintf("act %d: %s", version, a.Kind)
		}
	}
	return out, nil
}

// giveUpAll breaks off the games that a step back leaves without a pairing, unless one of them has begun.
func (d *Director) giveUpAll(ctx context.Context, t, next *tournament.Tournament) error {
	kept := gamesOf(next)
	var gone []string
	begun := d.begun(ctx)
	for id, p := range gamesOf(t) {
		if _, stays := kept[id]; stays {
			continue
		}
		if p.Result == nil {
			if err := begun(id); err != nil {
				return tournament.Refuse(err, "board %d", p.Board)
			}
		}
		gone = append(gone, id)
	}
	slices.Sort(gone)
	for _, id := range gone {
		if err := d.Tables.Abort(ctx, id, "the pairing was taken back"); err != nil {
			return err
		}
	}
	return nil
}

func gamesOf(t *tournament.Tournament) map[string]tournament.Pairing {
	out := make(map[string]tournament.Pairing)
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.GameID != "" {
				out[p.GameID] = p
			}
		}
	}
	return out
}
