package director

import (
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Explain says why the boards of a round are as they are; for staff it names whom the organiser keeps apart. It goes back
// to what the round was drawn up from, so that no later correction changes it. tournament.ErrNotFound for a round that is
// not there, and for a format that gives no reasons. The answer is shared: do not change it.
func (d *Director) Explain(ctx context.Context, t *tournament.Tournament, round int, staff bool) (*pairing.Explanation, error) {
	if round < 1 || round > len(t.Rounds) {
		return nil, tournament.Refuse(tournament.ErrNotFound, "round %d; the rounds are 1 to %d", round, len(t.Rounds))
	}
	key := cacheKey{t.ID, round, staff}
	if kept, ok := d.whys.find(key, t.Version); ok {
		return kept, nil
	}
	select {
	case d.gives <- struct{}{}:
		defer func() { <-d.gives }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return d.whys.get(key, t.Version, func() (*pairing.Explanation, error) { return d.explain(ctx, t, round, staff) })
}

func (d *Director) explain(ctx context.Context, t *tournament.Tournament, round int, staff bool) (*pairing.Explanation, error) {
	pairer, err := pairerFor(t)
	if err != nil {
		return nil, err
	}
	explainer, ok := pairer.(pairing.Explainer)
	if !ok {
		return nil, tournament.Refuse(tournament.ErrNotFound, "reasons for the pairings of a %s", t.Format)
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
	reasons, err := explainer.Reasons(h, pairing.Audience{Staff: staff, Name: func(number int) string { return names[number-1] }})
	switch {
	case reconstructed && errors.Is(err, tournament.ErrUnpairable):
		// By the results as they are now there is no legal pairing; then every board is the arbiter's.
	case err != nil:
		return nil, err
	}
	return pairing.Explain(t.Rounds[round-1], reasons, reconstructed, name), nil
}

// drawnFrom gives what a round was drawn up from; if that was not kept, what it would be drawn up from now.
func (d *Director) drawnFrom(ctx context.Context, t *tournament.Tournament, round int) (h pairing.History, reconstructed bool, err error) {
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
