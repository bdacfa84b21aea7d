package director

import (
	"context"

	"quatuor/tournament"
)

// SetResult enters a result by hand, whatever the server's game says; a game that is still running is broken off, and
// what it may report later changes nothing.
func (d *Director) SetResult(ctx context.Context, id string, round, board int, v tournament.Verdict, why string, o Order) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActResult, Round: round, Board: board, Why: why}
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.SetResult(round, board, v, o.By, why, d.now())
	})
}

// Adjourn notes that a game goes on later; its pairing stays open, and the clocks of the server's game stop until an
// arbiter lets it go on. They are stopped at last: should they not be after a crash, a second order repairs it.
func (d *Director) Adjourn(ctx context.Context, id string, round, board int, note string, o Order) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActAdjourn, Round: round, Board: board, Why: note}
	t, err := d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.Adjourn(round, board, o.By, note, d.now())
	})
	if err != nil {
		return nil, err
	}
	if p, err := t.Pairing(round, board); err == nil && p.Result == nil && p.GameID != "" {
		// A flag that fell before ends the game instead, which waits for its turn here.
		err = d.Tables.Pause(ctx, p.GameID, o.By, "adjourned: "+note)
		return t, err
	}
	return t, nil
}

// PlayAgain has a pairing of the latest round played anew, for instance after its game was broken off. The old game is
// broken off first if it is still running: a second order repairs what a crash leaves behind.
func (d *Director) PlayAgain(ctx context.Context, id string, round, board int, why string, o Order) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActPlayAgain, Round: round, Board: board, Why: why}
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		next, delta, err := t.PlayAgain(round, board, d.NewID(), o.By, why, d.now())
		if err != nil {
			return nil, tournament.Delta{}, err
		}
		if old, _ := t.Pairing(round, board); old.GameID != "" {
			err = d.Tables.Abort(ctx, old.GameID, why)
		}
		return next, delta, err
	})
}
