// Package editions keeps tournaments in memory, each in the edition that the database has.
package editions

import (
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"quatuor/tournament"
)

// Cache is an LRU cache of tournaments, so that a large tournament is not read again for every page. An entry is valid
// while the database has the same edition of it: the row with the edition is read every time, since other instances
// write, too. Tournaments are values that are never changed in place, so all callers share them.
type Cache struct {
	mu   sync.Mutex // makes comparing and replacing an edition atomic
	kept *lru.Cache[string, *tournament.Tournament]
}

// Edition identifies a state of a tournament: an id may come back after a deletion, with a version that was there
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

// Saved applies a stored change to the cached version, if the change was built on that: t's own fields and what the
// delta lists, as in the database. Otherwise the next Load reads it.
func (m *Cache) Saved(t *tournament.Tournament, from int64, d tournament.Delta) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.kept.Peek(t.ID)
	if !ok || k.Version != from || k.CreatedAt != t.CreatedAt {
		return
	}
	if losesNumber(k.Entries, d.Entries) {
		m.kept.Remove(t.ID)
		return
	}
	next := *t
	next.Entries, next.Rounds = d.After(k)
	if len(next.Entries) == 0 { // as the database returns it
		next.Entries = nil
	}
	if len(next.Rounds) == 0 {
		next.Rounds = nil
	}
	m.kept.Add(t.ID, &next)
}

// losesNumber reports whether an entry has no number any more after a change. Its place is then that of its
// registration, which only the database has.
func losesNumber(old, changed []tournament.Entry) bool {
	numbered := map[string]bool{}
	for _, e := range old {
		numbered[e.ID] = e.Number > 0
	}
	return slices.ContainsFunc(changed, func(e tournament.Entry) bool { return e.Number == 0 && numbered[e.ID] })
}
