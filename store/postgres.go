package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"quatuor/store/migrations"
)

const (
	// pgConnections is the most connections an instance takes; PostgreSQL allows 100 in all unless told otherwise.
	pgConnections = 24
	// pgPatience is how long a transaction that has begun may last. It goes on when the caller's context ends.
	pgPatience = 15 * time.Second
	// pgTries is how often a transaction is tried that others got in the way of.
	pgTries = 10
	// outboxLock is the advisory lock of the outbox; see the package comment.
	outboxLock = 0x7175_6174_0001
)

// cluster is the backend for PostgreSQL.
type cluster struct {
	db  *sql.DB
	orm *gorm.DB
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	migrating, err := sql.Open("pgx", c.DSN)
	if err != nil {
		return err
	}
	if err := migrations.Postgres(ctx, migrating); err != nil {
		return err
	}
	db, err := sql.Open("pgx", c.DSN)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(pgConnections)
	db.SetMaxIdleConns(pgConnections)
	orm, err := openORM(postgres.New(postgres.Config{Conn: db}))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.backend, s.reads = &cluster{db, orm}, orm
	return nil
}

func (c *cluster) alone() bool { return false }

func (c *cluster) close() error { return c.db.Close() }

func (c *cluster) run(ctx context.Context, b *batch) error {
	return c.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return execBatch(ctx, tx, b) })
}

// execBatch carries out a batch. pgx prepares its statements by itself, once on each connection.
func execBatch(ctx context.Context, tx *sql.Tx, b *batch) error {
	for i, c := range b.calls {
		if c.id == addOutbox {
			// No other transaction can add to the outbox until this one has ended.
			if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(outboxLock)); err != nil {
				return err
			}
		}
		args := make([]any, 0, c.to-c.from)
		for _, arg := range b.argsOf(c) {
			args = append(args, arg.Value)
		}
		result, err := tx.ExecContext(ctx, statements[c.id].text, args...)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); i == 0 && changed == 0 {
			return errors.Join(err, b.refusal)
		}
	}
	return nil
}

func (c *cluster) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		session := c.orm.Session(&gorm.Session{NewDB: true, Context: ctx})
		session.Statement.ConnPool = tx
		return work(session)
	})
}

// errNotBegun says that a transaction failed before it did anything.
var errNotBegun = errors.New("begin")

// transact runs work in a transaction, again if others got in its way. ctx counts only until the transaction begins.
func (c *cluster) transact(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := c.once(ctx, work)
		if try == pgTries || !inTheWay(err) {
			return err
		}
		pause := time.NewTimer(rand.N(time.Millisecond << try))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return errors.Join(ctx.Err(), err)
		}
	}
}

func (c *cluster) once(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pgPatience)
	defer cancel()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	defer tx.Rollback()
	if err := work(ctx, tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// inTheWay reports whether a transaction has failed, with nothing stored, only because of others at the same time
// (40001 serialization failure, 40P01 deadlock), or because its connection was dead before it began.
func inTheWay(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "40001" || refused.Code == "40P01"
	}
	return errors.Is(err, errNotBegun) && errors.Is(err, driver.ErrBadConn)
}
