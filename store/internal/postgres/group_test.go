package postgres

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"quatuor/store/storetest"
)

// TestGroup runs all tests of group commit on one server.
func TestGroup(t *testing.T) {
	server := storetest.Cluster(t)
	for name, test := range map[string]func(*testing.T, *DB, *Group){
		"those that wait share a commit":      shared,
		"one that fails takes none with it":   poisoned,
		"what waits at the end is stored":     stored,
		"a broken connection is replaced":     brokenOff,
		"a group that deadlocks is not lost":  deadlocked,
		"a dead connection before is no harm": dead,
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), server.Schema(t), DefaultConnections)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			must(t, db, "CREATE TABLE counters (id text PRIMARY KEY, n bigint NOT NULL CHECK (n < 1000))")
			must(t, db, "INSERT INTO counters SELECT 'c' || i, 0 FROM generate_series(0, 63) i")
			g := NewGroup(db)
			t.Cleanup(g.Close)
			test(t, db, g)
		})
	}
}

// advance counts a counter on if it stands at a number.
func advance(id string, from int) Statement {
	return Statement{Text: "UPDATE counters SET n = n + 1 WHERE id = $1 AND n = $2", Args: []any{id, int64(from)}, Key: id}
}

// hold takes a counter's row in another transaction, so that groups wait for it, until the function that it returns is called.
func hold(t *testing.T, db *DB, id string) (release func()) {
	t.Helper()
	tx, err := db.Pool().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "SELECT n FROM counters WHERE id = $1 FOR UPDATE", id); err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() }
}

// waiters waits until so many statements are in the group's queue.
func (g *Group) waiters(n int) {
	for len(g.jobs) < n {
		runtime.Gosched()
	}
}

// shared fills both writers, so that others gather, and counts the commits.
func shared(t *testing.T, db *DB, g *Group) {
	release := []func(){hold(t, db, "c0"), hold(t, db, "c1")}
	var all sync.WaitGroup
	run := func(id string, from int, want int64) {
		all.Go(func() {
			if changed, err := g.Run(t.Context(), advance(id, from)); changed != want || err != nil {
				t.Errorf("%s: %d rows, %v", id, changed, err)
			}
		})
	}
	for i := range groupWriters {
		run(fmt.Sprint("c", i), 0, 1)
		for g.Commits() <= int64(i) {
			runtime.Gosched()
		}
	}
	for i := groupWriters; i < 64; i++ {
		from, want := 0, int64(1)
		if i%4 == 0 {
			from, want = 7, 0 // its guard does not hold
		}
		run(fmt.Sprint("c", i), from, want)
	}
	g.waiters(64 - groupWriters)
	for _, r := range release {
		r()
	}
	all.Wait()
	if n := g.Commits(); n > 2*groupWriters {
		t.Errorf("%d commits for 64 statements of which 62 waited at once", n)
	}
	for i := range 64 {
		want := 1
		if i >= groupWriters && i%4 == 0 {
			want = 0
		}
		if n := count(t, db, fmt.Sprint("c", i)); n != want {
			t.Errorf("c%d is %d, want %d", i, n, want)
		}
	}
}

// poisoned has a statement among others that the server refuses.
func poisoned(t *testing.T, db *DB, g *Group) {
	must(t, db, "UPDATE counters SET n = 999 WHERE id = 'c5'")
	jobs := make([]*groupJob, 8)
	for i := range jobs {
		from := 0
		if i == 5 {
			from = 999
		}
		jobs[i] = &groupJob{Statement: advance(fmt.Sprint("c", i), from), done: make(chan struct{})}
	}
	g.write(jobs)
	for i, j := range jobs {
		if i == 5 {
			if j.err == nil {
				t.Error("the statement that breaks a constraint was stored")
			}
		} else if j.err != nil || j.changed != 1 {
			t.Errorf("statement %d: %d rows, %v", i, j.changed, j.err)
		}
	}
	if n := count(t, db, "c0") + count(t, db, "c7"); n != 2 {
		t.Errorf("%d of two others are stored", n)
	}
}

// stored closes the group while statements wait.
func stored(t *testing.T, db *DB, g *Group) {
	release := hold(t, db, "c0")
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if changed, err := g.Run(t.Context(), advance("c0", i)); err != nil || changed > 1 {
				t.Errorf("%d rows, %v", changed, err)
			}
		})
		for i < groupWriters && g.Commits() <= int64(i) {
			runtime.Gosched() // until each writer waits for the row, and takes no more
		}
	}
	g.waiters(16 - groupWriters)
	closed := make(chan struct{})
	go func() { g.Close(); close(closed) }()
	release()
	all.Wait()
	<-closed
	if _, err := g.Run(t.Context(), advance("c0", 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// brokenOff terminates the connection of a group that waits for a row: the server says so before it has answered the first
// statement, so nothing is stored, and the group is written again.
func brokenOff(t *testing.T, db *DB, g *Group) {
	release := hold(t, db, "c0")
	defer release()
	failed := make(chan error, 1)
	go func() {
		_, err := g.Run(t.Context(), advance("c0", 0))
		failed <- err
	}()
	for killed := false; !killed; {
		row := db.Pool().QueryRowContext(t.Context(), `SELECT coalesce(bool_or(pg_terminate_backend(pid)), false) FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND datname = current_database()`)
		if err := row.Scan(&killed); err != nil {
			t.Fatal(err)
		}
	}
	release()
	if err := <-failed; err != nil {
		t.Errorf("a group that was broken off: %v", err)
	}
	if n := count(t, db, "c0"); n != 1 {
		t.Errorf("a group that was broken off is stored %d times", n)
	}
	if changed, err := g.Run(t.Context(), advance("c0", 1)); changed != 1 || err != nil {
		t.Errorf("afterwards: %d rows, %v", changed, err)
	}
}

// deadlocked makes a group wait for a transaction that waits for the group.
func deadlocked(t *testing.T, db *DB, g *Group) {
	tx, err := db.Pool().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), "UPDATE counters SET n = 0 WHERE id = 'c2'"); err != nil {
		t.Fatal(err)
	}
	jobs := []*groupJob{
		{Statement: advance("c1", 0), done: make(chan struct{})}, {Statement: advance("c2", 0), done: make(chan struct{})},
	}
	written := make(chan struct{})
	go func() { g.write(jobs); close(written) }()
	for waits := 0; waits == 0; {
		if err := db.Pool().QueryRowContext(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	_, err = tx.ExecContext(t.Context(), "UPDATE counters SET n = 0 WHERE id = 'c1'")
	if err == nil {
		err = tx.Commit()
	} else {
		_ = tx.Rollback() // the server broke off this one
	}
	<-written
	for _, j := range jobs {
		if j.changed != 1 || j.err != nil {
			t.Errorf("%s: %d rows, %v; the other transaction: %v", j.Key, j.changed, j.err, err)
		}
	}
}

// dead kills every connection of the pool between two groups.
func dead(t *testing.T, db *DB, g *Group) {
	if _, err := g.Run(t.Context(), advance("c0", 0)); err != nil {
		t.Fatal(err)
	}
	must(t, db, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
	if changed, err := g.Run(t.Context(), advance("c0", 1)); err != nil || changed != 1 {
		t.Errorf("%d rows, %v", changed, err)
	}
}
