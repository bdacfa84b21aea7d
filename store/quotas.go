package store

import (
	"context"

	"quatuor/engine/table"
)

// quotaRow is a row of quota_uses.
type quotaRow struct {
	Quota  string `gorm:"primaryKey"`
	N      int64  `gorm:"primaryKey;autoIncrement:false"`
	GameID string
	Seat   int8
}

func (quotaRow) TableName() string { return "quota_uses" }

// Quotas returns the state of quotas by their keys. A place that does not count now never does again: its game is over, or its
// seat has moved.
func (g *Games) Quotas(ctx context.Context, keys []string) (map[string]table.QuotaState, error) {
	var rows []struct {
		Quota string
		State table.QuotaState `gorm:"embedded"`
	}
	err := g.s.reads.WithContext(ctx).Raw(`SELECT quota, max(n) AS last, coalesce(min(CASE WHEN live THEN n END), max(n)) AS first,
			count(CASE WHEN live THEN 1 END) AS live
		FROM (SELECT u.quota, u.n, l.game_id IS NOT NULL AND (u.seat = 0 OR NOT EXISTS (SELECT 1 FROM lines m
				WHERE m.game_id = u.game_id AND m.seat = u.seat AND m.kind = 'move')) AS live
			FROM quota_uses u LEFT JOIN live_games l ON l.game_id = u.game_id WHERE u.quota IN ?) used GROUP BY quota`, keys).
		Scan(&rows).Error
	states := make(map[string]table.QuotaState, len(rows))
	for _, r := range rows {
		states[r.Quota] = r.State
	}
	return states, about("read quotas", err)
}

// quotas adds the places that a game takes in its quotas, and drops those before that count no more.
func (b *batch) quotas(game *table.Game) {
	for _, u := range game.Uses {
		b.insert(addQuota, &quotaRow{Quota: u.Key, N: u.N, GameID: game.ID, Seat: u.Seat})
	}
	for _, u := range game.Uses {
		b.call(dropQuota, u.Key, u.First)
	}
}
