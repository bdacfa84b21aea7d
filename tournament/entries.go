package tournament

import "slices"

// StillAwaited returns the awaited players that are members; nil for none.
func (e Entry) StillAwaited(awaiting []string) []string {
	return OrNil(slices.DeleteFunc(slices.Clone(awaiting), func(p string) bool { return !slices.Contains(e.Members, p) }))
}

// Entry returns the entry with this id.
func (t *Tournament) Entry(id string) (Entry, bool) {
	e, err := t.FindEntry(id)
	return e, err == nil
}

// Numbered returns the entries with a pairing number, in its order: number n at index n−1.
func (t *Tournament) Numbered() []Entry {
	out := slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return e.Number == 0 })
	slices.SortFunc(out, func(a, b Entry) int { return a.Number - b.Number })
	return out
}

// FindEntry is [Tournament.Entry] with an error that wraps ErrNotFound.
func (t *Tournament) FindEntry(id string) (Entry, error) {
	if i := t.EntryIndex(id); i >= 0 {
		return t.Entries[i], nil
	}
	return Entry{}, Refuse(ErrNotFound, "entry %q", id)
}

// EntryOf is [Tournament.FindEntry] for a player that must be a member of the entry.
func (t *Tournament) EntryOf(id, player string) (Entry, error) {
	e, err := t.FindEntry(id)
	if err == nil && !slices.Contains(e.Members, player) {
		err = NotValid("you are not a member of %s", e.Name)
	}
	return e, err
}

// EntryIndex returns the index of an entry; -1 for an unknown id.
func (t *Tournament) EntryIndex(id string) int {
	return slices.IndexFunc(t.Entries, func(e Entry) bool { return e.ID == id })
}

// WithEntry returns the tournament with another form of the entry that has e's id.
func (t *Tournament) WithEntry(e Entry) (*Revision, error) {
	next := *t
	next.Entries = slices.Clone(t.Entries)
	next.Entries[t.EntryIndex(e.ID)] = e
	return next.Wrote(Delta{Entries: []Entry{e}})
}

// Taken returns the number of entries that hold a place: all that have not withdrawn, including teams that wait for a
// member and the organiser's entries. A team counts once.
func (t *Tournament) Taken() int {
	taken := 0
	for _, e := range t.Entries {
		if e.Status != Withdrawn {
			taken++
		}
	}
	return taken
}

// PlacesLeft returns how many more entries players may register themselves. It is 0 where there is no limit, and where
// the organiser has entered more than there are places.
func (t *Tournament) PlacesLeft() int { return max(0, t.MaxEntries-t.Taken()) }

// Full reports whether all places are taken. The organiser may still enter players, and reinstate those that withdrew.
func (t *Tournament) Full() bool { return t.MaxEntries > 0 && t.PlacesLeft() == 0 }

// lastRenumbering is the round that fixes the numbers when it is paired (FIDE Handbook C.04.2).
const lastRenumbering = 4

// NumbersFixed reports whether the pairing numbers cannot change any more. In formats with pairing tables they are
// fixed from the start.
func (t *Tournament) NumbersFixed() bool {
	return !t.Format.PointByes() || t.Teams != nil || len(t.Rounds) >= lastRenumbering
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
