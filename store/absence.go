package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/table"
	"quatuor/store/editions"
	"quatuor/store/internal/postgres"
	"quatuor/store/members"
	"quatuor/store/migrations"
)

// This file is what a start needs to know of the games and of the time before it, and what instances tell each other by
// their heartbeats.

// heartbeatRow is when an instance was last alive.
type heartbeatRow struct {
	Instance string `gorm:"primaryKey"`
	At       int64
	SeenAt   int64 // when it came, by the clock of the database's server; on PostgreSQL alone, as all that follows
	RunAt    int64 // the first of those that followed each other without a break
	EndedAt  int64 // the last one before that break; 0 for none
	Address  string
	Epoch    int64 // when the instance began, by the same clock; 0 for one that has said that it ends
}

func (heartbeatRow) TableName() string { return "heartbeats" }

// outageRow is an outage that running games are still owed.
type outageRow struct {
	FromAt int64 `gorm:"primaryKey;autoIncrement:false"`
	ToAt   int64 `gorm:"primaryKey;autoIncrement:false"`
}

func (outageRow) TableName() string { return "outages" }

// Armed lists the running games, whether they have a deadline or not, and the waiting ones that have: all of them, or
// those of a list that is not nil. There may be a hundred thousand, so gorm is left out.
func (g *Games) Armed(ctx context.Context, of []string) (armed []table.Armed, err error) {
	const query = "SELECT game_id, deadline FROM live_games WHERE (status = ? OR status = ? AND deadline > 0)"
	if of == nil {
		return g.armed(ctx, query, table.Running, table.Waiting)
	}
	for part := range chunks(of) {
		more, err := g.armed(ctx, query+" AND game_id IN ?", table.Running, table.Waiting, part)
		if err != nil {
			return nil, err
		}
		armed = append(armed, more...)
	}
	return armed, nil
}

func (g *Games) armed(ctx context.Context, query string, args ...any) (armed []table.Armed, err error) {
	rows, err := g.s.reads.WithContext(ctx).Raw(query, args...).Rows()
	if err != nil {
		return nil, about("list running games", err)
	}
	defer rows.Close()
	for rows.Next() {
		var a table.Armed
		if err := rows.Scan(&a.ID, &a.Deadline); err != nil {
			return nil, about("list running games", err)
		}
		armed = append(armed, a)
	}
	return armed, about("list running games", rows.Err())
}

// Rows returns games without their logs; those that do not exist are left out.
func (g *Games) Rows(ctx context.Context, ids []string) ([]table.Row, error) {
	var list []table.Row
	for part := range chunks(ids) {
		var found []struct {
			Game   gameRow `gorm:"embedded"`
			LastAt int64
		}
		err := g.s.reads.WithContext(ctx).Raw(`SELECT `+gameColumns+`, coalesce(lines.at, 0) AS last_at FROM games `+liveJoin+`
			LEFT JOIN lines ON lines.game_id = games.id AND lines.n = coalesce(live_games.version, games.version) WHERE games.id IN ?`, part).
			Scan(&found).Error
		if err != nil {
			return nil, about("read games", err)
		}
		for i := range found {
			list = append(list, table.Row{Game: found[i].Game.game(), LastAt: found[i].LastAt})
		}
	}
	return list, nil
}

// NoteOutage stores an outage that running games are owed.
func (g *Games) NoteOutage(ctx context.Context, o table.Outage) error {
	return about("note an outage", g.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&outageRow{o.From, o.To}).Error
	}))
}

// Outages lists the outages that running games are still owed, by their end.
func (g *Games) Outages(ctx context.Context) ([]table.Outage, error) {
	var rows []outageRow
	err := g.s.reads.WithContext(ctx).Order("to_at, from_at").Find(&rows).Error
	outages := make([]table.Outage, len(rows))
	for i, r := range rows {
		outages[i] = table.Outage{From: r.FromAt, To: r.ToAt}
	}
	return outages, about("read the outages", err)
}

// DropOutages removes outages that every game has got.
func (g *Games) DropOutages(ctx context.Context, outages []table.Outage) error {
	return about("drop outages", g.s.backend.write(ctx, func(tx *gorm.DB) error {
		for _, o := range outages {
			if err := tx.Delete(&outageRow{o.From, o.To}).Error; err != nil {
				return err
			}
		}
		return nil
	}))
}

// Beat stores an instance's heartbeat. On PostgreSQL it brings the list of the living instances.
func (g *Games) Beat(ctx context.Context, instance string, at int64) error {
	if c, is := g.s.backend.(*cluster); is {
		began := time.Now()
		living, err := c.beat(ctx, heartbeatRow{Instance: instance, At: at, Address: g.s.members.Self().Address})
		if err == nil {
			g.s.beaten.Store(&began)
			g.s.members.Heard(living)
		}
		return about("store a heartbeat", err)
	}
	return about("store a heartbeat", g.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&heartbeatRow{Instance: instance, At: at}).Error
	}))
}

// LastBeat returns the latest heartbeat of all instances, 0 if there is none.
func (g *Games) LastBeat(ctx context.Context) (int64, error) {
	var at int64
	err := g.s.reads.WithContext(ctx).Model(&heartbeatRow{}).Select("coalesce(max(at), 0)").Scan(&at).Error
	return at, about("read the last heartbeat", err)
}

// cluster is the backend for PostgreSQL.
type cluster struct {
	db    *postgres.DB
	group *postgres.Group
	orm   *gorm.DB
	ends  ownEnds

	tidied atomic.Bool // heartbeats of instances that ended long ago were removed
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	migrating, err := postgres.OpenPool(c.DSN, postgres.Writing, migratingConnections)
	if err != nil {
		return err
	}
	if err := migrations.Postgres(ctx, migrating); err != nil {
		return err
	}
	connections := cmp.Or(c.Connections, postgres.DefaultConnections)
	db, err := postgres.Open(ctx, c.DSN, connections)
	if err != nil {
		return err
	}
	if room, err := db.Room(ctx); err == nil && room.Limit-room.Taken < connections {
		s.log.Warn("the database has too few connections left: raise the limit before all are needed", "limit", room.Limit, "by", room.By,
			"taken", room.Taken, "needed", connections)
	}
	orm, err := openORM(gormpostgres.New(gormpostgres.Config{Conn: db.Pool()}))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.backend, s.reads = &cluster{db: db, group: postgres.NewGroup(db), orm: orm}, orm
	return nil
}

// readingConnections is how many connections a database takes that is only read.
const readingConnections = 2

// openClusterToRead is OpenToRead on PostgreSQL, where the server refuses every write; a standby will do.
func openClusterToRead(ctx context.Context, c Config) (*Store, error) {
	pool, err := postgres.OpenPool(c.DSN, postgres.Reading, readingConnections)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := migrations.Current(ctx, pool); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), pool.Close())
	}
	s := &Store{backend: reading{}, tournaments: editions.New(), members: members.Alone(members.Member{})}
	if s.reads, err = openORM(gormpostgres.New(gormpostgres.Config{Conn: postgres.Pool{DB: pool}})); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), pool.Close())
	}
	return s, nil
}

// migratingConnections is how many connections a migration takes: one for its lock, one to work with.
const migratingConnections = 2

func (c *cluster) alone() bool { return false }

func (c *cluster) close() error {
	c.group.Close()
	return c.db.Close()
}

// run carries out batches on games in groups. What the ratings write comes from one consumer, as few large batches.
func (c *cluster) run(ctx context.Context, b *batch) error {
	if b.calls[0].id != moveRatings {
		held, err := c.group.Run(ctx, b.write())
		if err == nil && !held {
			return b.refusal
		}
		return err
	}
	return c.db.Run(ctx, &postgres.Batch{Calls: b.many(), Refusal: b.refusal})
}

func (c *cluster) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return work(session(ctx, c.orm, tx)) })
}

func (c *cluster) single(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.db.Single(ctx, func(ctx context.Context, conn *sql.Conn) error { return work(session(ctx, c.orm, conn)) })
}

func (c *cluster) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return c.db.Long(ctx, func(tx *sql.Tx) error { return work(ctx, session(ctx, c.orm, tx)) })
}

// beatStatement stores a heartbeat, and by the server's clock whether it continues a run. It returns the living
// instances.
const beatStatement = `WITH clock AS MATERIALIZED (SELECT ` + serverTime + ` / 1000 AS ms),
	mine AS (INSERT INTO heartbeats (instance, at, seen_at, run_at, ended_at, address, epoch)
		SELECT $1, $2::bigint, ms, ms, 0, $4, ms FROM clock
		ON CONFLICT (instance) DO UPDATE SET at = excluded.at, seen_at = excluded.seen_at,
			run_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.run_at ELSE excluded.seen_at END,
			ended_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.ended_at ELSE heartbeats.seen_at END
		RETURNING instance, address, epoch, seen_at)
	SELECT instance, address, epoch, seen_at FROM mine WHERE epoch > 0
	UNION ALL SELECT instance, address, epoch, seen_at FROM heartbeats
	WHERE instance <> $1 AND epoch > 0 AND seen_at > (SELECT ms FROM clock) - $5`

// serverTime is the time by the server's clock in microseconds. Statements of one transaction see it pass.
const serverTime = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)`

func (c *cluster) beat(ctx context.Context, r heartbeatRow) (living []members.Beat, err error) {
	err = c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		living = nil
		rows, err := db.QueryContext(ctx, beatStatement, r.Instance, r.At, table.MaxSilence.Milliseconds(), r.Address, members.Window.Milliseconds())
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var b members.Beat
			if err := rows.Scan(&b.Instance, &b.Address, &b.Epoch, &b.SeenAt); err != nil {
				return err
			}
			living = append(living, b)
		}
		return rows.Err()
	})
	if err == nil && !c.tidied.Swap(true) {
		_ = c.forgetDead(ctx) // else the next start does it
	}
	return living, err
}

// deadFor is how long the heartbeat of an instance is kept that has ended, in ms: what it tells about absences is long
// settled then.
const deadFor = 24 * 60 * 60 * 1000

// forgetDead removes the heartbeats of instances that ended long ago. Each start leaves a row, so each start removes
// some.
func (c *cluster) forgetDead(ctx context.Context) error {
	return c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, "DELETE FROM heartbeats WHERE seen_at > 0 AND seen_at < "+serverTime+" / 1000 - $1", deadFor)
		return err
	})
}

// Members returns what this instance knows of the living ones. It is brought up to date with each heartbeat.
func (s *Store) Members() *members.Members { return s.members }

// Leave says to the other instances that this one is about to end, so that they take over what it owns with their next
// heartbeat. It may still beat and write.
func (s *Store) Leave(ctx context.Context) error {
	s.members.Leave()
	c, is := s.backend.(*cluster)
	if !is {
		return nil
	}
	return about("leave the other instances", c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, "UPDATE heartbeats SET epoch = 0 WHERE instance = $1", s.instance)
		return err
	}))
}

// Peers returns what instances know of each other through the database; nil where there is one alone.
func (s *Store) Peers() table.Peers {
	if c, is := s.backend.(*cluster); is {
		return peers{c}
	}
	return nil
}

type peers struct{ c *cluster }

// Clock returns the time by the clock of the database's server.
func (p peers) Clock(ctx context.Context) (time.Time, error) {
	var at int64
	err := p.c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT "+serverTime).Scan(&at)
	})
	return time.UnixMicro(at).UTC(), about("ask for the time", err)
}

// Runs lists when instances were alive.
func (p peers) Runs(ctx context.Context) (runs []table.Run, err error) {
	err = p.c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		runs = nil
		rows, err := db.QueryContext(ctx, "SELECT run_at, seen_at, ended_at FROM heartbeats WHERE seen_at > 0")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r table.Run
			if err := rows.Scan(&r.From, &r.To, &r.Before); err != nil {
				return err
			}
			runs = append(runs, r)
		}
		return rows.Err()
	})
	return runs, about("read the heartbeats", err)
}
