package tournament

import "slices"

// binds reports whether an entry without players may get these while the tournament runs.
func (t *Tournament) binds(old, e Entry) bool {
	return t.Status == Running && len(old.Members) == 0 && len(e.Members) > 0 && !old.hasBot() && !e.hasBot()
}

// bound returns a change by which an entry got its players after the start: the boards that it was published at before
// stay in the hall, and are not rated. What is published afterwards is played and rated like that of any other entry.
func (t *Tournament) bound(id string, delta Delta) (*Tournament, Delta) {
	next := t
	for _, r := range t.Rounds {
		if r.Status == Paired {
			continue
		}
		for _, p := range r.Pairings {
			if !slices.Contains(p.Seats, id) || p.Bye != NoBye || p.GameID != "" || p.Venue != "" {
				continue
			}
			var more Delta
			next, more = next.withPairing(r.Number, p.Board, nil, func(p *Pairing) { p.Venue = InHall })
			delta = delta.Then(more)
		}
	}
	return next, delta
}

// BindsLate reports whether a change gives players to an entry that had none, after the start. It is not undone: what
// follows counts for their ratings.
func (t *Tournament) BindsLate(d Delta) bool {
	return slices.ContainsFunc(d.Entries, func(e Entry) bool {
		old, known := t.Entry(e.ID)
		return known && t.binds(old, e)
	})
}
