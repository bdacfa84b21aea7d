package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// longCacheKiB is the page cache of a transaction that goes through a whole table.
const longCacheKiB = 64 << 10

// Long carries out work on any number of rows in a transaction of its own, once, and returns when it is durable. Other
// writes wait. Pages that exceed the cache spill to the log before the commit, so memory stays bounded. If ctx ends
// first, everything is rolled back.
func (w *Writer) Long(ctx context.Context, work func(context.Context, *sql.Conn) error) error {
	long := func(conn *sql.Conn) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return work(ctx, conn)
	}
	return w.submit(ctx, &job{long: long, done: make(chan error, 1)})
}

// alone carries out long work.
func (w *Writer) alone(work func(*sql.Conn) error) (err error) {
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	do := func(text string) error {
		_, err := conn.ExecContext(context.Background(), text)
		return err
	}
	defer func() {
		err = errors.Join(err, do("PRAGMA cache_spill = 0"), do(fmt.Sprintf("PRAGMA cache_size = %d", -writerCacheKiB)))
	}()
	for _, text := range []string{
		"PRAGMA cache_spill = 1", fmt.Sprintf("PRAGMA cache_size = %d", -longCacheKiB),
		"BEGIN IMMEDIATE",
	} {
		if err := do(text); err != nil {
			return err
		}
	}
	err = guarded(work, conn)
	if err == nil {
		if err = do("COMMIT"); err == nil {
			return nil
		}
	}
	_ = do("ROLLBACK") // unless SQLite has done so
	return err
}
