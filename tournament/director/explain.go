package director

import (
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Explain returns the reasons of the pairings of a round; for staff they name forbidden pairings. They are computed
// from the stored pairing input, so that no later correction changes them. It returns tournament.ErrNotFound for a
// round that does not exist, and for a format without reasons. The result is shared: do not change it.
func (d *Director) Explain(
	ctx context.Context, t *tournament.Tournament, round int, staff bool,
) (*pairing.Explanation, error) {
	if round < 1 || round > len(t.Rounds) {
		return nil, tournament.Refuse(tournament.ErrNotFound, "round %d; the rounds are 1 to %d", round, len(t.Rounds))
	}
	key := cacheKey{t.ID, round, staff}
	if kept, ok := d.explanations.find(key, t.Version); ok {
		return kept, nil
	}
	select {
	case d.explaining <- struct{}{}:
		defer func() { <-d.explaining }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return d.explanations.get(key, t.Version,
		func() (*pairing.Explanation, error) { return d.explain(ctx, t, round, staff) })
}

func (d *Director) explain(
	ctx context.Context, t *tournament.Tournament, round int, staff bool,
) (*pairing.Explanation, error) {
	pairer, err := pairerFor(t)
	if err != nil {
		return nil, err
	}
	explainer, ok := pairer.(pairing.Explainer)
	if !ok {
		return nil, tournament.Refuse(tournament.ErrNotFound, "there are no reasons for the pairings of a %s", t.Format)
	}
	h, reconstructed, err := d.drawnFrom(ctx, t, round)
	if err != nil {
		return nil, err
	}
	name := func(id string) string {
		if e, ok := t.Entry(id); ok {
			return e.Name
		}
		return id
	}
	names := make([]string, len(h.Field))
	for i := range h.Field {
		names[i] = name(h.Field[i].Entry.ID)
	}
	reasons, err := explainer.Reasons(h, pairing.Audience{
		Staff: staff,
		Name:  func(number int) string { return names[number-1] },
	})
	switch {
	case reconstructed && errors.Is(err, tournament.ErrUnpairable):
		// No pairing is legal by today's results: every board is explained as the arbiter's.
	case err != nil:
		return nil, err
	}
	return pairing.Explain(t.Rounds[round-1], reasons, reconstructed, name), nil
}

// drawnFrom returns the history that a round was paired from, or reconstructs it from today's results if it is not
// stored.
func (d *Director) drawnFrom(
	ctx context.Context, t *tournament.Tournament, round int,
) (h pairing.History, reconstructed bool, err error) {
	kept, err := d.Store.PairingInput(ctx, t.ID, round)
	if errors.Is(err, tournament.ErrNotFound) {
		return pairing.HistoryOf(t, round), true, nil
	}
	if err != nil {
		return pairing.History{}, false, err
	}
	h, err = pairing.Read(kept.Text, t.LotSeed)
	return h, false, err
}
