package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"

	"quatuor/engine/table"
)

// about says what an error was about, and whether it means that the database is not to be had at the moment
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
	var lite sqlite3.Error
	var refused *pgconn.PgError
	var unreached *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return false // whoever asked has given up
	case errors.As(err, &lite):
		return awayOnSQLite(lite.Code)
	case errors.As(err, &refused):
		return awayOnPostgres(refused.Code)
	}
	return errors.Is(err, errClosed) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.As(err, &unreached) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

func awayOnSQLite(code sqlite3.ErrNo) bool {
	switch code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrNomem, sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrFull,
		sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrProtocol:
		return true
	}
	return false
}

// awayOnPostgres goes by the classes of PostgreSQL's error codes (appendix A of its manual), and by the codes of a
// server that only reads, of a lock not to be had, and of the transactions that were broken off again and again.
func awayOnPostgres(code string) bool {
	for _, class := range []string{
		"08", // connection
		"53", // resources: disk full, out of memory, too many connections
		"57", // operator: shutting down, starting up
		"58", // system: input or output
		"25006", "55P03", "40001", "40P01",
	} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}

// duplicate reports whether a batch failed because a key is there already.
func duplicate(err error) bool {
	var lite sqlite3.Error
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &lite):
		return lite.ExtendedCode == sqlite3.ErrConstraintUnique || lite.ExtendedCode == sqlite3.ErrConstraintPrimaryKey
	case errors.As(err, &refused):
		return refused.Code == "23505"
	}
	return false
}
