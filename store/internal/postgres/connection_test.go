package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/store/dbtest"
)

// with adds parameters to an address.
func with(dsn string, more ...string) string { return dsn + "&" + strings.Join(more, "&") }

func openDB(t *testing.T, dsn string) *DB {
	t.Helper()
	db, err := Open(t.Context(), dsn, DefaultConnections)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestSettings reads the settings of sessions on a server with careless defaults.
func TestSettings(t *testing.T) {
	server := dbtest.Cluster(t, "synchronous_commit=off", "lock_timeout=0")
	dsn := server.Schema(t)
	db := openDB(t, dsn)
	own := openDB(t, with(dsn, "lock_timeout=7s", "options=-c%20idle_in_transaction_session_timeout%3D9s",
		"keepalives_idle=3"))
	single, err := Connect(t.Context(), dsn, "listener")
	if err != nil {
		t.Fatal(err)
	}
	defer single.Close(context.Background())
	reading, err := OpenPool(dsn, Reading, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close()
	for _, tt := range []struct {
		what, name, want string
		ask              func(query string) (string, error)
	}{
		{"the pool", "synchronous_commit", "on", asker(db.Pool().DB)},
		{"the heartbeat", "synchronous_commit", "on", asker(db.heart)},
		{"the pool", "idle_in_transaction_session_timeout", "3s", asker(db.Pool().DB)},
		{"the pool", "lock_timeout", "5s", asker(db.Pool().DB)},
		{"another's choice", "lock_timeout", "7s", asker(own.Pool().DB)},
		{"another's option", "idle_in_transaction_session_timeout", "9s", asker(own.Pool().DB)},
		{"another's choice", "synchronous_commit", "on", asker(own.Pool().DB)},
		{"one to read", "transaction_read_only", "on", asker(reading)},
		{"one to read", "idle_in_transaction_session_timeout", "0", asker(reading)},
		{"one that listens", "synchronous_commit", "on", func(query string) (s string, err error) {
			err = single.QueryRow(t.Context(), query).Scan(&s)
			return s, err
		}},
	} {
		var got string
		if got, err = tt.ask("SHOW " + tt.name); err != nil || got != tt.want {
			t.Errorf("%s has %s = %q, error %v; want %q", tt.what, tt.name, got, err, tt.want)
		}
	}
	if _, err := OpenPool(with(dsn, "keepalives=often"), Writing, 1); err == nil ||
		!strings.Contains(err.Error(), "keepalives") {
		t.Errorf("keepalives that are no number: %v", err)
	}
}

func asker(db *sql.DB) func(string) (string, error) {
	return func(query string) (s string, err error) {
		err = db.QueryRow(query).Scan(&s)
		return s, err
	}
}

// TestUnsafeServers are refused, and the message has the remedy.
func TestUnsafeServers(t *testing.T) {
	for _, setting := range []string{"fsync", "full_page_writes"} {
		server := dbtest.Cluster(t, setting+"=off")
		dsn := strings.Replace(server.Schema(t), "quatuor.trust_storage=on&", "", 1)
		db, err := Open(t.Context(), dsn, DefaultConnections)
		if err == nil {
			_ = db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "set "+setting+" = on") {
			t.Errorf("%s=off: %v", setting, err)
		}
		db, err = Open(t.Context(), with(dsn, trustStorage+"=on"), DefaultConnections)
		if err != nil {
			t.Errorf("%s=off, and the operator vouches for it: %v", setting, err)
			continue
		}
		_ = db.Close()
	}
}

// TestCutConnections ends sessions while they are used: what can be carried out again is, and nothing is done twice.
func TestCutConnections(t *testing.T) {
	server := dbtest.Cluster(t)
	dsn := server.Schema(t)
	db, other := openDB(t, dsn), openDB(t, dsn)
	must(t, db, "CREATE TABLE counters (id text PRIMARY KEY, n bigint NOT NULL)")
	must(t, db, "INSERT INTO counters VALUES ('a', 0), ('b', 0)")
	end := func() {
		t.Helper()
		_, err := other.heart.Exec(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
			WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`)
		if err != nil {
			t.Fatal(err)
		}
	}
	const add = "UPDATE counters SET n = n + 1 WHERE id = $1"
	for name, do := range map[string]func() error{
		"a batch": func() error { return db.Run(t.Context(), &Batch{Calls: []Call{call(add, "a")}, Refusal: errGuard}) },
		"a query": func() error {
			rows, err := db.Pool().QueryContext(t.Context(), "SELECT n FROM counters")
			if err != nil {
				return err
			}
			defer rows.Close()
			return rows.Err()
		},
		"a transaction": func() error {
			return db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, add, "a")
				return err
			})
		},
	} {
		before := count(t, db, "a")
		for range 3 { // several connections, all of them hot
			var wait []func() error
			for range 3 {
				conn, err := db.pool.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				wait = append(wait, conn.Close)
			}
			for _, release := range wait {
				_ = release()
			}
			end()
			if err := do(); err != nil {
				t.Errorf("%s after its connection was ended: %v", name, err)
			}
		}
		if added := count(t, db, "a") - before; added != 3 && name != "a query" {
			t.Errorf("%s was carried out %d times, want 3", name, added)
		}
	}
	tries := 0
	err := db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		if tries++; tries == 1 {
			end()
		}
		_, err := tx.ExecContext(ctx, add, "b")
		return err
	})
	if n := count(t, db, "b"); err != nil || tries != 2 || n != 1 {
		t.Errorf("a transaction that was cut off: %v after %d tries, and it counts %d", err, tries, n)
	}
}

// TestServerAway stops the server: everything is unavailable at once, and goes on when it is back.
func TestServerAway(t *testing.T) {
	server := dbtest.Cluster(t)
	db := openDB(t, server.Schema(t))
	must(t, db, "CREATE TABLE counters (id text PRIMARY KEY, n bigint NOT NULL)")
	must(t, db, "INSERT INTO counters VALUES ('a', 0)")
	run := func() error {
		return db.Run(t.Context(), &Batch{
			Calls: []Call{call("UPDATE counters SET n = n + 1 WHERE id = $1", "a")}, Refusal: errGuard,
		})
	}
	server.Stop(t)
	for name, err := range map[string]error{
		"a batch":       run(),
		"a transaction": db.Transact(t.Context(), func(context.Context, *sql.Tx) error { return nil }),
		"a query":       second(db.Pool().QueryContext(t.Context(), "SELECT 1")),
	} {
		if !Unavailable(err) {
			t.Errorf("%s without a server: %v", name, err)
		}
	}
	server.Start(t)
	if err := run(); err != nil || count(t, db, "a") != 1 {
		t.Errorf("after the start: %v", err)
	}
}

func second(_ *sql.Rows, err error) error { return err }

// TestFrozenClient stops a client at every point of a batch that holds the lock which others need: none of them waits
// for it, whether the batch had reached the server or not.
func TestFrozenClient(t *testing.T) {
	server := dbtest.Cluster(t)
	dsn := with(server.Schema(t), "idle_in_transaction_session_timeout=0") // which would end it after a while
	other := openDB(t, dsn)
	must(t, other, "CREATE TABLE counters (id text PRIMARY KEY, n bigint NOT NULL)")
	must(t, other, "INSERT INTO counters VALUES ('a', 0), ('b', 0), ('last', 0)")
	const add = "UPDATE counters SET n = n + 1 WHERE id = $1"
	batch := func(id string) *Batch {
		last := call(add, "last")
		last.Lock = 7
		return &Batch{Calls: []Call{call(add, id), call(add, id), last}, Refusal: errGuard}
	}
	for parts := 1; parts <= 6; parts++ {
		t.Run(fmt.Sprint(parts), func(t *testing.T) {
			proxy, through := server.Proxy(t, dsn)
			client := openDB(t, through)
			if err := client.Run(t.Context(), batch("a")); err != nil { // its statements are prepared
				t.Fatal(err)
			}
			proxy.FreezeAfter(parts)
			done := make(chan error, 1)
			var thawed atomic.Bool
			go func() {
				for !thawed.Load() {
					if err := client.Run(t.Context(), batch("a")); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
			for !proxy.Frozen() {
				time.Sleep(time.Millisecond)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // less than a lock is waited for
			defer cancel()
			for range 3 {
				if err := other.Run(ctx, batch("b")); err != nil || ctx.Err() != nil {
					t.Errorf("another's batch while a client is frozen: %v", errors.Join(err, ctx.Err()))
				}
			}
			thawed.Store(true)
			proxy.Thaw()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTenInstances opens every connection that ten instances may open, on a server with the usual max_connections.
func TestTenInstances(t *testing.T) {
	server := dbtest.Cluster(t, "max_connections=100")
	dsn := server.Schema(t)
	const instances = 10
	for range instances {
		db := openDB(t, dsn)
		for _, pool := range []*sql.DB{db.pool, db.writers} {
			for pool.Stats().OpenConnections < pool.Stats().MaxOpenConnections {
				conn, err := pool.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = conn.Close() })
			}
		}
		if err := db.Promptly(t.Context(), func(_ context.Context, heart *sql.DB) error { return heart.Ping() }); err != nil {
			t.Fatal(err)
		}
		listener, err := Connect(t.Context(), dsn, "listener")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close(context.Background()) })
	}
	var taken int
	more, err := Connect(t.Context(), dsn, "more") // there is room for more
	if err != nil {
		t.Fatal(err)
	}
	defer more.Close(context.Background())
	if err := more.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").
		Scan(&taken); err != nil {
		t.Fatal(err)
	}
	if taken-1 != instances*DefaultConnections {
		t.Errorf("ten instances took %d connections, want %d", taken-1, instances*DefaultConnections)
	}
}
