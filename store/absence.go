package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/members"
)

// heartbeatRow is the time of an instance's last heartbeat, and the breaks before it.
type heartbeatRow struct {
	Instance string `gorm:"primaryKey"`
	At       int64
	SeenAt   int64 // when it came, by the clock of the database's server; on PostgreSQL alone, as all that follows
	RunAt    int64 // the first of those that followed each other without a break
	EndedAt  int64 // the last heartbeat before that break; 0 for none
	Address  string
	Epoch    int64 // when the instance began, by the same clock; 0 after it has announced its end
}

func (heartbeatRow) TableName() string { return "heartbeats" }

// outageRow is an outage not yet credited to the running games.
type outageRow struct {
	From int64 `gorm:"primaryKey;autoIncrement:false;column:from_at"`
	To   int64 `gorm:"primaryKey;autoIncrement:false;column:to_at"`
}

func (outageRow) TableName() string { return "outages" }

// Armed lists the running games and the waiting games with a deadline: all, or those of a list that is not nil. There
// may be a hundred thousand, so gorm is left out.
func (g *Games) Armed(ctx context.Context, of []string) (armed []table.Armed, err error) {
	const query = "SELECT game_id, deadline FROM live_games WHERE (status = ? OR status = ? AND deadline > 0)"
	if of == nil {
		return g.armed(ctx, query, table.Running, table.Waiting)
	}
	for part := range db.Chunks(of) {
		more, err := g.armed(ctx, query+" AND game_id IN ?", table.Running, table.Waiting, part)
		if err != nil {
			return nil, err
		}
		armed = append(armed, more...)
	}
	return armed, nil
}

// LastEntry returns the latest time in the logs of the games that are not over, ms UTC; 0 for none.
func (g *Games) LastEntry(ctx context.Context) (last int64, err error) {
	err = g.s.reads.WithContext(ctx).Raw(`SELECT coalesce(max(lines.at), 0) FROM live_games
		JOIN lines ON lines.game_id = live_games.game_id AND lines.n = live_games.version`).Scan(&last).Error
	return last, db.About("read the latest times of games", err)
}

// CountRunning returns how many games are running.
func (g *Games) CountRunning(ctx context.Context) (n int64, err error) {
	err = g.s.reads.WithContext(ctx).Raw("SELECT count(*) FROM games WHERE status = ?", table.Running).Scan(&n).Error
	return n, db.About("count running games", err)
}

func (g *Games) armed(ctx context.Context, query string, args ...any) (armed []table.Armed, err error) {
	rows, err := g.s.reads.WithContext(ctx).Raw(query, args...).Rows()
	armed, err = db.Collect(rows, err, func(a *table.Armed) []any { return []any{&a.ID, &a.Deadline} })
	return armed, db.About("list running games", err)
}

// Rows returns games without their logs; those that do not exist are left out.
func (g *Games) Rows(ctx context.Context, ids []string) ([]table.Row, error) {
	var list []table.Row
	for part := range db.Chunks(ids) {
		var found []struct {
			Game   gameRow `gorm:"embedded"`
			LastAt int64
		}
		err := g.s.reads.WithContext(ctx).Raw(`SELECT `+gameColumns+`, coalesce(lines.at, 0) AS last_at FROM games `+liveJoin+`
			LEFT JOIN lines ON lines.game_id = games.id AND lines.n = coalesce(live_games.version, games.version) WHERE games.id IN ?`, part).
			Scan(&found).Error
		if err != nil {
			return nil, db.About("read games", err)
		}
		for i := range found {
			list = append(list, table.Row{Game: found[i].Game.game(), LastAt: found[i].LastAt})
		}
	}
	return list, nil
}

// NoteOutage stores an outage that is to be credited to the running games.
func (g *Games) NoteOutage(ctx context.Context, o table.Outage) error {
	return db.About("note an outage", g.s.backend.write(ctx, func(tx *gorm.DB) error {
		return db.CreateMissing(tx, outageRow(o))
	}))
}

// Outages lists the outages that are still to be credited to running games, by their end.
func (g *Games) Outages(ctx context.Context) ([]table.Outage, error) {
	query := g.s.reads.WithContext(ctx).Order("to_at, from_at")
	return db.List("read the outages", query, func(r *outageRow) table.Outage { return table.Outage(*r) })
}

// DropOutages removes outages that have been credited to every game.
func (g *Games) DropOutages(ctx context.Context, outages []table.Outage) error {
	return db.About("drop outages", g.s.backend.write(ctx, func(tx *gorm.DB) error {
		for _, o := range outages {
			if err := tx.Delete((*outageRow)(&o)).Error; err != nil {
				return err
			}
		}
		return nil
	}))
}

// Beat stores an instance's heartbeat. On PostgreSQL it brings the list of the living instances.
func (g *Games) Beat(ctx context.Context, instance string, at int64) error {
	began := time.Now()
	living, err := g.s.backend.beat(ctx, members.Member{Instance: instance, Address: g.s.members.Self().Address}, at)
	if err == nil {
		g.s.beaten.Store(&began)
		g.s.members.Heard(living)
	}
	return db.About("store a heartbeat", err)
}

// LastBeat returns the latest heartbeat of all instances, 0 if there is none.
func (g *Games) LastBeat(ctx context.Context) (int64, error) {
	var at int64
	err := g.s.reads.WithContext(ctx).Model(&heartbeatRow{}).Select("coalesce(max(at), 0)").Scan(&at).Error
	return at, db.About("read the last heartbeat", err)
}

// Members returns the living instances as of the last heartbeat.
func (s *Store) Members() *members.Members { return s.members }

// Leave announces the end of this instance to the others, so that they take over its games with their next heartbeat.
// It may still beat and write.
func (s *Store) Leave(ctx context.Context) error {
	s.members.Leave()
	return db.About("leave the other instances", s.backend.leave(ctx, s.instance))
}

// Peers returns the heartbeats of all instances and the server's clock; nil on SQLite.
func (s *Store) Peers() table.Peers { return s.peers }

// servedWithin is longer than the heartbeat interval of any version, and servedAgain is the polling interval.
const servedWithin, servedAgain = 2500 * time.Millisecond, 100 * time.Millisecond

// Served reports whether another instance serves on this database, by waiting a moment for a heartbeat.
func (s *Store) Served(ctx context.Context) (bool, error) {
	if s.backend.alone() {
		return false, nil
	}
	latest := func() (at int64, err error) {
		err = s.reads.WithContext(ctx).Model(&heartbeatRow{}).Where("instance <> ?", s.instance).
			Select("coalesce(max(seen_at), 0)").Scan(&at).Error
		return at, db.About("look for other instances", err)
	}
	before, err := latest()
	if err != nil {
		return false, err
	}
	again := time.NewTicker(servedAgain)
	defer again.Stop()
	for began := time.Now(); time.Since(began) < servedWithin; {
		select {
		case <-again.C:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		if at, err := latest(); err != nil || at > before {
			return err == nil, err
		}
	}
	return false, nil
}

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
