package dbtest

import (
	"database/sql"
	"testing"
)

// OpenFile opens a database file as any other program would, until the test ends. dsn is a path, or a URI of SQLite's
// with options of the driver.
func OpenFile(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(fileDriver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
