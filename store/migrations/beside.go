package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// errServed is returned for a migration that would remove parts that serving instances work with.
var errServed = errors.New("other instances serve on this database, and the new schema takes away what they need; " +
	"stop them first")

// destructive matches statements that remove or change something. All others add, and instances of the version before
// go on beside them.
var destructive = regexp.MustCompile(`(?i)\bDROP\s+(TABLE|COLUMN|CONSTRAINT|VIEW)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b|\bTRUNCATE\b|\bDELETE\s+FROM\b|^\s*UPDATE\s`)

// takesAway reports whether a migration cannot run beside instances of the version before.
func takesAway(version int64, text string) bool {
	if version == wordingVersion { // in Go: it rewrites
		return true
	}
	text, _, _ = strings.Cut(text, "-- +goose Down")
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "--")
		if destructive.MatchString(line) {
			return true
		}
	}
	return false
}

// mayMigrate refuses a migration that takes something away while instances serve.
func mayMigrate(ctx context.Context, db *sql.DB) error {
	var there bool
	err := db.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL AND to_regclass('heartbeats') "+
		"IS NOT NULL").Scan(&there)
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if !there {
		return nil
	}
	var present int64
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").
		Scan(&present); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	pending, err := anyTakesAway(present)
	if err != nil || !pending {
		return err
	}
	return refuseServed(ctx, db)
}

// anyTakesAway reports whether any migration after a version takes something away.
func anyTakesAway(present int64) (bool, error) {
	if present < wordingVersion {
		return true, nil
	}
	sources, err := fs.Glob(files, "postgres/*.sql")
	if err != nil {
		return false, err
	}
	for _, name := range sources {
		version, err := goose.NumericComponent(name)
		if err != nil || version <= present {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return false, err
		}
		if takesAway(version, string(text)) {
			return true, nil
		}
	}
	return false, nil
}

// twoBeats is longer than an instance of any version waits between two heartbeats.
const twoBeats = 2500 * time.Millisecond

// refuseServed returns errServed if heartbeats come: those of instances that have just stopped do not.
func refuseServed(ctx context.Context, db *sql.DB) error {
	var before, after int64
	const latest = "SELECT coalesce(max(at), 0) FROM heartbeats"
	if err := db.QueryRowContext(ctx, latest).Scan(&before); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	select {
	case <-time.After(twoBeats):
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := db.QueryRowContext(ctx, latest).Scan(&after); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if after > before {
		return errServed
	}
	return nil
}
