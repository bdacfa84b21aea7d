package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"quatuor/store/dbtest"
)

// movedSchema makes a schema with the moved clock as the database's, too, and returns its address.
func movedSchema(t *testing.T, clock *movedClock) string {
	t.Helper()
	dsn := dbtest.Cluster(t, "fsync=off").Schema(t)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", query.Get("search_path")+",pg_catalog") // which would else come first
	u.RawQuery = query.Encode()
	db, err := sql.Open("pgx", u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.ExecContext(t.Context(), fmt.Sprintf(`CREATE FUNCTION clock_timestamp() RETURNS timestamptz
		LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.clock_timestamp() + pg_read_file('%s')::bigint * interval '1 ms' $$`,
		filepath.Join(clock.folder, ahead)))
	if err != nil {
		t.Fatal(err)
	}
	return u.String()
}

// TestAutumnOfTwoInstances plays Keizer evenings, a ladder and an arena on two programs with a shared PostgreSQL, and
// kills the program that looks after the arena: the other takes over, and nothing happens twice.
func TestAutumnOfTwoInstances(t *testing.T) {
	skipInShort(t, "starts a PostgreSQL cluster and kills servers")
	t.Parallel()
	began := time.Now()
	clock := newMovedClock(t)
	dsn := movedSchema(t, clock)
	adminOnPostgres(t, dsn)
	x := newAutumn(t, clock, 2, autumnOf(12, 28), t.TempDir(), "--database", dsn)
	x.keizer(autumnOf(4, 12), autumnOf(8, 24))
	x.ladder(autumnOf(5, 60), autumnOf(10, 25))
	taken := x.arenaOfTwo(dsn, autumnOf(1, 6))
	x.once()
	x.check()
	t.Logf("%s, %d times another program took the arena over, %.0f s", x, taken, time.Since(began).Seconds())
}

// arenaOfTwo plays an arena, kills the program that looks after it a number of times, and returns how often another
// took over. It runs in real time, which programs use to judge whether others live. In the short form it does not end.
func (x *autumn) arenaOfTwo(dsn string, kills int) (taken int) {
	x.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		x.Fatal(err)
	}
	defer db.Close()
	seen := func() (at int64) {
		if err := db.QueryRowContext(x.Context(), "SELECT COALESCE(max(seen_at), 0) FROM arena_beats").Scan(&at); err != nil {
			x.Fatal(err)
		}
		return at
	}
	a := x.newArena(1, len(x.people)/2*2, time.Second, 2*time.Second)
	next := time.Now().Add(5 * time.Second)
	for over := false; !over && (taken < kills || x.games < 10 || autumnOf(0, 1) > 0); {
		time.Sleep(200 * time.Millisecond) // of the arena's time
		over = a.step()
		if taken < kills && time.Now().After(next) {
			x.kill(x.owner(seen))
			last := seen()
			for until := time.Now().Add(patience); seen() == last; {
				if time.Now().After(until) {
					x.Fatal("nobody looks after the arena whose program is dead")
				}
				time.Sleep(100 * time.Millisecond) // until the other has seen that it is alone
				x.look()
			}
			taken++
			x.start()
			x.killWithin(10)
			next = time.Now().Add(6 * time.Second)
		}
	}
	a.agrees()
	return taken
}

// owner returns the program that looks after the arenas: when it does, that is stored.
func (x *autumn) owner(seen func() int64) int {
	x.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		for i, s := range x.live {
			last := seen()
			if x.clock.look(s.Cmd.Process.Pid); seen() != last {
				return i
			}
		}
		time.Sleep(100 * time.Millisecond) // until a tick has come
	}
	x.Fatal("nobody looks after the arena")
	return 0
}
