package postgres

import (
	"context"
	"database/sql"
	"fmt"
)

// Pool is a pool of connections that retries reads on another connection.
type Pool struct{ *sql.DB }

// readTries is the maximum of tries of a query if its connection is lost: after a restart of the server a whole pool
// may be dead.
const readTries = 4

// QueryContext sends a query.
func (p Pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := p.DB.QueryContext(ctx, query, args...)
	for try := 1; try < readTries && readAgain(ctx, err); try++ {
		rows, err = p.DB.QueryContext(ctx, query, args...)
	}
	return rows, err
}

// BeginTx begins a transaction.
func (p Pool) BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error) {
	tx, err := p.DB.BeginTx(ctx, opts)
	for try := 1; try < readTries && readAgain(ctx, err); try++ {
		tx, err = p.DB.BeginTx(ctx, opts)
	}
	return tx, err
}

// GetDBConn returns the pool itself, for gorm.
func (p Pool) GetDBConn() (*sql.DB, error) { return p.DB, nil }

func readAgain(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil && lost(err) && !unreachable(err)
}

// Long runs work on as many rows as there are in a transaction, once and for as long as it takes. If ctx ends before
// the commit, everything is taken back.
func (d *DB) Long(ctx context.Context, work func(*sql.Tx) error) error {
	tx, err := d.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	defer tx.Rollback()
	// Between two pages it may compute for longer than an ordinary transaction.
	if _, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = '60s'"); err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	if err := work(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Room is the number of connections that the server allows by the tightest of its limits.
type Room struct {
	Limit int    // of all connections that it applies to
	Taken int    // of them, by others than this connection
	By    string // the setting behind the limit, which can be changed
}

// roomQuery returns the tightest limit that applies. Superusers are bound by max_connections alone.
const roomQuery = `WITH others AS MATERIALIZED (SELECT usename, datname FROM pg_stat_activity WHERE usename IS NOT NULL AND pid <> pg_backend_pid()),
	me AS (SELECT rolname, rolconnlimit, rolsuper FROM pg_roles WHERE rolname = session_user)
	SELECT allowed, taken, what FROM (
		SELECT rolconnlimit, (SELECT count(*) FROM others WHERE usename = rolname), 'CONNECTION LIMIT of the role ' || quote_ident(rolname)
			FROM me WHERE rolconnlimit >= 0 AND NOT rolsuper
		UNION ALL SELECT datconnlimit, (SELECT count(*) FROM others WHERE others.datname = d.datname), 'CONNECTION LIMIT of the database ' || quote_ident(datname)
			FROM pg_database d, me WHERE datname = current_database() AND datconnlimit >= 0 AND NOT rolsuper
		UNION ALL SELECT current_setting('max_connections')::integer - CASE WHEN rolsuper THEN 0 ELSE
			current_setting('superuser_reserved_connections')::integer + coalesce(current_setting('reserved_connections', true)::integer, 0) END,
			(SELECT count(*) FROM others), 'max_connections of the server' FROM me
	) AS limits (allowed, taken, what) ORDER BY allowed - taken, allowed LIMIT 1`

// Room returns how many connections the server has left.
func (d *DB) Room(ctx context.Context) (r Room, err error) {
	err = d.pool.QueryRowContext(ctx, roomQuery).Scan(&r.Limit, &r.Taken, &r.By)
	return r, err
}

// checkRoom refuses a server with a limit below the connections of an instance, which would only fail once it needs the
// last of them.
func (d *DB) checkRoom(ctx context.Context, connections int) error {
	r, err := d.Room(ctx)
	if err != nil {
		return fmt.Errorf("ask the database for its limits of connections: %w", err)
	}
	if r.Limit < connections {
		return fmt.Errorf("the database allows %d connections (%s), and this instance takes %d: raise the limit to the "+
			"connections of all instances together and some more, or lower --database-connections, to %d at least",
			r.Limit, r.By, connections, MinConnections)
	}
	return nil
}
