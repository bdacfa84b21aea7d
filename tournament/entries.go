package tournament

import (
	"slices"
)

// StillAwaited returns the awaited players that are members; nil for none.
func (e Entry) StillAwaited(awaiting []string) []string {
	return OrNil(slices.DeleteFunc(slices.Clone(awaiting), func(p string) bool { return !slices.Contains(e.Members, p) }))
}

// Entry returns the entry with this id.
func (t *Tournament) Entry(id string) (Entry, bool) {
	i, err := t.EntryIndex(id)
	if err != nil {
		return Entry{}, false
	}
	return t.Entries[i], true
}

// Numbered returns the entries with a pairing number, in its order: number n at index n−1.
func (t *Tournament) Numbered() []Entry {
	out := slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return e.Number == 0 })
	slices.SortFunc(out, func(a, b Entry) int { return a.Number - b.Number })
	return out
}

// EntryIndex returns the index of an entry; the error wraps ErrNotFound.
func (t *Tournament) EntryIndex(id string) (int, error) {
	i := slices.IndexFunc(t.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return 0, Refuse(ErrNotFound, "entry %q", id)
	}
	return i, nil
}

// WithEntry returns the tournament with another entry at an index.
func (t *Tournament) WithEntry(i int, e Entry) (*Tournament, Delta, error) {
	next := *t
	next.Entries = slices.Clone(t.Entries)
	next.Entries[i] = e
	return &next, Delta{Entries: []Entry{e}}, nil
}
