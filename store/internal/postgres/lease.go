package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Lease is a lock that a client holds while it works for several.
type Lease struct {
	Lock int64 // an advisory lock
	Wait time.Duration
	Due  string // a query for a truth value, run by the holder: whether there is something to do
	Args []any
}

// ErrTaken is the error of a lease that another client held all the time.
var ErrTaken = errors.New("another client holds the lease")

const lockTimedOut = "55P03"

// WithLease waits for the lease and then does work if it is due, and reports whether it was. The lease is a transaction
// that does nothing else and has no number, so that it blocks no cleaning up; the server ends it when the client
// stalls.
func (d *DB) WithLease(ctx context.Context, l Lease, work func(context.Context) error) (worked bool, err error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errNotBegun, err)
	}
	defer conn.Close()
	err = conn.Raw(func(under any) error {
		var batch pgx.Batch
		batch.Queue("BEGIN")
		batch.Queue(fmt.Sprintf("SET LOCAL lock_timeout = %d", l.Wait.Milliseconds()))
		batch.Queue(lockFirst, l.Lock)
		batch.Queue(l.Due, l.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(&worked) })
		return under.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
	defer func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), promptly)
		defer cancel()
		// of nothing; where it fails the connection is gone, and the lease with it
		_, _ = conn.ExecContext(within, "ROLLBACK")
	}()
	switch {
	case codeOf(err) == lockTimedOut:
		return false, ErrTaken
	case err != nil || !worked:
		return false, err
	}
	return true, work(ctx)
}

// Held is a lease that this client holds, until Commit or Release, or until the client has stalled for some seconds.
type Held struct {
	db   *DB
	conn *sql.Conn // nil when the lease is over
}

// Pass is singleflight across processes: a single client works, the others wait for its result and are woken together.
type Pass struct {
	Lock  int64 // the advisory lock of the client that works
	First int64 // a lock that it takes first, so that no other client works
	Wait  time.Duration
	Look  string // a query that is run in the end, by all; see Works
	Args  []any
}

// Works is a condition that holds for the client that works, and for none that has waited for it.
const Works = "current_setting('quatuor.works') = 'on'"

// The statements at the beginning of a pass. Rows are looked up by key, each on its own, with generic plans.
const (
	settle = "SELECT set_config('lock_timeout', $1, true), set_config('jit', 'off', true), " +
		"set_config('plan_cache_mode', 'force_generic_plan', true), " +
		"set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), " +
		"set_config('enable_mergejoin', 'off', true)"
	workOrWait = "SELECT set_config('quatuor.works', CASE WHEN pg_try_advisory_xact_lock($1) THEN 'on' || " +
		"CAST(pg_advisory_xact_lock($2) AS text) ELSE 'off' || CAST(pg_advisory_xact_lock_shared($2) AS text) END, true)"
)

// Take begins a pass, or waits for that of another client, and passes on the result of the query then, in a single
// round trip. While it lasts nothing is locked but the lease. If it fails there is nothing to release.
func (d *DB) Take(ctx context.Context, p Pass, read func(pgx.Rows) error) (*Held, error) {
	for try := 1; ; try++ {
		h, err := d.take(ctx, p, read)
		if try == readTries || !readAgain(ctx, err) {
			return h, err
		}
	}
}

func (d *DB) take(ctx context.Context, p Pass, read func(pgx.Rows) error) (*Held, error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotBegun, err)
	}
	h := &Held{d, conn}
	err = conn.Raw(func(under any) error {
		var batch pgx.Batch
		batch.Queue("BEGIN")
		batch.Queue(settle, strconv.FormatInt(p.Wait.Milliseconds(), 10))
		batch.Queue(workOrWait, p.First, p.Lock)
		batch.Queue(p.Look, p.Args...).Query(read)
		return under.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
	switch {
	case err == nil:
		return h, nil
	case codeOf(err) == lockTimedOut:
		err = ErrTaken
	}
	h.Release(ctx)
	return nil, err
}

// Commit carries out a batch and ends the lease, in a single round trip. If the lease was lost, or the server aborts
// the transaction, the batch is carried out without it: its guards decide whether the work still counts.
func (h *Held) Commit(ctx context.Context, b *Batch) error {
	if h.conn == nil {
		return h.db.Run(ctx, b)
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), txTimeout)
	defer cancel()
	err := h.conn.Raw(func(under any) error {
		var batch pgx.Batch
		b.queue(&batch)
		batch.Queue("COMMIT")
		return under.(*stdlib.Conn).Conn().SendBatch(within, &batch).Close()
	})
	if err == nil {
		_ = h.conn.Close()
		h.conn = nil
		return nil
	}
	h.Release(ctx)
	if retryable(err) || Unavailable(err) {
		return h.db.Run(ctx, b)
	}
	return b.judged(err)
}

// Release ends the lease, with nothing done; after Commit it does nothing.
func (h *Held) Release(ctx context.Context) {
	if h.conn == nil {
		return
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), promptly)
	defer cancel()
	if _, err := h.conn.ExecContext(within, "ROLLBACK"); err != nil { // the lease ends with the connection
		_ = h.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = h.conn.Close()
	h.conn = nil
}

// InOnePiece carries out statements, and then a query for a row, as a transaction in a single round trip.
func (d *DB) InOnePiece(ctx context.Context, before []Call, query string, into ...any) error {
	return again(ctx, d.pool, func(ctx context.Context, conn *sql.Conn) error {
		return conn.Raw(func(under any) error {
			var batch pgx.Batch
			for _, c := range before {
				if c.Lock != 0 {
					batch.Queue(lockFirst, c.Lock)
				}
				batch.Queue(c.Text)
			}
			batch.Queue(query).QueryRow(func(row pgx.Row) error { return row.Scan(into...) })
			return under.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
		})
	})
}
