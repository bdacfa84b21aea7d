package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"quatuor/store/dbtest"
)

var errGuard = errors.New("the guard does not hold")

// TestPostgres runs all parts on the same server.
func TestPostgres(t *testing.T) {
	server := dbtest.Cluster(t)
	for name, test := range map[string]func(*testing.T, *DB){
		"a batch is all or nothing":                       batches,
		"conflicts are tried again":                       conflicts,
		"an end of the context counts before, not within": contexts,
		"a lock lasts as long as the transaction":         locks,
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), server.Schema(t), DefaultConnections)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			must(t, db, "CREATE TABLE counters (id text PRIMARY KEY, n bigint NOT NULL)")
			must(t, db, "INSERT INTO counters VALUES ('a', 0), ('b', 0)")
			test(t, db)
		})
	}
}

func must(t *testing.T, db *DB, statement string) {
	t.Helper()
	if _, err := db.Pool().Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// count returns a counter's number.
func count(t *testing.T, db *DB, id string) (n int) {
	t.Helper()
	if err := db.Pool().QueryRow("SELECT n FROM counters WHERE id = $1", id).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func call(text string, args ...any) Call {
	c := Call{Text: text}
	for i, arg := range args {
		c.Args = append(c.Args, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
	return c
}

// batches: the first statement guards the others, and a failure takes all of them back.
func batches(t *testing.T, db *DB) {
	const advance = "UPDATE counters SET n = n + 1 WHERE id = $1 AND n = $2"
	for _, tt := range []struct {
		name  string
		calls []Call
		want  func(error) bool
		a, b  int
	}{
		{"stored", []Call{call(advance, "a", int64(0)), call(advance, "b", int64(0))}, func(err error) bool { return err == nil }, 1, 1},
		{"refused", []Call{call(advance, "a", int64(7)), call(advance, "b", int64(1))}, func(err error) bool { return errors.Is(err, errGuard) }, 1, 1},
		{"no guard in the second", []Call{call(advance, "a", int64(1)), call(advance, "b", int64(7))}, func(err error) bool { return err == nil }, 2, 1},
		{"a key twice", []Call{call(advance, "a", int64(2)), call("INSERT INTO counters VALUES ($1, $2)", "b", int64(0))}, Duplicate, 2, 1},
	} {
		err := db.Run(t.Context(), &Batch{Calls: tt.calls, Refusal: errGuard})
		if !tt.want(err) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if a, b := count(t, db, "a"), count(t, db, "b"); a != tt.a || b != tt.b {
			t.Errorf("%s: the counters are %d and %d, want %d and %d", tt.name, a, b, tt.a, tt.b)
		}
	}
}

// conflicts makes two transactions wait for each other; the transaction that the server aborts is retried.
func conflicts(t *testing.T, db *DB) {
	var tries atomic.Int64
	both := make(chan struct{}, 2)
	met := sync.OnceFunc(func() { both <- struct{}{}; both <- struct{}{} })
	var first sync.WaitGroup
	first.Add(2)
	go func() { first.Wait(); met() }()
	errs := make(chan error, 2)
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		arrived := sync.OnceFunc(first.Done)
		go func() {
			errs <- db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				again := tries.Add(1) > 2
				if _, err := tx.ExecContext(ctx, "UPDATE counters SET n = n + 1 WHERE id = $1", order[0]); err != nil {
					return err
				}
				arrived()
				if !again {
					<-both // each holds a row that the other wants
				}
				_, err := tx.ExecContext(ctx, "UPDATE counters SET n = n + 1 WHERE id = $1", order[1])
				return err
			})
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if a, b := count(t, db, "a"), count(t, db, "b"); a != 2 || b != 2 || tries.Load() < 3 {
		t.Errorf("the counters are %d and %d after %d tries, want 2 and 2 after 3", a, b, tries.Load())
	}
}

// contexts: ending a context withdraws a transaction that has not begun, and leaves alone a transaction that has.
func contexts(t *testing.T, db *DB) {
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		cancel()
		_, err := tx.ExecContext(ctx, "UPDATE counters SET n = 5 WHERE id = 'a'")
		return err
	})
	if err != nil || count(t, db, "a") != 5 {
		t.Errorf("begun before the end: %v, the counter is %d", err, count(t, db, "a"))
	}
	err = db.Transact(ctx, func(context.Context, *sql.Tx) error {
		t.Error("begun after the end")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// locks: batches with the same advisory lock follow each other, so that each sees the rows stored by the batch before.
func locks(t *testing.T, db *DB) {
	const many = 16
	var group sync.WaitGroup
	errs := make([]error, many)
	for i := range many {
		group.Go(func() {
			insert := call("INSERT INTO counters SELECT $1, max(n) + 1 FROM counters", fmt.Sprint("line ", i))
			insert.Lock = 7
			errs[i] = db.Run(t.Context(), &Batch{Calls: []Call{insert}, Refusal: errGuard})
		})
	}
	group.Wait()
	var highest, different int
	if err := errors.Join(append(errs, db.Pool().QueryRow("SELECT max(n), count(DISTINCT n) FROM counters").
		Scan(&highest, &different))...); err != nil {
		t.Fatal(err)
	}
	if highest != many || different != many+1 { // and the 0 of the first two
		t.Errorf("the highest number is %d among %d, want %d among %d", highest, different, many, many+1)
	}
}

// TestKindsOfErrors distinguishes transient errors, those that are retried at once, and others.
func TestKindsOfErrors(t *testing.T) {
	code := func(code string) error { return fmt.Errorf("commit: %w", &pgconn.PgError{Code: code}) }
	for _, tt := range []struct {
		name                              string
		err                               error
		unavailable, retryable, duplicate bool
	}{
		{"none", nil, false, false, false},
		{"connection failure", code("08006"), true, false, false},
		{"disk full", code("53100"), true, false, false},
		{"too many connections", code("53300"), true, false, false},
		{"shutting down", code("57P01"), true, false, false},
		{"input or output", code("58030"), true, false, false},
		{"a server that only reads", code("25006"), true, false, false},
		{"lock not available", code("55P03"), true, false, false},
		{"serialization failure", code("40001"), true, true, false},
		{"deadlock", code("40P01"), true, true, false},
		{"unique violation", code("23505"), false, false, true},
		{"syntax error", code("42601"), false, false, false},
		{"no server", &pgconn.ConnectError{}, true, false, false},
		{"dead before it began", fmt.Errorf("%w: %w", errNotBegun, driver.ErrBadConn), true, true, false},
		{"dead while it ran", driver.ErrBadConn, true, false, false},
		{"of the network", &net.OpError{Op: "read", Err: errors.New("reset")}, true, false, false},
		{"closed meanwhile", fmt.Errorf("exec: %w", pgconn.ErrConnClosed), true, false, false},
		{"the end of the connection", io.ErrUnexpectedEOF, true, false, false},
		{"idle for too long", code("25P03"), true, false, false},
		{"idle for too long, nothing stored", fmt.Errorf("%w: %w", errUndone, code("25P03")), true, true, false},
		{"ended before it began", fmt.Errorf("%w: %w", errNotBegun, code("57P01")), true, true, false},
		{"unreachable before it began", fmt.Errorf("%w: %w", errNotBegun, &pgconn.ConnectError{}), true, false, false},
		{"no answer in time", fmt.Errorf("%w: timeout", errSlow), true, false, false},
		{"the caller has given up", context.DeadlineExceeded, false, false, false},
	} {
		if got := Unavailable(tt.err); got != tt.unavailable {
			t.Errorf("%s: unavailable is %v", tt.name, got)
		}
		if got := retryable(tt.err); got != tt.retryable {
			t.Errorf("%s: retryable is %v", tt.name, got)
		}
		if got := Duplicate(tt.err); got != tt.duplicate {
			t.Errorf("%s: duplicate is %v", tt.name, got)
		}
	}
}
