package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/migrations"
)

// cluster is the backend for PostgreSQL.
type cluster struct {
	outbox.Shared
	db    *postgres.DB
	group *postgres.Group
	orm   *gorm.DB
	ends  ownEnds
	rated atomic.Int64 // the ratings' cursor as it was last seen

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
	server, err := postgres.Open(ctx, c.DSN, connections)
	if err != nil {
		return err
	}
	if room, err := server.Room(ctx); err == nil && room.Limit-room.Taken < connections {
		s.log.Warn("the database has too few connections left: raise the limit before all are needed", "limit", room.Limit, "by", room.By,
			"taken", room.Taken, "needed", connections)
	}
	orm, err := openORM(gormpostgres.New(gormpostgres.Config{Conn: server.Pool()}))
	if err != nil {
		return errors.Join(err, server.Close())
	}
	s.backend, s.reads = &cluster{Shared: outbox.Shared{DB: server}, db: server, group: postgres.NewGroup(server), orm: orm}, orm
	s.peers, s.attempts = peers{server}, &Attempts{server}
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
	return newReading("", gormpostgres.New(gormpostgres.Config{Conn: postgres.Pool{DB: pool}}), pool)
}

// migratingConnections is how many connections a migration takes: one for its lock, one to work with.
const migratingConnections = 2

func (c *cluster) alone() bool { return false }

func (c *cluster) connections() (sql.DBStats, bool) { return c.db.Pool().Stats(), true }

func (c *cluster) schema(ctx context.Context) (now Schema, err error) {
	if now.Migrating, err = migrations.UnderWay(ctx, c.db.Pool().DB); err != nil {
		return now, db.About("look for a migration", err)
	}
	present, known, err := migrations.Versions(ctx, c.db.Pool().DB)
	now.Older = present < known
	return now, db.About("look at the schema", err)
}

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
