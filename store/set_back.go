package store

import (
	"context"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
)

// SetBack has the games that are not over go on at a time before the last heartbeat, ms UTC: that of a clock which is
// right now and was ahead before. All times of these games become earlier by the same duration, so that every seat
// keeps the time left on its clock and the log keeps its order; the last heartbeat becomes now. It returns the number
// of games and the duration, ms; 0 if the last heartbeat is not ahead. No service may run on the database.
func (g *Games) SetBack(ctx context.Context, now int64) (games int, by int64, err error) {
	last, err := g.LastBeat(ctx)
	if err != nil || last <= now {
		return 0, 0, err
	}
	by = last - now
	err = g.s.backend.write(ctx, func(tx *gorm.DB) error {
		var live []liveRow
		if err := tx.Order("game_id").Find(&live).Error; err != nil {
			return err
		}
		for i := range live {
			if err := setBackGame(tx, &live[i], by); err != nil {
				return err
			}
		}
		games = len(live)
		if err := setBackOutages(tx, by); err != nil {
			return err
		}
		return tx.Exec("UPDATE heartbeats SET at = min(at, ?)", now).Error
	})
	return games, by, db.About("set the games back", err)
}

func setBackGame(tx *gorm.DB, r *liveRow, by int64) error {
	r.Clock = r.Clock.Shift(-by)
	if r.Deadline != 0 {
		r.Deadline -= by
	}
	if err := tx.Model(r).Select("clock", "deadline").Updates(r).Error; err != nil {
		return err
	}
	if err := tx.Exec("UPDATE lines SET at = at - ? WHERE game_id = ?", by, r.GameID).Error; err != nil {
		return err
	}
	if err := tx.Exec("UPDATE game_players SET created_at = created_at - ? WHERE game_id = ?", by, r.GameID).Error; err != nil {
		return err
	}
	for _, column := range []string{"created_at", "started_at", "starts_at"} {
		query := "UPDATE games SET " + column + " = " + column + " - ? WHERE id = ? AND " + column + " <> 0"
		if err := tx.Exec(query, by, r.GameID).Error; err != nil {
			return err
		}
	}
	return nil
}

// setBackOutages sets back the outages that are still to be credited.
func setBackOutages(tx *gorm.DB, by int64) error {
	var outages []outageRow
	if err := tx.Find(&outages).Error; err != nil {
		return err
	}
	for _, o := range outages {
		if err := tx.Delete(&o).Error; err != nil {
			return err
		}
		if err := db.CreateMissing(tx, outageRow(table.Outage{From: o.From - by, To: o.To - by})); err != nil {
			return err
		}
	}
	return nil
}
