// Package sqlitetest makes commits fail, for tests of the consequences.
package sqlitetest

import (
	"context"
	"database/sql"
)

// OnCommit calls f just before every commit on the connection of a pool of size 1; if f returns something other than 0,
// the commit fails.
func OnCommit(ctx context.Context, pool *sql.DB, f func() int) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error {
		hook(c, f)
		return nil
	})
}
