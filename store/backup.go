package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup writes a copy of the database, as it is at one moment, to a new file; moves go on meanwhile. It is for SQLite
// only: PostgreSQL has pg_dump.
func (s *Store) Backup(ctx context.Context, path string) error {
	if s.dir == "" {
		return errors.New("store: this database is PostgreSQL; back it up with pg_dump")
	}
	return BackupDir(ctx, s.dir, path)
}

// BackupDir is Backup for a data directory, whether a server works on it or not. The copy holds all secrets and is
// readable to this user alone.
func BackupDir(ctx context.Context, dir, path string) error {
	source := filepath.Join(dir, databaseFile)
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("store: back up: there is no database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("store: back up to a file that must be new: %w", err)
	}
	defer f.Close()
	err = vacuumInto(ctx, source, path)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("store: back up: %w", err), os.Remove(path))
	}
	return nil
}

// vacuumInto copies with a connection of its own. SQLite's stepwise backup would begin anew whenever somebody writes.
func vacuumInto(ctx context.Context, source, path string) error {
	db, err := sql.Open("sqlite3", fileDSN(source, nil))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}
