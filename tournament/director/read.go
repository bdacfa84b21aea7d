package director

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// Tournament returns a tournament with entries and rounds, or tournament.ErrNotFound.
func (d *Director) Tournament(ctx context.Context, id string) (*tournament.Tournament, error) {
	return d.Store.Load(ctx, id)
}

// History returns the result changes of a tournament, oldest first.
func (d *Director) History(ctx context.Context, id string) ([]tournament.Change, error) {
	return d.Store.History(ctx, id)
}

// PairedFrom returns the history that a round was paired from, whatever has been corrected since. It returns
// tournament.ErrNotFound for a round that does not exist, or was paired before histories were stored.
func (d *Director) PairedFrom(ctx context.Context, id string, round int) (pairing.History, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return pairing.History{}, err
	}
	kept, err := d.Store.PairingInput(ctx, id, round)
	if err != nil {
		return pairing.History{}, err
	}
	return pairing.Read(kept.Text, t.LotSeed)
}

// Standings returns the standings of a tournament after a round, 0 for the last published one. Views of a tournament for
// the public and for its staff have the same. The result is shared: do not change it.
func (d *Director) Standings(t *tournament.Tournament, round int) (*standings.Standings, error) {
	if t.Status == tournament.Draft {
		return standings.After(t, round) // a change of a draft leaves the public version
	}
	public := t.Public()
	return d.tables.get(cacheKey{id: t.ID, round: round}, public.Version,
		func() (*standings.Standings, error) { return standings.After(public, round) })
}
