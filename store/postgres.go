package store

import (
	"context"
	"database/sql"
	"sync/atomic"

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
