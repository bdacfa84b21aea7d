package app

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/pressly/goose/v3/lock"

	"quatuor/api/problem"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
)

// probe requests /readyz and returns the status and, where it is a problem document, its detail.
func probe(t *testing.T, handler http.Handler) (status int, detail string) {
	t.Helper()
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil))
	if answer.Code == http.StatusOK {
		return answer.Code, ""
	}
	var p struct{ Type, Detail string }
	if err := json.Unmarshal(answer.Body.Bytes(), &p); err != nil || p.Type != "/problems/unavailable" {
		t.Errorf("%s, %v", answer.Body, err)
	}
	if kind := answer.Header().Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("Content-Type %q", kind)
	}
	return answer.Code, p.Detail
}

// untilNotReady waits until /readyz has this reason; nil waits until it is ready.
func untilNotReady(t *testing.T, a *App, why error) {
	t.Helper()
	want, said := "", "nothing"
	if why != nil {
		want = why.Error()
	}
	pace := time.NewTicker(50 * time.Millisecond)
	defer pace.Stop()
	for deadline := time.Now().Add(relayPatience); said != want; <-pace.C {
		if _, said = probe(t, a.Handler); said != want && time.Now().After(deadline) {
			t.Fatalf("/readyz says %q, want %q", said, want)
		}
	}
}

// TestNotReadyWhileStarting: until the service runs, the reason of /readyz is that it starts.
func TestNotReadyWhileStarting(t *testing.T) {
	a, err := New(t.Context(), Config{
		Storage: newData(t), Listen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if status, detail := probe(t, a.Handler); status != http.StatusServiceUnavailable ||
		detail != problem.ErrStarting.Error() {
		t.Errorf("before it runs: %d, %q", status, detail)
	}
	if err := a.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	answer, err := http.Get(a.URL() + "/api/v1/variants") // it waits, if it comes too early
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if status, detail := probe(t, a.Handler); answer.StatusCode != http.StatusOK || status != http.StatusOK {
		t.Errorf("once it runs: %d, then %d, %q", answer.StatusCode, status, detail)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestGate sends requests before it opens, when it does, and where it never does.
func TestGate(t *testing.T) {
	const path = "/api/v1/games"
	said := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
	ask := func(handler http.Handler, path string) (int, string) {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return answer.Code, answer.Body.String()
	}
	g, ctx := newGate(), t.Context()
	handler := g.before(ctx, said)
	for _, probe := range []string{"/healthz", "/readyz"} {
		if status, body := ask(handler, probe); status != http.StatusOK || body != probe {
			t.Errorf("GET %s before: %d, %s", probe, status, body)
		}
	}
	waited := make(chan string)
	go func() { _, body := ask(handler, path); waited <- body }()
	select {
	case <-waited:
		t.Error("a request does not wait")
	default:
	}
	g.open()
	if body := <-waited; body != path {
		t.Errorf("a request that waited got %q", body)
	}
	if status, body := ask(handler, path); status != http.StatusOK || body != path {
		t.Errorf("afterwards: %d, %s", status, body)
	}
	ended, end := context.WithCancel(ctx)
	handler = newGate().before(ended, said)
	end()
	if status, body := ask(handler, path); status != http.StatusServiceUnavailable || body != "" {
		t.Errorf("where it never opens: %d, %s", status, body)
	}
}

// TestNotReady takes the needs of an instance away, each by itself, and demands the reason in /readyz.
func TestNotReady(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	for name, test := range map[string]func(*testing.T, *dbtest.Postgres, string){
		"Away": awayNotReady, "Clock": clockNotReady, "Schema": schemaNotReady, "Standstill": standstillNotReady,
	} {
		t.Run(name, func(t *testing.T) { test(t, server, server.Schema(t)) })
	}
}

func awayNotReady(t *testing.T, server *dbtest.Postgres, dsn string) {
	proxy, through := server.Proxy(t, dsn)
	a := instances(t, through, 1, nil)[0]
	untilNotReady(t, a, nil)
	proxy.Freeze()
	defer proxy.Thaw()
	for range 3 { // before the games are suspended, and after
		began := time.Now()
		untilNotReady(t, a, table.ErrUnavailable)
		if took := time.Since(began); took > relayPatience/2 {
			t.Errorf("the answer took %s", took)
		}
	}
	proxy.Thaw()
	untilNotReady(t, a, nil)
}

func clockNotReady(t *testing.T, _ *dbtest.Postgres, dsn string) {
	a := instances(t, dsn, 1, func(c *Config) {
		c.Now = func() time.Time { return time.Now().Add(-1500 * time.Millisecond) }
	})[0]
	untilNotReady(t, a, table.ErrOffset)
	if offset := metric(t, a, "quatuor_clock_offset_seconds"); offset < 1.4 || offset > 2.5 {
		t.Errorf("the metric says that the clock is off by %v s", offset)
	}
}

func schemaNotReady(t *testing.T, _ *dbtest.Postgres, dsn string) {
	a := instances(t, dsn, 1, nil)[0]
	untilNotReady(t, a, nil)
	db := openDB(t, dsn)
	mustExec(t, db, "UPDATE goose_db_version SET is_applied = false WHERE version_id = (SELECT max(version_id) FROM "+
		"goose_db_version)")
	untilNotReady(t, a, problem.ErrSchema)
	mustExec(t, db, "SELECT pg_advisory_lock($1)", lock.DefaultLockID)
	untilNotReady(t, a, problem.ErrMigrating)
	mustExec(t, db, "UPDATE goose_db_version SET is_applied = true")
	untilNotReady(t, a, nil) // a migration that takes nothing away runs beside
	mustExec(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, true)")
	untilNotReady(t, a, nil) // so does a newer program
}

// standstillNotReady locks what heartbeats are written to: the database answers, but nothing can be stored.
func standstillNotReady(t *testing.T, _ *dbtest.Postgres, dsn string) {
	a := instances(t, dsn, 1, nil)[0]
	untilNotReady(t, a, nil)
	tx, err := openDB(t, dsn).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), "LOCK TABLE heartbeats IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	untilNotReady(t, a, problem.ErrStandstill)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	untilNotReady(t, a, nil)
}

// openDB returns a single connection to the database.
func openDB(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func mustExec(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}
