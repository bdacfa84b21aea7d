//go:build cgo && !purego

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"net/url"

	"github.com/mattn/go-sqlite3"
)

// Library names the source of SQLite.
const Library = "C"

// library is the C library, through cgo: it is faster, and used wherever there is a C compiler.
var library driver.Driver = &sqlite3.SQLiteDriver{}

// driverOptions returns options of every connection. SQLite need not lock it (_mutex), for database/sql lets a single
// goroutine at a time use each.
func driverOptions() url.Values { return url.Values{"_mutex": {"no"}, "_stmt_cache_size": {"128"}} }

// Version returns the version of SQLite that is built in, for example 3.50.4.
func Version() string {
	version, _, _ := sqlite3.Version()
	return version
}

// Code returns the result code of SQLite that an error has, extended where possible.
func Code(err error) (code int, ok bool) {
	var e sqlite3.Error
	ok = errors.As(err, &e)
	return cmp.Or(int(e.ExtendedCode), int(e.Code)), ok
}
