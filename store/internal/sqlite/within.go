package sqlite

import (
	"context"
	"database/sql"

	"gorm.io/gorm"
)

// Within is the connection of a transaction as gorm may use it: for statements, not for transactions of its own.
type Within struct{ Conn *sql.Conn }

var _ gorm.ConnPool = Within{}

// PrepareContext is [sql.Conn.PrepareContext], as the others are those of their names.
func (w Within) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return w.Conn.PrepareContext(ctx, query)
}

// ExecContext runs a statement.
func (w Within) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return w.Conn.ExecContext(ctx, query, args...)
}

// QueryContext runs a query.
func (w Within) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return w.Conn.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query for one row.
func (w Within) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return w.Conn.QueryRowContext(ctx, query, args...)
}
