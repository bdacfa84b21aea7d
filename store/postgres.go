package store

import (
	"context"
	"database/sql"
	"errors"

	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"

	"quatuor/store/internal/postgres"
	"quatuor/store/migrations"
)

// outboxLock is the advisory lock of the outbox; see the package comment.
const outboxLock = 0x7175_6174_0001

// cluster is the backend for PostgreSQL.
type cluster struct {
	db  *postgres.DB
	orm *gorm.DB
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	migrating, err := postgres.OpenPool(c.DSN)
	if err != nil {
		return err
	}
	if err := migrations.Postgres(ctx, migrating); err != nil {
		return err
	}
	db, err := postgres.Open(c.DSN)
	if err != nil {
		return err
	}
	orm, err := openORM(gormpostgres.New(gormpostgres.Config{Conn: db.Pool()}))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.backend, s.reads = &cluster{db, orm}, orm
	return nil
}

func (c *cluster) alone() bool { return false }

func (c *cluster) close() error { return c.db.Close() }

func (c *cluster) run(ctx context.Context, b *batch) error {
	calls := make([]postgres.Call, len(b.calls))
	for i, call := range b.calls {
		calls[i] = postgres.Call{Text: statements[call.id].text, Args: b.argsOf(call)}
		if call.id == addOutbox { // no other transaction can add to the outbox until this one has ended
			calls[i].Lock = outboxLock
		}
	}
	return c.db.Run(ctx, &postgres.Batch{Calls: calls, Refusal: b.refusal})
}

func (c *cluster) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return work(session(ctx, c.orm, tx)) })
}
