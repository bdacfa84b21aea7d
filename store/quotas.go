package store

import (
	"context"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
)

// quotaRow is a row of quota_uses.
type quotaRow struct {
	Quota  string `gorm:"primaryKey"`
	N      int64  `gorm:"primaryKey;autoIncrement:false"`
	GameID string
	Seat   int8
}

func (quotaRow) TableName() string { return "quota_uses" }

var (
	addPlace  = prepare(insertOf(&quotaRow{}, `ON CONFLICT (quota, n) DO NOTHING`, nil))
	addQuota  = prepare(insertOf(&quotaRow{}, "", nil)) // an error if the place is taken
	dropQuota = prepare(sqlStatement{text: `DELETE FROM quota_uses WHERE quota = $1 AND n < $2`, takes: []postgres.Element{text, integer}})
)

// quotaStates asks game by game whether a place still counts. PostgreSQL may answer an EXISTS by reading all lines into
// a hash table, which it cannot do with a scalar subquery.
const quotaStates = `SELECT quota, max(n) AS last, coalesce(min(CASE WHEN live THEN n END), max(n)) AS first,
		count(CASE WHEN live THEN 1 END) AS live
	FROM (SELECT quota, n, (SELECT l.game_id FROM live_games l WHERE l.game_id = u.game_id) IS NOT NULL AND (seat = 0 OR
			(SELECT m.n FROM lines m WHERE m.game_id = u.game_id AND m.seat = u.seat AND m.kind = 'move' LIMIT 1) IS NULL) AS live
		FROM quota_uses u WHERE quota IN ?) used
	GROUP BY quota`

// Quotas returns the state of quotas by their keys. A place that does not count now never does again: its game is over,
// or its seat has moved.
func (g *Games) Quotas(ctx context.Context, keys []string) (map[string]table.QuotaState, error) {
	var rows []struct {
		Quota string
		State table.QuotaState `gorm:"embedded"`
	}
	err := g.s.reads.WithContext(ctx).Raw(quotaStates, keys).Scan(&rows).Error
	states := make(map[string]table.QuotaState, len(rows))
	for _, r := range rows {
		states[r.Quota] = r.State
	}
	return states, db.About("read quotas", err)
}

// places adds the places that a game takes in its quotas, and drops those before that count no more. Where the first
// one guards the batch, a game that comes too late fails alone, and not with the group that it is written in.
func (b *batch) places(uses []table.QuotaUse, gameID string, guard bool) {
	for i, u := range uses {
		by := addQuota
		if i == 0 && guard {
			by = addPlace
		}
		b.insert(by, &quotaRow{Quota: u.Key, N: u.N, GameID: gameID, Seat: u.Seat})
	}
	for _, u := range uses {
		b.call(dropQuota, u.Key, u.First)
	}
}
