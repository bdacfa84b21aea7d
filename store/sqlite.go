package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mattn/go-sqlite3"
	"gorm.io/driver/sqlite"

	"quatuor/store/migrations"
)

const (
	databaseFile = "quatuor.db"
	lockName     = "quatuor.lock"
	// checkpointPages is how long the write-ahead log may grow, in pages of 4 KiB, before a commit stops to copy it
	// into the database file. Long before that the copier has done so; this is for when it cannot keep up.
	checkpointPages = 40_000
	// writerCacheKiB and readerCacheKiB are the page caches of the writer and of each reader. A larger one costs the writer
	// more than it saves: where pages were put into a new order, SQLite goes through its whole cache with the commit (it
	// moves them by way of a page number beyond the file's end, and then looks for pages there to drop). What is not in it
	// is mostly in the system's.
	writerCacheKiB = 8 << 10
	readerCacheKiB = 8 << 10
)

// openSQLite takes the data directory for this process, migrates the file, and opens one pool to write and one to
// read.
func (s *Store) openSQLite(ctx context.Context, c Config) (err error) {
	lock, err := lockDir(c.Dir)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.release())
		}
	}()
	path := filepath.Join(c.Dir, databaseFile)
	if err := makePrivate(path); err != nil {
		return err
	}
	migrating := openPool(path, migrationPragmas)
	migrating.SetMaxOpenConns(1)
	if err := migrations.SQLite(ctx, migrating); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	w, err := openWriter(ctx, path, c, s.log)
	if err != nil {
		return err
	}
	w.lock = lock
	reads := openReader(path)
	s.backend = w
	if s.reads, err = openORM(sqlite.New(sqlite.Config{Conn: reads})); err != nil {
		return errors.Join(err, reads.Close(), w.close())
	}
	return nil
}

func openReader(path string) *sql.DB {
	db := openPool(path, readerPragmas)
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return db
}

// makePrivate makes the database file, if it is not there, so that only this user can read it: it holds secrets.
// SQLite gives its other files the same rights. The file's name is on the disk afterwards.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("database file: %w", err)
	}
	return errors.Join(f.Close(), syncDir(filepath.Dir(path)))
}

// SQLiteVersion returns the version of SQLite that is built in, such as 3.50.4.
func SQLiteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}
