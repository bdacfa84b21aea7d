package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
// transaction that does nothing else and takes no number, so that it is in no one's way; the server ends it when the client
// stands still.
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
