package sqlite

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// overlapping reads without a pause, so that at any moment a reader is open that has seen the newest commit, until stop
// is closed.
func overlapping(t *testing.T, reads *sql.DB, stop <-chan struct{}) {
	begin := func() *sql.Tx {
		tx, err := reads.Begin()
		if err == nil {
			var n int
			err = tx.QueryRow("SELECT count(*) FROM notes").Scan(&n)
		}
		if err != nil {
			t.Error(err)
			return nil
		}
		return tx
	}
	for open := begin(); open != nil; {
		next := begin()
		if err := open.Rollback(); err != nil {
			t.Error(err)
		}
		select {
		case <-stop:
			if next != nil {
				_ = next.Rollback()
			}
			return
		default:
			open = next
		}
	}
}

// TestLogStaysSmallBesideReaders writes a database of a few pages again and again while readers overlap: the log must
// restart in that time, and its file must shrink while the writer serves.
func TestLogStaysSmallBesideReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 150 MiB")
	}
	h := hold(t)
	reads := OpenReaders(h.path)
	defer reads.Close()
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() { overlapping(t, reads, stop) })
	defer group.Wait()
	defer close(stop)
	size := func() int64 {
		info, err := os.Stat(h.path + LogSuffix)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	text, largest := strings.Repeat("x", 64<<10), int64(0)
	write := func() {
		err := h.w.Write(t.Context(), func(conn *sql.Conn) error {
			_, err := conn.ExecContext(context.Background(), "REPLACE INTO notes (rowid, name) VALUES (1, ? || random())", text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, size())
	}
	for range 1200 {
		write()
	}
	if largest > 3*logGrowth {
		t.Errorf("the log has grown to %d MiB", largest>>20)
	}
	for deadline := time.Now().Add(30 * time.Second); size() > logLimit; write() {
		if time.Now().After(deadline) {
			t.Fatalf("the log stays at %d MiB, want %d", size()>>20, logLimit>>20)
		}
	}
}

// TestLogGoesOnBesideALongReader keeps a reader open, as a backup is: commits wait for it no longer than a moment, and
// the log restarts once it has gone.
func TestLogGoesOnBesideALongReader(t *testing.T) {
	h := holdIn(t, t.TempDir(), Config{}, "a")
	reads := OpenReaders(h.path)
	defer reads.Close()
	tx, err := reads.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM things").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if err := h.w.Run(t.Context(), newThing("b")); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if h.w.checkpointer.restart(h.w.db) {
		t.Error("the log began anew under a reader")
	}
	if took := time.Since(began); took > busyTimeout/2 {
		t.Errorf("a commit would have waited %s for the reader", took)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if !h.w.checkpointer.restart(h.w.db) {
		t.Error("the log did not begin anew after the reader")
	}
	var timeout int
	err = h.w.db.QueryRow("PRAGMA busy_timeout").Scan(&timeout)
	if err != nil || int64(timeout) != busyTimeout.Milliseconds() {
		t.Errorf("afterwards a lock is waited for %d ms, error %v", timeout, err)
	}
}
