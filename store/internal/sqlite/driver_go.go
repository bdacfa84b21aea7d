//go:build !cgo || purego

package sqlite

import (
	"database/sql/driver"
	"errors"
	"net/url"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Library names the source of SQLite.
const Library = "Go"

// library is SQLite translated to Go, for systems without a C cross-compiler here. A move costs more with it:
// docs/performance.md has the figure.
var library driver.Driver = &sqlite.Driver{}

// driverOptions returns options of every connection.
func driverOptions() url.Values { return url.Values{} }

// Version returns the version of SQLite that is built in, for example 3.50.4.
func Version() string { return lib.SQLITE_VERSION }

// Code returns the result code of SQLite that an error has, extended where possible.
func Code(err error) (code int, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}
