package store

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
)

// migrateFile brings a database file to the schema of this program. Where it has an older one, a copy of it is written
// beside it first, if wanted: the way back, for schemas only move forward.
func (s *Store) migrateFile(ctx context.Context, path string, keepCopy bool) error {
	plain := sqlite.OpenPlain(path)
	present, known, err := migrations.Stored(ctx, plain)
	_ = plain.Close()
	if err != nil {
		return err
	}
	began, copied := time.Now(), ""
	if keepCopy && 0 < present && present < known {
		stamp := began.UTC().Format("20060102T150405.000Z")
		copied = filepath.Join(filepath.Dir(path), fmt.Sprintf("quatuor-schema-%d-%s.db", present, stamp))
		if err := backUp(ctx, path, copied); err != nil {
			return fmt.Errorf("nothing was changed: the copy that is made before the schema goes from number %d to %d could "+
				"not be written; make room in %s for as much as the database takes: %w", present, known, filepath.Dir(path), err)
		}
	}
	if err := migrations.SQLite(ctx, sqlite.OpenMigrating(path)); err != nil {
		return err
	}
	if copied != "" {
		s.log.InfoContext(ctx, "the schema of the database was brought up to date; a copy from before is kept",
			"from", present, "to", known, "copy", copied, "took", time.Since(began).Round(time.Millisecond))
	}
	return nil
}
