package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/editions"
	"quatuor/store/internal/postgres"
	"quatuor/store/migrations"
)

// outboxLock is the advisory lock of the outbox; see the package comment.
const outboxLock = 0x7175_6174_0001

// cluster is the backend for PostgreSQL.
type cluster struct {
	db    *postgres.DB
	group *postgres.Group
	orm   *gorm.DB
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	migrating, err := postgres.OpenPool(c.DSN, postgres.Writing, migratingConnections)
	if err != nil {
		return err
	}
	if err := migrations.Postgres(ctx, migrating); err != nil {
		return err
	}
	db, err := postgres.Open(ctx, c.DSN, cmp.Or(c.Connections, postgres.DefaultConnections))
	if err != nil {
		return err
	}
	orm, err := openORM(gormpostgres.New(gormpostgres.Config{Conn: db.Pool()}))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.backend, s.reads = &cluster{db, postgres.NewGroup(db), orm}, orm
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
	s := &Store{backend: reading{}, tournaments: editions.New()}
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

func (c *cluster) run(ctx context.Context, b *batch) error {
	if text := b.moveStatement(); text != "" {
		changed, err := c.group.Run(ctx, postgres.Statement{Text: text, Args: b.values(), Key: b.args[0].Value.(string)})
		if err == nil && changed == 0 {
			return b.refusal
		}
		return err
	}
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

func (c *cluster) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return c.db.Long(ctx, func(tx *sql.Tx) error { return work(ctx, session(ctx, c.orm, tx)) })
}

// beatStatement stores a heartbeat, and by the server's clock whether it continues a run.
const beatStatement = `INSERT INTO heartbeats (instance, at, seen_at, run_at, ended_at)
	SELECT $1, $2::bigint, now.ms, now.ms, 0 FROM (SELECT ` + serverTime + ` / 1000 AS ms) now
	ON CONFLICT (instance) DO UPDATE SET at = excluded.at, seen_at = excluded.seen_at,
		run_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.run_at ELSE excluded.seen_at END,
		ended_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.ended_at ELSE heartbeats.seen_at END`

// serverTime is the time by the server's clock in microseconds. Statements of one transaction see it pass.
const serverTime = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)`

func (c *cluster) beat(ctx context.Context, instance string, at int64) error {
	return c.db.Promptly(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, beatStatement, instance, at, table.MaxSilence.Milliseconds())
		return err
	})
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
