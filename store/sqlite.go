package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
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
	migrating, err := sql.Open("sqlite3", writerDSN(path))
	if err != nil {
		return err
	}
	migrating.SetMaxOpenConns(1)
	if err := migrations.SQLite(ctx, migrating); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	w, err := openWriter(ctx, writerDSN(path), c)
	if err != nil {
		return err
	}
	w.lock = lock
	reads, err := openReader(path)
	if err != nil {
		return errors.Join(err, w.close())
	}
	s.backend = w
	if s.reads, err = openORM(sqlite.New(sqlite.Config{Conn: reads})); err == nil {
		s.ended, err = openOutboxMemory(ctx, s.reads)
	}
	if err != nil {
		return errors.Join(err, reads.Close(), w.close())
	}
	w.ended, s.ratings = s.ended, &ratingMemory{}
	return nil
}

func openReader(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", readerDSN(path))
	if err != nil {
		return nil, err
	}
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return db, nil
}

// writerDSN: a commit returns when it is on disk (FULL), and a transaction takes the write lock when it begins, so
// that it never finds the database changed under it. SQLite need not lock its connections (_mutex) here and below, for
// database/sql gives each to one goroutine at a time.
func writerDSN(path string) string {
	return fileDSN(path, url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_busy_timeout": {"5000"}, "_foreign_keys": {"1"},
		"vfs": {logVFS}, "_txlock": {"immediate"}, "_mutex": {"no"}, "_stmt_cache_size": {"128"}, "_cache_size": {strconv.Itoa(-writerCacheKiB)},
	})
}

func readerDSN(path string) string {
	return fileDSN(path, url.Values{
		"_query_only": {"1"}, "_mutex": {"no"}, "_busy_timeout": {"5000"}, "_stmt_cache_size": {"128"},
		"_cache_size": {strconv.Itoa(-readerCacheKiB)},
	})
}

func fileDSN(path string, options url.Values) string {
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}).String()
}

// makePrivate makes the database file, if it is not there, so that only this user can read it: it holds secrets.
// SQLite gives its other files the same rights.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("database file: %w", err)
	}
	return f.Close()
}
