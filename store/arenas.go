package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/tournament"
)

// arenaBeatRow stores the time of the latest check of a running arena.
type arenaBeatRow struct {
	TournamentID string `gorm:"primaryKey"`
	SeenAt       int64  // ms UTC
}

func (arenaBeatRow) TableName() string { return "arena_beats" }

// Arenas lists the ids of the arenas that run.
func (s *Tournaments) Arenas(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.s.reads.WithContext(ctx).Model(&tournamentRow{}).
		Where("status = ? AND format IN ?", tournament.Running, tournament.FormatsWith(tournament.Format.Continuous)).Order("created_at, id").Pluck("id", &ids).Error
	return ids, db.About("list running arenas", err)
}

// ArenaBeat returns when an arena was last looked at, ms UTC; 0 if it never was.
func (s *Tournaments) ArenaBeat(ctx context.Context, id string) (int64, error) {
	var row arenaBeatRow
	err := s.s.reads.WithContext(ctx).Take(&row, "tournament_id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return 0, nil
	}
	return row.SeenAt, db.About("read when an arena was looked at", err)
}

// BeatArena stores that an arena was looked at.
func (s *Tournaments) BeatArena(ctx context.Context, id string, at int64) error {
	return db.About("store when an arena was looked at", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return db.Upsert(tx, arenaBeatRow{id, at})
	}))
}

// maxSitting: games that began earlier are not searched for players at the board.
const maxSitting = 24 * time.Hour

// Playing returns the players of a list with a running game that is meant to be played in a single sitting.
func (g *Games) Playing(ctx context.Context, players []string, now time.Time) (map[string]bool, error) {
	out := map[string]bool{}
	for part := range db.Chunks(players) {
		var found []string
		err := g.s.reads.WithContext(ctx).Model(&gamePlayerRow{}).Joins("JOIN games ON games.id = game_players.game_id").
			Where("game_players.player_id IN ? AND game_players.created_at > ?", part, now.Add(-maxSitting).UnixMilli()).
			Where("games.status = ? AND games.controls NOT LIKE '%days%' AND games.controls NOT LIKE '%none%'", table.Running).
			Pluck("game_players.player_id", &found).Error
		if err != nil {
			return nil, db.About("look for players at their games", err)
		}
		for _, player := range found {
			out[player] = true
		}
	}
	return out, nil
}
