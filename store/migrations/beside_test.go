package migrations

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"quatuor/store/dbtest"
)

func TestTakesAway(t *testing.T) {
	for text, want := range map[string]bool{
		"ALTER TABLE games ADD COLUMN starts_at bigint NOT NULL DEFAULT 0;":      false,
		"CREATE TABLE slips (id text PRIMARY KEY);":                              false,
		"CREATE INDEX slips_by_id ON slips (id);":                                false,
		"INSERT INTO cursors VALUES ('x', 0);":                                   false,
		"-- nothing is renamed or dropped: RENAME, DROP TABLE":                   false,
		"ALTER TABLE a ADD b int;\n-- +goose Down\nALTER TABLE a DROP COLUMN b;": false,
		"ALTER TABLE games DROP COLUMN starts_at;":                               true,
		"alter table games rename column a to b;":                                true,
		"ALTER TABLE a ALTER COLUMN b TYPE bigint;":                              true,
		"ALTER TABLE a ALTER COLUMN b SET NOT NULL;":                             true,
		"DROP TABLE a;": true,
		"CREATE TABLE b (c int);\nUPDATE a SET c = 1;": true,
		"DELETE FROM a;": true,
	} {
		if got := takesAway(99, text); got != want {
			t.Errorf("%q takes away: %v", text, got)
		}
	}
}

// TestServedWhileMigrating migrates beside an instance that serves, and beside a stopped instance.
func TestServedWhileMigrating(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	dsn := server.Schema(t)
	open := func() *sql.DB {
		t.Helper()
		db, err := sql.Open("pgx", dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	if err := Postgres(t.Context(), open()); err != nil {
		t.Fatal(err)
	}
	db := open()
	if _, err := db.Exec("INSERT INTO heartbeats (instance, at) VALUES ('other', 1)"); err != nil {
		t.Fatal(err)
	}
	if err := refuseServed(t.Context(), db); err != nil {
		t.Errorf("beside one that has stopped: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = db.ExecContext(ctx, "UPDATE heartbeats SET at = at + 1")
			time.Sleep(100 * time.Millisecond)
		}
	}()
	if err := refuseServed(t.Context(), db); !errors.Is(err, errServed) {
		t.Errorf("beside one that serves: %v", err)
	}
	// An addition is not requested: nothing else is pending.
	if err := mayMigrate(t.Context(), db); err != nil {
		t.Error(err)
	}
	if _, err := db.Exec("DELETE FROM goose_db_version WHERE version_id >= $1", wordingVersion); err != nil {
		t.Fatal(err)
	}
	if err := mayMigrate(t.Context(), db); !errors.Is(err, errServed) {
		t.Errorf("a migration that rewrites beside one that serves: %v", err)
	}
	stop()
	<-ended
}
