// Package postgres runs transactions on a PostgreSQL database, each at READ COMMITTED, and repeats those that failed
// only because of others at the same time or because their connection was lost before the end. It knows nothing of the
// domain.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// MaxTries is the maximum of tries of a transaction that conflicts with others.
const MaxTries = 10

const (
	// DefaultConnections is the default number of connections of an instance. PostgreSQL's default allows 97 in all,
	// enough for ten instances.
	DefaultConnections = 8
	// MinConnections is the least that an instance can work with.
	MinConnections = 6
	// Reserved is the number of them outside the pool: for the heartbeat, which must not wait behind others; for LISTEN
	// ([Connect]); and two for groups, since the next group fills while the last is stored.
	Reserved     = 2 + groupWriters
	groupWriters = 2
)

// txTimeout is the maximum time of a transaction that has begun. It goes on when the caller's context ends.
const txTimeout = 15 * time.Second

// DB is a database to write to.
type DB struct {
	pool    *sql.DB
	heart   *sql.DB
	writers *sql.DB // of groups
}

// Open returns a database with a maximum of connections for this instance.
func Open(ctx context.Context, dsn string, connections int) (*DB, error) {
	if connections < MinConnections {
		return nil, fmt.Errorf("an instance needs at least %d connections to the database, not %d", MinConnections,
			connections)
	}
	var d DB
	for _, p := range []struct {
		pool        **sql.DB
		access      Access
		connections int
	}{{&d.pool, Writing, connections - Reserved}, {&d.heart, Writing, 1}, {&d.writers, Grouping, groupWriters}} {
		var err error
		if *p.pool, err = OpenPool(dsn, p.access, p.connections); err != nil { // by the address; nothing is connected yet
			return nil, err
		}
	}
	err := checkServer(ctx, dsn, d.pool)
	if err == nil {
		err = d.checkRoom(ctx, connections)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &d, nil
}

// Pool returns the connections, which may be read with.
func (d *DB) Pool() Pool { return Pool{d.pool} }

// promptly is the timeout of the heartbeat's statements.
const promptly = 3 * time.Second

// Promptly does something short and idempotent on the heartbeat's connection, which waits behind nothing else, and
// retries it once if that was lost. The server must answer within 3 s.
func (d *DB) Promptly(ctx context.Context, do func(context.Context, *sql.DB) error) error {
	within, cancel := context.WithTimeout(ctx, promptly)
	defer cancel()
	err := do(within, d.heart)
	if readAgain(within, err) {
		err = do(within, d.heart)
	}
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return fmt.Errorf("%w: %s", errSlow, err)
	}
	return err
}

// Close closes the connections.
func (d *DB) Close() error { return errors.Join(d.pool.Close(), d.heart.Close(), d.writers.Close()) }

// Transact runs work in a transaction, again if it conflicted with others or lost its connection before the end. ctx
// counts only until the transaction begins.
func (d *DB) Transact(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	return again(ctx, d.pool, func(ctx context.Context, conn *sql.Conn) error {
		tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
		if err != nil {
			return fmt.Errorf("%w: %w", errNotBegun, err)
		}
		defer tx.Rollback()
		if err := work(ctx, tx); err != nil {
			if lost(err) {
				return fmt.Errorf("%w: %w", errUndone, err)
			}
			return err
		}
		if err := tx.Commit(); err != nil {
			return fmt.Errorf("commit: %w", err)
		}
		return nil
	})
}

// Single runs work of a single statement, which is a transaction of its own, and repeats it if it conflicted with
// others or was certainly not carried out. ctx counts only until it begins.
func (d *DB) Single(ctx context.Context, work func(context.Context, *sql.Conn) error) error {
	return again(ctx, d.pool, work)
}

// again carries something out on a connection of a pool until it succeeds or fails for good.
func again(ctx context.Context, pool *sql.DB, do func(context.Context, *sql.Conn) error) error {
	for try := 1; ; try++ {
		err := once(ctx, pool, do)
		if try == MaxTries || !retryable(err) {
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

func once(ctx context.Context, pool *sql.DB, do func(context.Context, *sql.Conn) error) error {
	free, cancel := context.WithTimeout(ctx, txTimeout)
	defer cancel()
	conn, err := pool.Conn(free)
	switch {
	case err != nil && ctx.Err() == nil && free.Err() != nil:
		return fmt.Errorf("%w: no connection was free", errSlow)
	case err != nil:
		return fmt.Errorf("%w: connect: %w", errNotBegun, err)
	}
	defer conn.Close()
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), txTimeout)
	defer cancel()
	err = do(within, conn)
	if err != nil && within.Err() != nil {
		err = fmt.Errorf("%w: %s", errSlow, err) // not %w: no caller has given up
	}
	if onlyReads(err) { // it was the primary until now; the next connection looks for the new primary
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}
