package registration

import (
	"slices"

	"quatuor/tournament"
)

// arrive adds a late entry. It gets its number by the initial order, and the entries below move down by 1; once numbers
// are fixed it gets the last number. It has a bye, by the regulations, in each round that has been paired; in a draft
// round it can still be paired by hand.
func arrive(t *tournament.Tournament, e tournament.Entry) (*tournament.Revision, error) {
	last := len(t.Numbered()) + 1
	if t.Format.Continuous() {
		if e.Bot() > 0 {
			e.Waiting = max(t.StartedAt, 1)
		}
		return seat(t, e, last), nil
	}
	if rounds := t.LastRound(); len(t.Rounds) >= rounds {
		return nil, tournament.NotNow("all %d rounds have been paired; there is none left to play in", rounds)
	}
	next := seat(t, e, last)
	next.Rounds = slices.Clone(t.Rounds)
	var score tournament.Points
	for i := range next.Rounds {
		r := &next.Rounds[i]
		bye := t.Rules.Missed()
		p := tournament.Pairing{
			Board: len(r.Pairings) + 1, Seats: []string{e.ID}, Bye: bye, Scores: []tournament.Points{score},
			Result: t.ByeResult(bye),
		}
		score += p.Result.Points[0]
		r.Pairings = append(slices.Clone(r.Pairings), p)
		next.Delta.Pairings = append(next.Delta.Pairings, tournament.RoundPairing{Round: r.Number, Pairing: p})
	}
	return next, nil
}

// reseed renumbers after an entry's rating was corrected. Group A of an acceleration keeps its size.
func reseed(t *tournament.Tournament, e tournament.Entry) *tournament.Revision {
	size := t.GroupA()
	next := seat(t, e, len(t.Numbered()))
	if size > 0 {
		next.LastOfA = next.Numbered()[size-1].ID
	}
	return next
}

// seat inserts an entry into the numbered list: at its place in the initial order if numbers may change, else at the
// number last.
func seat(t *tournament.Tournament, e tournament.Entry, last int) *tournament.Revision {
	list := slices.DeleteFunc(t.Numbered(), func(o tournament.Entry) bool { return o.ID == e.ID })
	place := last - 1
	if !t.NumbersFixed() {
		if i := slices.IndexFunc(list, func(o tournament.Entry) bool { return tournament.BySeed(e, o) < 0 }); i >= 0 {
			place = i
		} else {
			place = len(list)
		}
	}
	list = slices.Insert(list, place, e)
	var delta tournament.Delta
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
	return &tournament.Revision{Tournament: &next, Delta: delta}
}

// binds reports whether an entry without players may get these while the tournament runs.
func binds(t *tournament.Tournament, old, e tournament.Entry) bool {
	return t.Status == tournament.Running && len(old.Members) == 0 && len(e.Members) > 0 && !old.HasBot() && !e.HasBot()
}

// bound returns a change that assigned players to an entry after the start: its boards in rounds published so far stay
// in the hall, unrated. Rounds published afterwards are played and rated like those of any other entry.
func bound(next *tournament.Revision, id string) *tournament.Revision {
	for _, r := range next.Rounds {
		if r.Status == tournament.Paired {
			continue
		}
		for _, p := range r.Pairings {
			if !slices.Contains(p.Seats, id) || p.Bye != tournament.NoBye || p.GameID != "" || p.Venue != "" {
				continue
			}
			toHall := func(p *tournament.Pairing) { p.Venue = tournament.InHall }
			next, _ = next.Then(next.WithPairing(r.Number, p.Board, nil, toHall))
		}
	}
	return next
}

// BindsLate reports whether a change assigns players to an entry without any, after the start. It cannot be undone:
// later games count for their ratings.
func BindsLate(t *tournament.Tournament, d tournament.Delta) bool {
	return slices.ContainsFunc(d.Entries, func(e tournament.Entry) bool {
		old, known := t.Entry(e.ID)
		return known && binds(t, old, e)
	})
}
