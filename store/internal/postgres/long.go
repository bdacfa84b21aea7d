package postgres

import (
	"context"
	"database/sql"
	"fmt"
)

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
