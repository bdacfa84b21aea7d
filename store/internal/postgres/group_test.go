package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quatuor/store/dbtest"
)

// TestGroup runs all tests of group commit on the same server.
func TestGroup(t *testing.T) {
	server := dbtest.Cluster(t)
	for name, test := range map[string]func(*testing.T, *DB, *Group){
		"those that wait share a commit":      shared,
		"one that fails takes none with it":   poisoned,
		"what waits at the end is stored":     stored,
		"a broken connection is replaced":     brokenOff,
		"a group that deadlocks is not lost":  deadlocked,
		"a dead connection before is no harm": dead,
		"what is away answers all":            away,
		"as one by one":                       oneByOne,
		"what comes too late is not stored":   tooLate,
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

// counting increments counters that have a value; shouting is another kind of write on them, which counts by ten.
var counting, shouting = stepBy("counting", 1), stepBy("shouting", 10)

func stepBy(name string, by int) *Statement {
	return &Statement{
		Name: name, Arrays: []Element{Text, Integer, Integer},
		Text: fmt.Sprintf(`WITH step AS (SELECT id, base, i FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS a (id, base, nothing, i)),
			held AS (UPDATE counters SET n = n + %d FROM step WHERE counters.id = step.id AND n = base RETURNING i)
			SELECT array_agg(i) FROM held`, by),
	}
}

// write is a write of a kind.
func write(of *Statement, id string, from int) Write {
	w := Write{Statement: of, Key: id}
	for i, arg := range []any{id, int64(from), nil} {
		w.Args = append(w.Args, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
	return w
}

// advance increments a counter if it has a value.
func advance(id string, from int) Write { return write(counting, id, from) }

// hold takes a counter's row in another transaction, so that groups wait for it, until the function that it returns is
// called.
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

// waiters waits until that many writes are in the group's queue.
func (g *Group) waiters(n int) {
	for waiting := 0; waiting < n; {
		g.mu.Lock()
		waiting = len(g.waiting)
		g.mu.Unlock()
		runtime.Gosched()
	}
}

// shared fills both writers, so that others gather, and counts the commits.
func shared(t *testing.T, db *DB, g *Group) {
	release := []func(){hold(t, db, "c0"), hold(t, db, "c1")}
	var all sync.WaitGroup
	run := func(id string, from int, want bool) {
		all.Go(func() {
			if held, err := g.Run(t.Context(), advance(id, from)); held != want || err != nil {
				t.Errorf("%s: %v, %v", id, held, err)
			}
		})
	}
	for i := range groupWriters {
		run(fmt.Sprint("c", i), 0, true)
		for g.Commits() <= int64(i) {
			runtime.Gosched()
		}
	}
	for i := groupWriters; i < 64; i++ {
		from, want := 0, true
		if i%4 == 0 {
			from, want = 7, false // its guard does not hold
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
		jobs[i] = &groupJob{Write: advance(fmt.Sprint("c", i), from)}
	}
	g.write(jobs)
	for i, j := range jobs {
		if i == 5 {
			if j.err == nil {
				t.Error("the statement that breaks a constraint was stored")
			}
		} else if j.err != nil || !j.held {
			t.Errorf("write %d: %v, %v", i, j.held, j.err)
		}
	}
	if n := count(t, db, "c0") + count(t, db, "c7"); n != 2 {
		t.Errorf("%d of two others are stored", n)
	}
}

// stored closes the group while writes wait: those of a key are carried out in their order, each after the other.
func stored(t *testing.T, db *DB, g *Group) {
	release := hold(t, db, "c0")
	var all sync.WaitGroup
	run := func(id string, from int, want bool) {
		all.Go(func() {
			if held, err := g.Run(t.Context(), advance(id, from)); err != nil || held != want {
				t.Errorf("%s from %d: %v, %v", id, from, held, err)
			}
		})
	}
	run("c0", 0, true)
	for g.Commits() == 0 { // until a writer waits for the row
		runtime.Gosched()
	}
	for i := range 15 {
		run("c0", i+1, true)
		g.waiters(i + 1)
	}
	run("c1", 0, true) // waits for none of them
	for n := 0; n == 0; {
		n = count(t, db, "c1")
	}
	closed := make(chan struct{})
	go func() { g.Close(); close(closed) }()
	release()
	all.Wait()
	<-closed
	if _, err := g.Run(t.Context(), advance("c0", 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// brokenOff terminates the connection of a group that waits for a row: the server reports that before it has answered
// the first statement, so nothing is stored, and the group is written again.
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
	if held, err := g.Run(t.Context(), advance("c0", 1)); !held || err != nil {
		t.Errorf("afterwards: %v, %v", held, err)
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
		{Write: advance("c1", 0)}, {Write: advance("c2", 0)},
	}
	written := make(chan struct{})
	go func() { g.write(jobs); close(written) }()
	for waits := 0; waits == 0; {
		if err := db.Pool().QueryRowContext(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()").
			Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	_, err = tx.ExecContext(t.Context(), "UPDATE counters SET n = 0 WHERE id = 'c1'")
	if err == nil {
		err = tx.Commit()
	} else {
		_ = tx.Rollback() // the server aborted this transaction
	}
	<-written
	for _, j := range jobs {
		if !j.held || j.err != nil {
			t.Errorf("%s: %v, %v; the other transaction: %v", j.Key, j.held, j.err, err)
		}
	}
}

// dead kills every connection of the pool between two groups.
func dead(t *testing.T, db *DB, g *Group) {
	if _, err := g.Run(t.Context(), advance("c0", 0)); err != nil {
		t.Fatal(err)
	}
	must(t, db, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "+
		"current_database()")
	if held, err := g.Run(t.Context(), advance("c0", 1)); err != nil || !held {
		t.Errorf("%v, %v", held, err)
	}
}

// away refuses a group for a reason that lies in none of its writes: it is sent once, and all hear of it.
func away(t *testing.T, db *DB, g *Group) {
	must(t, db, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$`)
	must(t, db, "CREATE TRIGGER refuses BEFORE UPDATE ON counters FOR EACH ROW EXECUTE FUNCTION refuse()")
	jobs := make([]*groupJob, 8)
	for i := range jobs {
		jobs[i] = &groupJob{Write: advance(fmt.Sprint("c", i), 0)}
	}
	g.write(jobs)
	for i, j := range jobs {
		if j.held || !Unavailable(j.err) {
			t.Errorf("write %d: %v, %v", i, j.held, j.err)
		}
	}
	if n := g.Commits(); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// tooLate has a write wait beyond its deadline, beside a write without a deadline.
func tooLate(t *testing.T, db *DB, g *Group) {
	release := []func(){hold(t, db, "c0"), hold(t, db, "c1")}
	var all sync.WaitGroup
	run := func(w Write, want bool) {
		all.Go(func() {
			if held, err := g.Run(t.Context(), w); held != want || err != nil {
				t.Errorf("%s: %v, %v", w.Key, held, err)
			}
		})
	}
	for i := range groupWriters {
		run(advance(fmt.Sprint("c", i), 0), true)
		for g.Commits() <= int64(i) {
			runtime.Gosched()
		}
	}
	soon, later := advance("c2", 0), advance("c3", 0)
	soon.Until, later.Until = time.Now().Add(time.Millisecond), time.Now().Add(time.Hour)
	run(soon, false)
	run(later, true)
	g.waiters(2)
	for !time.Now().After(soon.Until) {
		runtime.Gosched()
	}
	for _, r := range release {
		r()
	}
	all.Wait()
	if late, stored := count(t, db, "c2"), count(t, db, "c3"); late != 0 || stored != 1 {
		t.Errorf("c2 is %d, c3 is %d", late, stored)
	}
}

// oneByOne sends random writes of two kinds from many goroutines at once: those of a key take effect in their order,
// and each answer, and the rows stored, are as if each write had been carried out alone.
func oneByOne(t *testing.T, db *DB, g *Group) {
	rapid.Check(t, func(r *rapid.T) {
		must(t, db, "UPDATE counters SET n = 980 WHERE n <> 980")
		var all sync.WaitGroup
		for k := range 8 {
			kinds := rapid.SliceOfN(rapid.Bool(), 0, 6).Draw(r, "kinds")
			off := rapid.SliceOfN(rapid.IntRange(0, 3), len(kinds), len(kinds)).Draw(r, "wrong guards")
			all.Go(func() {
				n, id := 980, fmt.Sprint("c", k)
				for i, loud := range kinds {
					of, by := counting, 1
					if loud {
						of, by = shouting, 10
					}
					from := n
					if off[i] == 0 {
						from = n - 1
					}
					held, err := g.Run(context.Background(), write(of, id, from))
					switch wrong := n+by >= 1000 && from == n; {
					case wrong && err == nil:
						r.Errorf("%s is %d and was counted on by %d", id, n, by)
					case !wrong && (err != nil || held != (from == n)):
						r.Errorf("%s is %d, counted from %d: %v, %v", id, n, from, held, err)
					}
					if held {
						n += by
					}
				}
				if stored := count(t, db, id); stored != n {
					r.Errorf("%s is %d, want %d", id, stored, n)
				}
			})
		}
		all.Wait()
	})
}

// TestGroupGathers looks at whether the next group waits for more.
func TestGroupGathers(t *testing.T) {
	const moment = time.Millisecond / 2
	for name, test := range map[string]struct {
		waiting, last int
		ended, first  time.Duration // before now
		late, want    bool
	}{
		"alone":             {waiting: 1, last: 1, ended: moment, first: moment},
		"two":               {waiting: 1, last: 2, ended: moment, first: moment},
		"crowd":             {waiting: 1, last: minBatch, ended: moment, first: moment, want: true},
		"crowd after pause": {waiting: 1, last: minBatch, ended: batchDelay + moment, first: moment, want: true},
		"crowd long ago":    {waiting: 1, last: minBatch, ended: time.Minute, first: moment},
		"waited":            {waiting: 1, last: minBatch, ended: loadWindow, first: batchDelay + moment},
		"ends":              {waiting: 2, last: minBatch, ended: moment, first: batchDelay + moment, late: true, want: true},
		"ends alone":        {waiting: 1, last: 1, ended: moment, first: moment, late: true},
		"ends have waited":  {waiting: 2, last: minBatch, ended: loadWindow, first: lingerDelay + moment, late: true},
		"enough":            {waiting: fullBatch, last: minBatch, ended: moment, first: moment},
		"none":              {last: minBatch, ended: moment, first: moment},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &Group{last: test.last}
				for range test.waiting {
					g.waiting = append(g.waiting, &groupJob{Write: Write{MayLinger: test.late}})
				}
				g.ended, g.first = time.Now().Add(-test.ended), time.Now().Add(-test.first)
				if got := g.gathering(); got != test.want {
					t.Errorf("gathering: %t", got)
				}
			})
		})
	}
}
