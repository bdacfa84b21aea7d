package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// spill makes the writer's cache so small that a batch is written into the log in parts, long before its commit.
func (h *held) spill(t *testing.T) {
	t.Helper()
	h.pragma(t, "PRAGMA cache_size = 3", "PRAGMA cache_spill = 1")
}

func (h *held) pragma(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if _, err := h.w.db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// bulkTable has no second index: the last thing that an insert does is to write the row.
const bulkTable = "CREATE TABLE bulk (id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL)"

// bulky inserts rows of the given length in bytes, named after the job, if wanted with a reading of all rows before
// each.
func bulky(name string, rows, length int, reads bool) *job {
	ctx := context.Background()
	return &job{work: func(tx *sql.Conn) error {
		for range rows {
			if reads {
				var length int
				if err := tx.QueryRowContext(ctx, "SELECT coalesce(sum(length(text)), 0) FROM bulk").Scan(&length); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO bulk (name, text) VALUES (?, ?)", name,
				strings.Repeat(name, length/len(name)))
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// rowsOf counts the rows of each bulky job, on a connection that shares nothing with the writer's.
func rowsOf(t *testing.T, path string) map[string]int {
	t.Helper()
	db := openAlone(t, FileDSN(path, nil))
	defer db.Close()
	var report string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&report); err != nil || report != "ok" {
		t.Fatalf("integrity check: %s, error %v", report, err)
	}
	rows, err := db.Query("SELECT name, count(*) FROM bulk GROUP BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]int{}
	for rows.Next() {
		var name string
		var count int
		if err := rows.Scan(&name, &count); err != nil {
			t.Fatal(err)
		}
		found[name] = count
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func openAlone(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db := sql.OpenDB(&connector{dsn: dsn})
	db.SetMaxOpenConns(1)
	return db
}

// TestAnotherProgramWritesAfterARollback lets a program that copies the log (as Litestream does) commit between a batch
// of ours that was rolled back after a part of it was in the log, and the next batch. Neither may lose anything.
func TestAnotherProgramWritesAfterARollback(t *testing.T) {
	for _, spills := range []bool{true, false} {
		h := hold(t)
		h.pragma(t, bulkTable)
		if spills {
			h.spill(t)
		}
		other := openAlone(t, FileDSN(h.path, nil))
		t.Cleanup(func() { _ = other.Close() })
		want := map[string]int{"base": 40}
		fail := 0
		h.onCommit(t, func() int {
			now := fail
			fail = 0
			return now
		})
		if err := h.w.Write(t.Context(), bulky("base", 40, 2000, false).work); err != nil {
			t.Fatal(err)
		}
		lost := func(tx *sql.Conn) error { // in place: what it reads is in the file, what it writes goes to the log
			fail = 1
			_, err := tx.ExecContext(context.Background(), "UPDATE bulk SET text = upper(text) WHERE name = 'base'")
			return err
		}
		for n := range 20 {
			h.pragma(t, "PRAGMA wal_checkpoint(TRUNCATE)")
			h.stop(t)
			if err := h.hand(&job{work: lost})[0]; err == nil {
				t.Fatal("the commit did not fail: the test shows nothing")
			}
			theirs, ours := fmt.Sprint("theirs", n), fmt.Sprint("ours", n)
			for range 5 {
				if _, err := other.Exec("INSERT INTO bulk (name, text) VALUES (?, '')", theirs); err != nil {
					t.Fatal(err)
				}
			}
			h.stop(t)
			if err := h.hand(bulky(ours, 1+n%3, 9000, true))[0]; err != nil {
				t.Fatal(err)
			}
			want[theirs], want[ours] = 5, 1+n%3
			if found := rowsOf(t, h.path); fmt.Sprint(found) != fmt.Sprint(want) {
				t.Fatalf("spilling %v, after %d rounds: %v, want %v", spills, n+1, found, want)
			}
		}
	}
}

// fullDisk hands batches to a store on a disk with room for less and less of them. Whatever was acknowledged must be
// there, and of everything else nothing.
func fullDisk(t *testing.T, h *held, fill func(spare int) (empty func())) {
	t.Helper()
	h.pragma(t, bulkTable)
	want := map[string]int{}
	refused := 0
	for spare := 0; spare < 160; spare += 3 {
		h.pragma(t, "PRAGMA wal_checkpoint(TRUNCATE)")
		h.stop(t)
		var jobs []*job
		for i := range 6 {
			jobs = append(jobs, bulky(fmt.Sprintf("n%d-%d", spare, i), 3, 9000, i%2 == 0))
		}
		empty := fill(spare << 12)
		answers := h.hand(jobs...)
		empty()
		for i, err := range answers {
			if err == nil {
				want[fmt.Sprintf("n%d-%d", spare, i)] = 3
				continue
			}
			refused++
			if !Unavailable(err) {
				t.Errorf("a full disk is answered with %v", err)
			}
		}
		if found := rowsOf(t, h.path); fmt.Sprint(found) != fmt.Sprint(want) {
			t.Fatalf("with room for %d pages: %v, want %v", spare, found, want)
		}
		if len(want) > 12 {
			err := h.w.Write(context.Background(), func(tx *sql.Conn) error {
				_, err := tx.ExecContext(context.Background(), "DELETE FROM bulk")
				return err
			})
			if err != nil {
				t.Fatal(errors.Join(err, errors.New("with room again")))
			}
			clear(want)
		}
	}
	if refused == 0 {
		t.Error("the disk was never full: the test shows nothing")
	}
}
