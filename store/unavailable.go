package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"quatuor/engine/table"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/sqlite"
)

// about says what an error was about, and whether it means that the database is unavailable at the moment
// ([table.ErrUnavailable]); nil stays nil.
func about(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case unavailable(err):
		return fmt.Errorf("store: %s: %w: %w", what, table.ErrUnavailable, err)
	}
	return fmt.Errorf("store: %s: %w", what, err)
}

// unavailable reports whether an error comes neither from what was asked nor from what is stored, but from a disk that
// is full or does not answer, a file that cannot be written now, another process that holds the lock, or a server that
// is away.
func unavailable(err error) bool {
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false // the caller has given up
	}
	return sqlite.Unavailable(err) || postgres.Unavailable(err) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

// duplicate reports whether a batch failed because a key is there already.
func duplicate(err error) bool { return sqlite.Duplicate(err) || postgres.Duplicate(err) }
