package table

import (
	"context"
	"slices"

	"quatuor/sentence"

	"github.com/google/uuid"
)

// RematchOf returns the id of a game's rematch, which need not exist. A game has at most one.
func RematchOf(id string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("rematch of "+id)).String()
}

// Rematch offers the other player of a finished duel to play again with the seats exchanged, or accepts that offer: the
// first to ask invites the other one to a new game, the second accepts the invitation. Both may ask at the same time, and
// more than once; it is the same game. One that was broken off before it began was declined, or not accepted in time, and
// stays so. by is the account that asks for one of the game's players. Errors: ErrNotYourSeat, ErrNotOver, ErrRematch,
// ErrDeclined, ErrInvitations.
func (t *Tables) Rematch(ctx context.Context, id, by, player string) (*Snapshot, error) {
	before, err := t.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	g := before.Game
	switch {
	case len(before.SeatsOf(player)) == 0:
		return nil, ErrNotYourSeat
	case g.Status != Finished:
		return nil, sentence.Errorf("%w: it is %s", ErrNotOver, g.Status)
	case g.Tournament != nil:
		return nil, sentence.Errorf("%w: it belongs to a tournament", ErrRematch)
	case len(g.Players) != 2:
		return nil, sentence.Errorf("%w: it had %d seats", ErrRematch, len(g.Players))
	}
	players, controls := slices.Clone(g.Players), slices.Clone(g.Controls)
	slices.Reverse(players)
	slices.Reverse(controls)
	var invited SeatSet
	for i, p := range players {
		if p != player && BotLevel(p) == 0 {
			invited = invited.With(int8(i + 1))
		}
	}
	games, err := t.Open(ctx, NewGame{
		ID: RematchOf(id), Variant: g.Variant, Seats: g.Seats, Players: players, Controls: controls, Lag: g.Lag, Rated: g.Rated,
		Nonces: g.Nonces, Options: g.Options, CreatedBy: by, Grace: g.Clock.Grace(), Delay: g.Delay, Takebacks: g.Takebacks,
		Invited: invited, Start: true,
	})
	if err != nil {
		return nil, err
	}
	next := games[0]
	if next.Game.Status == Aborted && next.Game.StartedAt == 0 {
		return nil, ErrDeclined
	}
	if !next.invites(player) {
		return next, nil // the offer stands, or has been accepted
	}
	return t.AcceptInvitation(ctx, t.Arrive(next.Game.ID), by, player)
}
