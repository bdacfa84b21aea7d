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
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Turn is work that one of several clients does at a time.
type Turn struct {
	Lock     int64 // an advisory lock
	Patience time.Duration
	Due      string // a query, asked in the turn, for a truth value: whether there is something to do
	Args     []any
}

// ErrTaken says that another client had the turn for all the time.
var ErrTaken = errors.New("another client has the turn")

// InTurn waits for the turn and then does work if it is due, and reports whether it was. The turn lasts as long as a
// transaction that does nothing else and takes no number, so that it is in no one's way; the server ends it when the
// client stands still.
func (d *DB) InTurn(ctx context.Context, t Turn, work func(context.Context) error) (worked bool, err error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errNotBegun, err)
	}
	defer conn.Close()
	err = conn.Raw(func(under any) error {
		var batch pgx.Batch
		batch.Queue("BEGIN")
		batch.Queue(fmt.Sprintf("SET LOCAL lock_timeout = %d", t.Patience.Milliseconds()))
		batch.Queue(lockFirst, t.Lock)
		batch.Queue(t.Due, t.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(&worked) })
		return under.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
	defer func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), promptly)
		defer cancel()
		_, _ = conn.ExecContext(within, "ROLLBACK") // of nothing; where it fails the connection is gone, and the turn with it
	}()
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && refused.Code == "55P03":
		return false, ErrTaken
	case err != nil || !worked:
		return false, err
	}
	return true, work(ctx)
}

// Held is the turn while this client has it. It lasts until Commit or Release, or until the client has stood still for
// some seconds.
type Held struct {
	db   *DB
	conn *sql.Conn // nil when the turn is over
}

// Pass is work that one of several clients does for all. One who comes while another is at it waits until that one has
// done it, together with all who came so, and is not its successor: all go on at the same moment.
type Pass struct {
	Lock     int64 // an advisory lock that the client has which is at it
	First    int64 // one that it has from before that, so that there is one at most
	Patience time.Duration
	Look     string // a query that is asked in the end; Works tells it who asks
	Args     []any
}

// Works is a condition that holds for the client that is to do the work, and for none that has waited for it.
const Works = "current_setting('quatuor.works') = 'on'"

// What a pass begins with. Rows are looked up one by one, by plans that are made once.
const (
	settle = "SELECT set_config('lock_timeout', $1, true), set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true), " +
		"set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)"
	workOrWait = "SELECT set_config('quatuor.works', CASE WHEN pg_try_advisory_xact_lock($1) THEN 'on' || CAST(pg_advisory_xact_lock($2) AS text) " +
		"ELSE 'off' || CAST(pg_advisory_xact_lock_shared($2) AS text) END, true)"
)

// Take begins a pass, or waits for that of another client, and hands on what is found then, all in one round trip.
// While it lasts nothing is locked but the turn. If it fails there is nothing to release.
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
		batch.Queue(settle, strconv.FormatInt(p.Patience.Milliseconds(), 10))
		batch.Queue(workOrWait, p.First, p.Lock)
		batch.Queue(p.Look, p.Args...).Query(read)
		return under.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return h, nil
	case errors.As(err, &refused) && refused.Code == "55P03":
		err = ErrTaken
	}
	h.Release(ctx)
	return nil, err
}

// Commit carries out a batch and ends the turn, in one round trip. Where the turn was lost meanwhile, or the server
// breaks it off, it is carried out without: the batch's guards say whether its work still counts.
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

// Release ends the turn, with nothing done; after Commit it does nothing.
func (h *Held) Release(ctx context.Context) {
	if h.conn == nil {
		return
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), promptly)
	defer cancel()
	if _, err := h.conn.ExecContext(within, "ROLLBACK"); err != nil { // the turn goes with the connection
		_ = h.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = h.conn.Close()
	h.conn = nil
}

// InOnePiece carries out statements, and then a query for one row, as one transaction in one round trip.
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
