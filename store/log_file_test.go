package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// logged is a database whose log is gathered, with a cache so small that transactions spill into the log and read from
// it before they end.
type logged struct {
	path         string
	write, reads *sql.DB
	rows         map[int]string // what is committed
}

func openLogged(t *testing.T, synchronous string) *logged {
	t.Helper()
	l := &logged{path: filepath.Join(t.TempDir(), databaseFile), rows: map[int]string{}}
	l.write = openAlone(t, writerDSN(l.path))
	for _, text := range []string{
		"PRAGMA synchronous = " + synchronous, "PRAGMA cache_size = 3", "PRAGMA wal_autocheckpoint = 200",
		"CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
	} {
		if _, err := l.write.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	l.reads = openAlone(t, readerDSN(l.path))
	return l
}

func openAlone(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

func (l *logged) close(t *rapid.T) {
	if err := errors.Join(l.reads.Close(), l.write.Close()); err != nil {
		t.Error(err)
	}
}

// queryer is a database or a transaction.
type queryer interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

func check(t *rapid.T, what string, q queryer, want map[int]string) {
	t.Helper()
	rows, err := q.Query("SELECT id, text FROM t")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		var id int
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if text != want[id] {
			t.Fatalf("%s: row %d is not as it was written", what, id)
		}
		found++
	}
	if err := rows.Err(); err != nil || found != len(want) {
		t.Fatalf("%s: %d rows, want %d; error %v", what, found, len(want), err)
	}
}

// transact carries out one transaction, reads it back before it ends, and takes it back now and then.
func (l *logged) transact(t *rapid.T, n int) {
	tx, err := l.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[int]string{}
	for id, text := range l.rows {
		rows[id] = text
	}
	for i := range rapid.SampledFrom([]int{1, 1, 3, 40, 150}).Draw(t, "writes") {
		id := rapid.IntRange(0, 200).Draw(t, "id")
		rows[id] = fmt.Sprintf("%d %d %0*d", n, i, rapid.SampledFrom([]int{1, 700, 9000}).Draw(t, "length"), id)
		_, err := tx.Exec("INSERT INTO t VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text", id, rows[id])
		if err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(t, "read") {
		check(t, "within the transaction", tx, rows)
	}
	if rapid.IntRange(0, 3).Draw(t, "end") == 0 {
		err = tx.Rollback()
	} else {
		l.rows, err = rows, tx.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// asKilled opens what a process leaves in the folder that ends at this moment.
func (l *logged) asKilled(t *testing.T) *sql.DB {
	t.Helper()
	copied := filepath.Join(t.TempDir(), databaseFile)
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(l.path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+end, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return openAlone(t, fileDSN(copied, nil))
}

// TestGatheredLogIsWholeAfterEveryCommit looks after every transaction whether all of it has been handed to the system:
// from a connection that knows nothing of the gathering, and from files as a killed process leaves them. It must be so
// even if SQLite does not sync.
func TestGatheredLogIsWholeAfterEveryCommit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := openLogged(t, rapid.SampledFrom([]string{"FULL", "NORMAL", "OFF"}).Draw(rt, "synchronous"))
		defer l.close(rt)
		for n := range rapid.IntRange(1, 8).Draw(rt, "transactions") {
			l.transact(rt, n)
			check(rt, "another connection", l.reads, l.rows)
			left := l.asKilled(t)
			check(rt, "after a crash", left, l.rows)
			if err := left.Close(); err != nil {
				rt.Error(err)
			}
		}
	})
}
