package table

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// RematchOf gives the id that the rematch of a game has, if there is one: each game has one at most.
func RematchOf(id string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("rematch of "+id)).String()
}

// Rematch offers the other player of a finished duel to play again with the seats exchanged, or accepts that offer: the
// first to ask makes a game that waits, the second starts it. Both may ask at the same time, and more than once; it is the
// same game. One that was broken off before it began was declined, and stays so. by is the account that asks for one of
// the game's players, which is the caller's to check. Errors: ErrNotOver, ErrRematch, ErrDeclined.
func (t *Tables) Rematch(ctx context.Context, id, by string) (*Snapshot, error) {
	before, err := t.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	g := before.Game
	switch {
	case g.Status != Finished:
		return nil, fmt.Errorf("%w: it is %s", ErrNotOver, g.Status)
	case g.Tournament != nil:
		return nil, fmt.Errorf("%w: it belongs to a tournament", ErrRematch)
	case len(g.Players) != 2:
		return nil, fmt.Errorf("%w: it had %d seats", ErrRematch, len(g.Players))
	}
	players, controls := slices.Clone(g.Players), slices.Clone(g.Controls)
	slices.Reverse(players)
	slices.Reverse(controls)
	games, err := t.Open(ctx, NewGame{
		ID: RematchOf(id), Variant: g.Variant, Seats: g.Seats, Players: players, Controls: controls, Lag: g.Lag, Rated: g.Rated,
		Nonces: g.Nonces, Options: g.Options, CreatedBy: by, Grace: g.Clock.Grace(), Delay: g.Delay, Takebacks: g.Takebacks,
	})
	if err != nil {
		return nil, err
	}
	next := games[0]
	switch {
	case next.Game.Status == Aborted && next.Game.StartedAt == 0:
		return nil, ErrDeclined
	case next.Game.Status != Waiting || next.Game.Nonces:
		return next, nil
	case next.Game.CreatedBy == by && players[0] != players[1]:
		return next, nil // the offer stands
	}
	return t.Start(ctx, t.Arrive(next.Game.ID), by)
}
