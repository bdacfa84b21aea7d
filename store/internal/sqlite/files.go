package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// The suffixes of the files that SQLite keeps beside a database: its write-ahead log, and the index of that.
const (
	LogSuffix   = "-wal"
	IndexSuffix = "-shm"
)

// MakePrivate makes the database file, if it is not there, so that only this user can read it: it holds secrets.
// SQLite creates its other files with the same rights. The file's name is on the disk afterwards.
func MakePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("database file: %w", err)
	}
	return errors.Join(f.Close(), SyncDir(filepath.Dir(path)))
}

// VacuumInto copies a database into an empty file, with a connection of its own. SQLite's stepwise backup would restart
// with every write.
func VacuumInto(ctx context.Context, source, path string) error {
	db := OpenPlain(source)
	defer db.Close()
	_, err := db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}

// Vacuum rewrites a database in place, beside its writer, and empties the write-ahead log: nothing is left of deleted
// data. Writes wait for it, as for another program's. A small database is copied in memory.
func Vacuum(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	pragmas := durablePragmas
	if info.Size() <= vacuumInMemory {
		pragmas = slices.Concat(pragmas, []pragma{{"temp_store", "MEMORY", "2"}})
	}
	db := openPool(path, pragmas)
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	for range checkpointTries { // a reader that began before it holds it up
		var busy, pages, copied int
		err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &copied)
		if err == nil && busy != 0 {
			err = errors.New("the write-ahead log is still being read")
		}
		if err == nil {
			return nil
		}
	}
	return err
}

const (
	// vacuumInMemory is the size in bytes of the largest database that Vacuum copies in memory.
	vacuumInMemory = 64 << 20
	// checkpointTries is the number of times that Vacuum waits for readers, up to the busy timeout each time.
	checkpointTries = 3
)

// FoldLog brings everything that the write-ahead log of a database holds into its file, and the file to the disk.
func FoldLog(ctx context.Context, path string) error {
	db := OpenPlain(path)
	var busy, pages, copied int
	err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &copied)
	if err == nil && busy != 0 {
		err = errors.New("another process works on the database")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return syncFile(path)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
