package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
)

// Examination is the state of a database file as seen from outside. The zero Examination is that of a folder without a
// database.
type Examination struct {
	Found          bool
	Size, Log      int64 // bytes of the file, and of its write-ahead log
	Journal        string
	Present, Known int64  // number of its schema, and of this program's
	Beat           int64  // the last heartbeat, ms UTC; 0 for none
	Damage         string // the first damage that SQLite finds; "" for none
}

// Examine reads the settings of the database in a data directory, and with thorough whether its pages are sound. It
// changes nothing, and a service may be working on it.
func Examine(ctx context.Context, dir string, thorough bool) (e Examination, err error) {
	path := filepath.Join(dir, databaseFile)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	e.Found, e.Size = true, info.Size()
	if log, err := os.Stat(path + sqlite.LogSuffix); err == nil {
		e.Log = log.Size()
	}
	db := sqlite.OpenPlain(path)
	defer db.Close()
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&e.Journal); err != nil {
		return e, err
	}
	if e.Present, e.Known, err = migrations.Stored(ctx, db); err != nil {
		return e, err
	}
	if e.Present > 0 {
		if err := db.QueryRowContext(ctx, "SELECT coalesce(max(at), 0) FROM heartbeats").Scan(&e.Beat); err != nil {
			return e, err
		}
	}
	if !thorough {
		return e, nil
	}
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&e.Damage); err != nil {
		return e, err
	}
	if e.Damage == "ok" {
		e.Damage = ""
	}
	return e, nil
}

// InUse reports whether a process works on a data directory.
func InUse(dir string) (bool, error) {
	if _, err := os.Stat(filepath.Join(dir, lockName)); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	lock, err := sqlite.LockDir(dir, lockName)
	if errors.Is(err, sqlite.ErrInUse) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, lock.Release()
}
