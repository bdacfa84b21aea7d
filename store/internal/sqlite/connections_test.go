package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryConnectionIsSetUp reads the settings of every pool's connections, and then those of the connections that
// database/sql opens in the place of broken ones.
func TestEveryConnectionIsSetUp(t *testing.T) {
	h := hold(t)
	reads := OpenReaders(h.path)
	defer reads.Close()
	writing := map[string]string{
		"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "wal_autocheckpoint": strconv.Itoa(checkpointPages),
		"busy_timeout": "5000", "fullfsync": "1", "checkpoint_fullfsync": "1", "cache_spill": "0", "temp_store": "2",
		"journal_size_limit": strconv.Itoa(logLimit),
	}
	reading := map[string]string{
		"synchronous": "2", "query_only": "1", "busy_timeout": "5000", "fullfsync": "1", "checkpoint_fullfsync": "1",
	}
	for name, c := range map[string]struct {
		pool *sql.DB
		want map[string]string
	}{"writer": {h.w.db, writing}, "checkpointer": {h.w.checkpointer.db, writing}, "reader": {reads, reading}} {
		for _, again := range []bool{false, true} {
			conn, err := c.pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for pragma, want := range c.want {
				var got string
				if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
					t.Errorf("%s, opened again %v: %s is %q, want %q; error %v", name, again, pragma, got, want, err)
				}
			}
			if err := conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
				t.Errorf("%s: the connection was not given up: %v", name, err)
			}
			_ = conn.Close()
		}
	}
	if err := h.w.Run(t.Context(), newThing("later")); err != nil {
		t.Errorf("with new connections: %v", err)
	}
}

// TestUnknownSettingsAreRefused sets what SQLite passes over in silence.
func TestUnknownSettingsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	for _, p := range []pragma{{"synchronus", "FULL", "2"}, {"journal_mode", "WAL2", "wal"}} {
		db := openPool(path, []pragma{p})
		t.Cleanup(func() { _ = db.Close() })
		if err := db.Ping(); err == nil || !strings.Contains(err.Error(), p.name) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
