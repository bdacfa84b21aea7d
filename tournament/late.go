package tournament

import "slices"

// lastRenumbering is the round that fixes the numbers when it is paired (FIDE Handbook C.04.2).
const lastRenumbering = 4

// NumbersFixed reports whether the pairing numbers cannot change any more. In formats with pairing tables they are
// fixed from the start.
func (t *Tournament) NumbersFixed() bool {
	return !t.Format.PointByes() || t.Teams != nil || len(t.Rounds) >= lastRenumbering
}

// arrive adds a late entry. It gets its number by the initial order, those below moving down by one, or the last number
// once numbers are fixed. It has a bye, by the regulations, in each round that has been paired; in a draft round it can
// still be paired by hand.
func (t *Tournament) arrive(e Entry) (*Tournament, Delta, error) {
	if t.Format.Continuous() {
		if e.Bot() > 0 {
			e.Waiting = max(t.StartedAt, 1)
		}
		next, delta := t.seat(e, len(t.Numbered())+1)
		return next, delta, nil
	}
	if last := t.LastRound(); len(t.Rounds) >= last {
		return nil, Delta{}, Refuse(ErrState, "all %d rounds have been paired; there is none left to play in", last)
	}
	next, delta := t.seat(e, len(t.Numbered())+1)
	next.Rounds = slices.Clone(t.Rounds)
	var score Points
	for i := range next.Rounds {
		r := &next.Rounds[i]
		bye := t.Rules.missed()
		p := Pairing{
			Board: len(r.Pairings) + 1, Seats: []string{e.ID}, Bye: bye, Scores: []Points{score},
			Result: t.byeResult(bye),
		}
		score += p.Result.Points[0]
		r.Pairings = append(slices.Clone(r.Pairings), p)
		delta.Pairings = append(delta.Pairings, RoundPairing{Round: r.Number, Pairing: p})
	}
	return next, delta, nil
}

// reseed renumbers after an entry's rating was corrected. Group A of an acceleration keeps its size.
func (t *Tournament) reseed(e Entry) (*Tournament, Delta) {
	size := t.GroupA()
	next, delta := t.seat(e, len(t.Numbered()))
	if size > 0 {
		next.LastOfA = next.Numbered()[size-1].ID
	}
	return next, delta
}

// seat inserts an entry into the numbered list: at its place in the initial order if numbers may change, else at the
// number last.
func (t *Tournament) seat(e Entry, last int) (*Tournament, Delta) {
	list := slices.DeleteFunc(t.Numbered(), func(o Entry) bool { return o.ID == e.ID })
	place := last - 1
	if !t.NumbersFixed() {
		if i := slices.IndexFunc(list, func(o Entry) bool { return bySeed(e, o) < 0 }); i >= 0 {
			place = i
		} else {
			place = len(list)
		}
	}
	list = slices.Insert(list, place, e)
	var delta Delta
	for i := range list {
		if number := i + 1; list[i].Number != number || list[i].ID == e.ID {
			list[i].Number = number
			delta.Entries = append(delta.Entries, list[i])
		}
	}
	next := *t
	next.Entries = list
	for _, o := range t.Entries {
		if o.Number == 0 && o.ID != e.ID {
			next.Entries = append(next.Entries, o)
		}
	}
	return &next, delta
}

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
			next, more, _ = next.WithPairing(r.Number, p.Board, nil, func(p *Pairing) { p.Venue = InHall })
			delta = delta.Then(more)
		}
	}
	return next, delta
}

// BindsLate reports whether a change assigns players to an entry without any, after the start. It cannot be undone:
// later games count for their ratings.
func (t *Tournament) BindsLate(d Delta) bool {
	return slices.ContainsFunc(d.Entries, func(e Entry) bool {
		old, known := t.Entry(e.ID)
		return known && t.binds(old, e)
	})
}
