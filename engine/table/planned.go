package table

import (
	"context"
	"errors"
	"fmt"
)

// The clocks of a tournament's game may start later than it is opened (Game.StartsAt). Until then the game waits, and its
// log says who has come to the board:
//
//	what happens                                    line                                  the game then
//	a player comes to the board (accepts)           accept, one for each of its seats     waits for the others
//	the last one comes                              accept, and start in the same step    runs
//	the time has come                               start, at that time                   runs, whoever is missing
//	an arbiter starts it                            start, with the arbiter's account     runs
//	an arbiter decides the board, or pairs anew     abort                                 is broken off
//
// Only a game that was opened to start sooner than its time waits for players. After the start the row still says who was
// missing (Game.Invited). An outage of the server postpones the time by its length.

// planned reports whether the game starts by itself at a time of its own.
func (s *Snapshot) planned() bool { return s.Game.StartsAt != 0 }

// planned returns what is asked for with a start that is not over yet, and with the seats that the game waits for.
func (t *Tables) planned(w NewGame, seats int) (NewGame, error) {
	if w.Tournament == nil || w.Nonces || w.Invited != 0 {
		return w, fmt.Errorf("%w: only a tournament's game without nonces and invitations can start at a time of its own", ErrSetup)
	}
	w.StartsAt = max(w.StartsAt, t.now()) // it may be opened late, because the server was away
	for seat := int8(1); w.Together && int(seat) <= seats; seat++ {
		w.Invited = w.Invited.With(seat)
	}
	return w, nil
}

// StartPlanned starts a game before its time, by an arbiter, whoever is missing. A game that runs already is left as it
// is. Errors: ErrGameOver, ErrNotStarted for a game that waits for invited players or nonces.
func (t *Tables) StartPlanned(ctx context.Context, a *Arrival, by string) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if d.Game.Status.Over() {
			return ErrGameOver
		}
		return d.start(by, at)
	})
}

// Adjourn stops the clocks of a tournament's game for a cause, before they have started, too.
func (t *Tables) Adjourn(ctx context.Context, a *Arrival, r Ruling, cause string) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		if d.planned() {
			if err := d.start(l.By, l.At); err != nil {
				return err
			}
		}
		l.Kind, l.Text = LinePause, wordedText(cause, l.Text)
		err := d.pause(l)
		if errors.Is(err, ErrNotStarted) {
			return nil
		}
		return err
	})
}
