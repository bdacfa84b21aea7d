// Package editions keeps tournaments in memory, each in the edition that the database has.
package editions

import (
	"cmp"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"quatuor/tournament"
)

// Cache is an LRU cache of tournaments, so that a large one is not read anew for every page. An entry is valid while
// the database has the same edition of it: the row that says so is read every time, since other instances write, too.
// Tournaments are values that are never changed in place, so all callers share one.
type Cache struct {
	mu   sync.Mutex // makes comparing an edition and replacing it one step
	kept *lru.Cache[string, *tournament.Tournament]
}

// Edition identifies one state of a tournament: an id may come back after a deletion, with a version that was there
// before.
type Edition struct {
	Version, CreatedAt int64
}

// capacity is the maximum of tournaments kept; a tournament of 1,000 entries and nine rounds takes about 3 MB.
const capacity = 32

// New returns an empty cache.
func New() *Cache {
	kept, err := lru.New[string, *tournament.Tournament](capacity)
	if err != nil {
		panic(err) // only for a capacity that is not positive
	}
	return &Cache{kept: kept}
}

// Get returns a tournament in this edition, nil if it is not kept.
func (m *Cache) Get(id string, e Edition) *tournament.Tournament {
	k, ok := m.kept.Get(id)
	if !ok || (Edition{k.Version, k.CreatedAt}) != e {
		return nil
	}
	t := *k
	return &t
}

// Put keeps a tournament, unless a later edition is kept.
func (m *Cache) Put(t *tournament.Tournament) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.kept.Peek(t.ID); ok && k.CreatedAt == t.CreatedAt && k.Version > t.Version {
		return
	}
	next := *t
	m.kept.Add(t.ID, &next)
}

// Saved applies a change that was stored to what is kept, if that is what the change was built on: t's own fields and
// what the delta lists, as in the database. Otherwise the next Load reads it.
func (m *Cache) Saved(t *tournament.Tournament, from int64, d tournament.Delta) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.kept.Peek(t.ID)
	if !ok || k.Version != from || k.CreatedAt != t.CreatedAt {
		return
	}
	entries, ok := changedEntries(k.Entries, d)
	if !ok {
		m.kept.Remove(t.ID)
		return
	}
	next := *t
	next.Entries, next.Rounds = orNil(entries), orNil(changedRounds(k.Rounds, d))
	m.kept.Add(t.ID, &next)
}

// changedEntries returns the entries after a change in the order in which they are read. An entry that loses its number
// has its place by the time of its registration, which is not known here: then ok is false.
func changedEntries(old []tournament.Entry, d tournament.Delta) (entries []tournament.Entry, ok bool) {
	if len(d.Entries)+len(d.RemovedEntry) == 0 {
		return old, true
	}
	removed := make(map[string]bool, len(d.RemovedEntry))
	for _, id := range d.RemovedEntry {
		removed[id] = true
	}
	index := make(map[string]int, len(old)+len(d.Entries))
	for _, e := range old {
		if !removed[e.ID] {
			index[e.ID] = len(entries)
			entries = append(entries, e)
		}
	}
	for _, e := range d.Entries {
		i, known := index[e.ID]
		switch {
		case !known:
			index[e.ID] = len(entries)
			entries = append(entries, e)
		case entries[i].Number > 0 && e.Number == 0:
			return nil, false
		default:
			entries[i] = e
		}
	}
	last := len(entries) + 1
	slices.SortStableFunc(entries, func(a, b tournament.Entry) int {
		return cmp.Compare(cmp.Or(a.Number, last), cmp.Or(b.Number, last))
	})
	return entries, true
}

// changedRounds returns the rounds after a change, by number, their pairings by board.
func changedRounds(old []tournament.Round, d tournament.Delta) []tournament.Round {
	rounds := slices.DeleteFunc(slices.Clone(old), func(r tournament.Round) bool {
		return slices.Contains(d.RemovedRounds, r.Number)
	})
	for _, r := range d.Rounds {
		r.Pairings = orNil(slices.Clone(r.Pairings))
		slices.SortFunc(r.Pairings, func(a, b tournament.Pairing) int { return a.Board - b.Board })
		i, found := slices.BinarySearchFunc(rounds, r.Number, func(r tournament.Round, n int) int { return r.Number - n })
		if found {
			rounds[i] = r
		} else {
			rounds = slices.Insert(rounds, i, r)
		}
	}
	for _, p := range d.Pairings {
		i, found := slices.BinarySearchFunc(rounds, p.Round, func(r tournament.Round, n int) int { return r.Number - n })
		if found {
			rounds[i].Pairings = withPairing(rounds[i].Pairings, p.Pairing)
		}
	}
	return rounds
}

func withPairing(old []tournament.Pairing, p tournament.Pairing) []tournament.Pairing {
	i, found := slices.BinarySearchFunc(old, p.Board, func(p tournament.Pairing, board int) int { return p.Board - board })
	out := slices.Clone(old)
	if found {
		out[i] = p
		return out
	}
	return slices.Insert(out, i, p)
}

// orNil returns nil for an empty one, as the database does.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
