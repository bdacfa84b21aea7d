package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// errNotBegun is a transaction that failed before it did anything.
	errNotBegun = errors.New("begin")
	// errUndone is a connection lost before the commit was sent: nothing is stored.
	errUndone = errors.New("the connection was lost within a transaction")
	// errSlow is a server that did not answer in time.
	errSlow = errors.New("the database does not answer")
)

// codes are the classes of PostgreSQL's error codes (appendix A of its manual), and single codes, that mean that the
// server cannot serve at the moment.
var codes = []string{
	"08",    // connection
	"53",    // resources: disk full, out of memory, too many connections
	"57P",   // operator: shutting down, starting up
	"57014", // a statement that was cancelled
	"58",    // system: input or output
	"25006", // it only reads
	"25P03", // a transaction that was idle for too long
	"25P04", // a transaction that lasted too long
	"55P03", // a lock that is held
	"40001", // transactions that were broken off again and again
	"40P01",
}

// Unavailable reports whether an error comes from a server that cannot be reached or cannot serve at the moment, or
// from a connection that was lost.
func Unavailable(err error) bool {
	if refused := codeOf(err); refused != "" {
		return slices.ContainsFunc(codes, func(code string) bool { return strings.HasPrefix(refused, code) })
	}
	return errors.Is(err, errSlow) || lost(err)
}

// lost reports whether a connection could not be made, or is gone.
func lost(err error) bool {
	if refused := codeOf(err); refused != "" {
		return gone(refused)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false // the caller has given up
	}
	var network net.Error
	return unreachable(err) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// gone reports whether an error code means that the session has ended.
func gone(code string) bool {
	switch code {
	case "25P03", "25P04", "57P01", "57P02", "57P03", "57P05":
		return true
	}
	return strings.HasPrefix(code, "08")
}

// retryable reports whether a transaction has failed, with nothing stored, only because of others at the same time
// (40001 serialization failure, 40P01 deadlock), or because its connection was lost before the end.
func retryable(err error) bool {
	if refused := codeOf(err); refused == "40001" || refused == "40P01" {
		return true
	}
	if unreachable(err) {
		return false
	}
	return errors.Is(err, errUndone) || errors.Is(err, errNotBegun) && lost(err)
}

// Duplicate reports whether an error is a duplicate key.
func Duplicate(err error) bool { return codeOf(err) == "23505" }

// onlyReads reports whether an error comes from a read-only server.
func onlyReads(err error) bool { return codeOf(err) == "25006" }

// codeOf returns the server's code of an error; "" for an error of another origin.
func codeOf(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// unreachable reports whether no connection could be made.
func unreachable(err error) bool {
	var failed *pgconn.ConnectError
	return errors.As(err, &failed)
}
