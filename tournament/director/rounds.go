package director

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// NextRound pairs the next round, publishes it and opens its games. It may safely be repeated: while the round is
// being played another call is refused with ErrState, so that no round is ever paired twice.
func (d *Director) NextRound(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, d.nextRound)
}

// DrawRound pairs the next round without publishing it, so that it can be looked at, and deleted.
func (d *Director) DrawRound(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, drawRound)
}

// PublishRound opens the games of the round that is drawn up.
func (d *Director) PublishRound(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, d.publish)
}

// DropRound deletes the round that is drawn up and not published.
func (d *Director) DropRound(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, (*tournament.Tournament).DropRound)
}

func drawRound(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
	if err := t.CanPair(); err != nil {
		return nil, tournament.Delta{}, err
	}
	pairer, err := pairerFor(t)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	h := pairing.HistoryOf(t, len(t.Rounds)+1)
	pairings, err := pairer.Pair(h)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	next, delta, err := t.AddRound(pairings)
	if err == nil {
		delta.Snapshots = []tournament.Snapshot{{Round: h.Round, Text: h.Text()}}
	}
	return next, delta, err
}

func (d *Director) publish(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
	return t.Publish(d.NewID, d.now())
}

func (d *Director) nextRound(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
	drawn, first, err := drawRound(t)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	next, second, err := d.publish(drawn)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	return next, first.Then(second), nil
}
