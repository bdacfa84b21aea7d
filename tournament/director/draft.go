package director

import (
	"context"

	"quatuor/tournament"
)

// Draft is a tournament that is stored in the same transaction as something else: at its creation and after each act
// that follows.
type Draft struct {
	Created *tournament.Tournament
	Acts    []*tournament.Revision // each act is in its delta
}

// Last returns the tournament after all acts.
func (d Draft) Last() *tournament.Tournament {
	if len(d.Acts) == 0 {
		return d.Created
	}
	return d.Acts[len(d.Acts)-1].Tournament
}

// DraftClosed returns a tournament of an organiser with its entries and closed registration; account is the author of
// both acts. It stores nothing. Faults are tournament.FieldErrors.
func (d *Director) DraftClosed(
	ctx context.Context, id string, s tournament.Settings, organiser string, entries []tournament.Entry, by string,
) (Draft, error) {
	t, err := d.draft(id, organiser, s)
	if err != nil {
		return Draft{}, err
	}
	t.Version = 1
	draft := Draft{Created: t}
	for _, act := range []Act{AddEntries(entries), Open, Close} {
		entry := act.entry
		o := Order{By: by}
		next, err := act.step(doing{d, o, ctx, &entry}, t)
		if err != nil {
			return Draft{}, err
		}
		next.Succeed(t)
		d.note(ctx, entry, o, t, next)
		draft.Acts = append(draft.Acts, next)
		t = next.Tournament
	}
	return draft, nil
}

// DraftsStored notifies readers of drafts that were stored.
func (d *Director) DraftsStored(drafts []Draft) {
	for _, draft := range drafts {
		before := draft.Created
		d.Notifier.TournamentChanged(before, TopicTournament, Staff)
		for _, act := range draft.Acts {
			d.notify(before, act)
			before = act.Tournament
		}
	}
}
