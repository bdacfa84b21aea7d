package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// BackupDir writes a copy of the database in a data directory, as it is at one moment, to a new file, whether a server
// works on it or not; moves go on meanwhile. The file is there once it is whole and on the disk, and not before. It
// holds all secrets and is readable to this user alone. PostgreSQL has pg_dump instead.
func BackupDir(ctx context.Context, dir, path string) error {
	if err := backUp(ctx, filepath.Join(dir, databaseFile), path); err != nil {
		return fmt.Errorf("store: back up: %w", err)
	}
	return nil
}

func backUp(ctx context.Context, source, path string) error {
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("there is no database: %w", err)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already; a backup goes to a new file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".quatuor-backup-*") // for this user alone
	if err != nil {
		return err
	}
	defer f.Close()
	if err = vacuumInto(ctx, source, f.Name()); err == nil {
		err = f.Sync()
	}
	if err == nil { // Windows renames no file that is open
		err = errors.Join(f.Close(), os.Rename(f.Name(), path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// vacuumInto copies with a connection of its own. SQLite's stepwise backup would begin anew whenever somebody writes.
func vacuumInto(ctx context.Context, source, path string) error {
	db := openPool(source, durablePragmas)
	defer db.Close()
	_, err := db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}
