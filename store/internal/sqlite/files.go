package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mattn/go-sqlite3"
)

// The suffixes of the files that SQLite keeps beside a database: its write-ahead log, and the index of that.
const (
	LogSuffix   = "-wal"
	IndexSuffix = "-shm"
)

// Version returns the version of SQLite that is built in, such as 3.50.4.
func Version() string {
	version, _, _ := sqlite3.Version()
	return version
}

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

// FoldLog brings everything that the write-ahead log of a database holds into its one file, and the file to the disk.
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

// Damaged reports whether a file is damaged, or no database.
func Damaged(err error) bool { return isCode(err, sqlite3.ErrCorrupt, sqlite3.ErrNotADB) }

// isCode reports whether an error has one of some codes of SQLite.
func isCode(err error, codes ...sqlite3.ErrNo) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

// Duplicate reports whether an error is a duplicate key.
func Duplicate(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) &&
		(e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

// Unavailable reports whether an error comes from a disk that is full or does not answer, a file that cannot be written
// now, another process that holds the lock, or a writer that is closed.
func Unavailable(err error) bool {
	return errors.Is(err, ErrClosed) || isCode(err, sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrNomem,
		sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrFull, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrProtocol)
}
