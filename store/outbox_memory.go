package store

import (
	"context"
	"fmt"
	"sync"

	"gorm.io/gorm"

	"quatuor/rating/ledger"
)

// outboxMemory knows the end of the outbox without reading it. That takes a process that alone writes to the database;
// for others it is nil and knows nothing. Nothing rests on it: whoever moves a cursor says where it should stand, and
// is refused, and all is forgotten, where that is wrong.
type outboxMemory struct {
	mu      sync.Mutex
	known   bool        // whether rows are all those after from
	from    int64       // a place in the outbox
	rows    []outboxRow // in order
	ratings int64       // the ratings cursor; unknownPlace
	ends    int         // how often a tournament's game may have been added
	seen    int         // ends when the director last found that nothing waits for it
}

const (
	unknownPlace = -1
	// mostRemembered bounds how many games that wait for their ratings are remembered.
	mostRemembered = 4096
)

// openOutboxMemory begins to remember. Nobody may write meanwhile.
func openOutboxMemory(ctx context.Context, reads *gorm.DB) (*outboxMemory, error) {
	m := &outboxMemory{known: true, ends: 1}
	var err error
	if m.ratings, err = cursor(reads.WithContext(ctx), ofRatings); err != nil {
		return nil, fmt.Errorf("read the place in the outbox: %w", err)
	}
	err = reads.WithContext(ctx).Model(&outboxRow{}).Select("coalesce(max(seq), 0)").Scan(&m.from).Error
	return m, err
}

// add takes in a row that is stored now, the next one in the order of places.
func (m *outboxMemory) add(row outboxRow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known || row.Seq != m.from+int64(len(m.rows))+1 || len(m.rows) >= mostRemembered {
		m.known, m.from, m.rows = true, row.Seq-1, nil
	}
	m.rows = append(m.rows, row)
	if row.TournamentID != nil {
		m.ends++
	}
}

// forget takes nothing for known any more.
func (m *outboxMemory) forget() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known, m.rows, m.ratings = false, nil, unknownPlace
	m.ends++
}

// waiting gives the ratings cursor and up to limit games after it; ok is false if that is not known.
func (m *outboxMemory) waiting(limit int) (from int64, games []ledger.Finished, ok bool) {
	if m == nil {
		return 0, nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	skip := m.ratings - m.from
	if !m.known || skip < 0 || skip > int64(len(m.rows)) {
		return 0, nil, false
	}
	for i := range m.rows[skip:min(skip+int64(limit), int64(len(m.rows)))] {
		games = append(games, m.rows[skip+int64(i)].forLedger())
	}
	return m.ratings, games, true
}

// unrated leaves away the games that are known to wait for their ratings.
func (m *outboxMemory) unrated(gameIDs []string) (others []string) {
	if m == nil {
		return gameIDs
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	waits := map[string]bool{}
	for i := range m.rows {
		if m.ratings != unknownPlace && m.rows[i].Seq > m.ratings {
			waits[m.rows[i].GameID] = true
		}
	}
	for _, id := range gameIDs {
		if !waits[id] {
			others = append(others, id)
		}
	}
	return others
}

// rated says where the ratings cursor stands now, and lets go of the games up to it.
func (m *outboxMemory) rated(cursor int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ratings = cursor
	if over := cursor - m.from; m.known && over > 0 && over <= int64(len(m.rows)) {
		m.from, m.rows = cursor, append([]outboxRow(nil), m.rows[over:]...)
	}
}

// tournamentEnds gives a number that grows when a tournament's game may have been added, and whether nothing waited
// for the director at this number.
func (m *outboxMemory) tournamentEnds() (ends int, quiet bool) {
	if m == nil {
		return 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ends, m.seen == m.ends
}

// settled says that at this number nothing waited for the director.
func (m *outboxMemory) settled(ends int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = ends
}
