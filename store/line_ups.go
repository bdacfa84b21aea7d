package store

import (
	"context"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/tournament"
)

// lineUpRow is a row of line_ups: a version of a line-up that a captain filed. Rows are only added.
type lineUpRow struct {
	TournamentID string   `gorm:"primaryKey"`
	Round        int      `gorm:"primaryKey;autoIncrement:false"`
	EntryID      string   `gorm:"primaryKey"`
	OpponentID   string   `gorm:"primaryKey"`
	N            int      `gorm:"primaryKey;autoIncrement:false"`
	Players      []string `gorm:"serializer:text"`
	Final        bool
	ByAccount    string
	At           int64
}

func (lineUpRow) TableName() string { return "line_ups" }

// writeLineUps adds the line-ups of a change; tournament.ErrStale if others were stored since it read them. The
// transaction has written the row of the tournament, which keeps others out.
func writeLineUps(tx *gorm.DB, id string, d tournament.Delta) error {
	for round, read := range d.Filed {
		var stored int64
		err := tx.Model(&lineUpRow{}).Where("tournament_id = ? AND round = ?", id, round).Count(&stored).Error
		if err != nil {
			return err
		}
		if stored != int64(read) {
			return tournament.ErrStale
		}
	}
	return db.Create(tx, db.Map(d.LineUps, func(l *tournament.LineUp) lineUpRow {
		return lineUpRow{id, l.Round, l.Entry, l.Opponent, l.N, l.Players, l.Final, l.By, l.At}
	}))
}

// LineUps returns all versions of the line-ups that were filed in a round. They are sealed until their match is
// revealed.
func (s *Tournaments) LineUps(ctx context.Context, id string, round int) ([]tournament.LineUp, error) {
	query := s.s.reads.WithContext(ctx).Where("tournament_id = ? AND round = ?", id, round).Order("entry_id, opponent_id, n")
	return db.List("read line-ups", query, func(r *lineUpRow) tournament.LineUp {
		return tournament.LineUp{
			Round: r.Round, Entry: r.EntryID, Opponent: r.OpponentID, N: r.N, Players: r.Players, Final: r.Final, By: r.ByAccount,
			At: r.At,
		}
	})
}

// DueLineUps returns the ids of running tournaments that have sealed line-ups due by a time.
func (s *Tournaments) DueLineUps(ctx context.Context, at int64) ([]string, error) {
	var ids []string
	err := s.s.reads.WithContext(ctx).Table("rounds r").Distinct("r.tournament_id").
		Joins("JOIN tournaments t ON t.id = r.tournament_id AND t.status = ?", tournament.Running).
		Joins("JOIN pairings p ON p.tournament_id = r.tournament_id AND p.round = r.number").
		Where("r.line_ups_due > 0 AND r.status = 'published'").
		Where("COALESCE(NULLIF(p.line_ups_due, 0), r.line_ups_due) <= ?", at).
		Where("p.boards IS NULL AND p.result IS NULL AND p.bye = ''").Pluck("r.tournament_id", &ids).Error
	return ids, db.About("look for line-ups that are due", err)
}
