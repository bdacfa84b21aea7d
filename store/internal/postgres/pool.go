package postgres

import (
	"context"
	"database/sql"
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
