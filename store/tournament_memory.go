package store

import (
	"cmp"
	"slices"
	"sync"

	"quatuor/tournament"
)

// tournamentMemory keeps the tournaments that were asked for lately, so that a large one is not read anew for every
// page. What is kept is good as long as the database has the same edition of it: the row that says so is read every
// time, for other instances write, too. Tournaments are values that nobody changes in place, so all share one.
type tournamentMemory struct {
	mu    sync.Mutex
	clock int64
	kept  map[string]*keptTournament
}

type keptTournament struct {
	tournament.Tournament
	used int64
}

// edition tells one state of a tournament from all others: an id may come back after a deletion, with a version that
// was there before.
type edition struct {
	Version, CreatedAt int64
}

// tournamentsKept is how many tournaments are kept; one of 1,000 entries and nine rounds takes about 3 MB.
const tournamentsKept = 32

// get gives a tournament in this edition, nil if it is not kept.
func (m *tournamentMemory) get(id string, e edition) *tournament.Tournament {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[id]
	if k == nil || (edition{k.Version, k.CreatedAt}) != e {
		return nil
	}
	m.clock++
	k.used = m.clock
	t := k.Tournament
	return &t
}

// put keeps a tournament, unless a later one is kept; if there are too many, that not used for longest goes.
func (m *tournamentMemory) put(t *tournament.Tournament) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replace(t)
}

func (m *tournamentMemory) replace(t *tournament.Tournament) {
	if k := m.kept[t.ID]; k != nil && k.CreatedAt == t.CreatedAt && k.Version > t.Version {
		return
	}
	if m.kept == nil {
		m.kept = make(map[string]*keptTournament)
	}
	m.clock++
	m.kept[t.ID] = &keptTournament{*t, m.clock}
	if len(m.kept) <= tournamentsKept {
		return
	}
	oldest := t.ID
	for id, k := range m.kept {
		if k.used < m.kept[oldest].used {
			oldest = id
		}
	}
	delete(m.kept, oldest)
}

// saved carries a change that was stored over to what is kept, if that is what the change was built on: t's own fields
// and what the delta lists, as in the database. Otherwise the next who asks reads it.
func (m *tournamentMemory) saved(t *tournament.Tournament, from int64, d tournament.Delta) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[t.ID]
	if k == nil || k.Version != from || k.CreatedAt != t.CreatedAt {
		return
	}
	next := *t
	entries, ok := changedEntries(k.Entries, d)
	if !ok {
		delete(m.kept, t.ID)
		return
	}
	next.Entries, next.Rounds = orNil(entries), orNil(changedRounds(k.Rounds, d))
	m.replace(&next)
}

// changedEntries gives the entries after a change in the order in which they are read. An entry that loses its number
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

// changedRounds gives the rounds after a change, by number, their pairings by board.
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

// orNil gives no list for an empty one, as the database does.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
