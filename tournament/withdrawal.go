package tournament

// Withdraw withdraws an entry. In a running tournament it takes no part from the first unpublished round on; a game
// that is open already is played, or decided by the arbiter.
func (t *Tournament) Withdraw(id string) (*Tournament, Delta, error) {
	if t.Status == Finished || t.Status == Archived {
		return nil, Delta{}, Refuse(ErrState, "the tournament is over; entries can no longer withdraw")
	}
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	if e.Status == Withdrawn {
		return t, Delta{}, nil
	}
	e.Status, e.Waiting = Withdrawn, 0
	if t.Status == Running {
		e.WithdrawnFrom = t.PublishedRounds() + 1
	}
	return t.withEntry(i, e)
}

// Reinstate takes a withdrawn entry back; rounds that were paired without it stay lost. An entry that withdrew before
// the start has no number and comes back as a late entry, if the format has any. Members of a team need not agree any
// more.
func (t *Tournament) Reinstate(id string) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	switch {
	case e.Status != Withdrawn:
		return t, Delta{}, nil
	case t.Status == Finished || t.Status == Archived:
		return nil, Delta{}, Refuse(ErrState, "the tournament is over; entries can no longer come back")
	case t.Status == Running && e.Number == 0 && !t.Format.LateEntries():
		return nil, Delta{}, Refuse(ErrState, "%s withdrew before the start and has no number in the tables", e.Name)
	}
	e.Status, e.WithdrawnFrom, e.Awaiting = Confirmed, 0, nil
	if err := t.checkEntry(&e, Shape{Members: len(e.Members)}); err != nil {
		return nil, Delta{}, err
	}
	if t.Status == Running && e.Number == 0 {
		return t.arrive(e)
	}
	return t.withEntry(i, e)
}

// Annulled returns the entries of a round-robin (by number) that withdrew with fewer than half of their games played
// (C.05, Annex): their games stay in the record and in the ratings, but they are not ranked and the games do not count
// for the others. It considers the record after the given round. Games forfeited by either side were not played. In
// other formats it returns none.
func (t *Tournament) Annulled(round int) map[int]bool {
	out := make(map[int]bool)
	cycles := t.Format.Cycles()
	if cycles == 0 {
		return out
	}
	cards := t.Cards(round)
	for _, card := range cards {
		e := card.Entry
		if e.Status != Withdrawn || e.WithdrawnFrom == 0 || e.WithdrawnFrom > round+1 {
			continue
		}
		played := 0
		for _, c := range card.Cells {
			if c.Kind == Played {
				played++
			}
		}
		if 2*played < cycles*(len(cards)-1) {
			out[e.Number] = true
		}
	}
	return out
}
