package store

import (
	"sync"

	"quatuor/rating"
)

// ratingMemory knows current ratings that were recorded lately. That takes a process that alone
// writes to the database; for others it is nil and knows nothing.
type ratingMemory struct {
	mu      sync.Mutex
	edition int // grows when all ratings may have changed
	current map[ratingPlace]currentRow
}

// ratingPlace is one player's in one list.
type ratingPlace struct{ list, player string }

// ratingsRemembered bounds how many ratings are remembered; then it begins anew.
const ratingsRemembered = 1 << 16

// find splits players into those whose rating is known, which it adds to ratings, and the others.
func (m *ratingMemory) find(list string, players []string, ratings map[string]rating.Rating) (others []string) {
	if m == nil {
		return players
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, player := range players {
		if row, known := m.current[ratingPlace{list, player}]; known {
			ratings[player] = row.rating()
		} else {
			others = append(others, player)
		}
	}
	return others
}

// now gives the edition that put is told.
func (m *ratingMemory) now() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.edition
}

// put takes in rows that were stored, unless all ratings may have changed meanwhile.
func (m *ratingMemory) put(edition int, rows []currentRow) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.edition != edition {
		return
	}
	if m.current == nil || len(m.current) > ratingsRemembered {
		m.current = map[ratingPlace]currentRow{}
	}
	for _, row := range rows {
		place := ratingPlace{row.List, row.PlayerID}
		if known, found := m.current[place]; !found || known.Seq < row.Seq {
			m.current[place] = row
		}
	}
}

// forget takes nothing for known any more.
func (m *ratingMemory) forget() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.edition++
	m.current = nil
}
