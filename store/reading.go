package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"

	"quatuor/store/editions"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/sqlite"
	"quatuor/store/members"
	"quatuor/store/migrations"
)

// errReading is the answer to a write on a store that was opened to be read.
var errReading = errors.New("this store was opened to be read")

// OpenToRead opens a database to be read alone, whether a server works on it or not. Nothing is migrated, and every
// write is refused.
func OpenToRead(ctx context.Context, c Config) (*Store, error) {
	if c.DSN != "" {
		return openClusterToRead(ctx, c)
	}
	path := filepath.Join(c.Dir, databaseFile)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("store: there is no installation in %s: %w", c.Dir, err)
	}
	reads := sqlite.OpenReaders(path)
	if err := migrations.Current(ctx, reads); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %s: %w", path, err), reads.Close())
	}
	return newReading(c.Dir, gormsqlite.New(gormsqlite.Config{Conn: reads}), reads)
}

// newReading returns a store that reads on a pool, which is closed if that fails.
func newReading(dir string, d gorm.Dialector, pool *sql.DB) (*Store, error) {
	reads, err := openORM(d)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), pool.Close())
	}
	s := &Store{
		dir: dir, reads: reads, backend: reading{oneInstance{outbox.Alone{Reads: reads}, reads}}, tournaments: editions.New(), members: members.Alone(members.Member{}),
	}
	s.openRatings()
	return s, nil
}

// reading is the backend of a database that is only read.
type reading struct{ oneInstance }

func (reading) write(context.Context, func(tx *gorm.DB) error) error  { return errReading }
func (reading) single(context.Context, func(tx *gorm.DB) error) error { return errReading }
func (reading) run(context.Context, *batch) error                     { return errReading }
func (reading) long(context.Context, func(context.Context, *gorm.DB) error) error {
	return errReading
}
func (reading) beat(context.Context, heartbeatRow) ([]members.Beat, error) { return nil, errReading }
func (reading) close() error                                               { return nil }

// HasLogin reports whether a database has an account of this login. It changes nothing, and takes a database of an
// older schema, or none at all.
func HasLogin(ctx context.Context, c Config, login string) (has bool, err error) {
	path := filepath.Join(c.Dir, databaseFile)
	known := "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'accounts')"
	var pool *sql.DB
	if c.DSN == "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		pool = sqlite.OpenReaders(path)
	} else {
		known = "SELECT to_regclass('accounts') IS NOT NULL"
		if pool, err = postgres.OpenPool(c.DSN, postgres.Reading, readingConnections); err != nil {
			return false, fmt.Errorf("store: %w", err)
		}
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if err = pool.QueryRowContext(ctx, known).Scan(&has); err == nil && has {
		err = pool.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM accounts WHERE login = $1)", login).Scan(&has)
	}
	return has, db.About("look for an account", err)
}
