package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gorm.io/driver/sqlite"
	"gorm.io/gorm"

	"quatuor/store/migrations"
)

// errReading is the answer to a write on a store that was opened to be read.
var errReading = errors.New("this store was opened to be read")

// OpenToRead opens a database to be read alone, whether a server works on it or not. Nothing is migrated, and every
// write is refused.
func OpenToRead(ctx context.Context, c Config) (*Store, error) {
	if c.DSN != "" {
		return Open(ctx, c) // PostgreSQL is there for many
	}
	path := filepath.Join(c.Dir, databaseFile)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("store: there is no installation in %s: %w", c.Dir, err)
	}
	reads := openReader(path)
	if err := migrations.Current(ctx, reads); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %s: %w", path, err), reads.Close())
	}
	s := &Store{dir: c.Dir, backend: reading{}, tournaments: newTournamentMemory()}
	var err error
	if s.reads, err = openORM(sqlite.New(sqlite.Config{Conn: reads})); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), reads.Close())
	}
	return s, nil
}

// reading is the backend of a SQLite database that is only read.
type reading struct{}

func (reading) write(context.Context, func(tx *gorm.DB) error) error { return errReading }
func (reading) run(context.Context, *batch) error                    { return errReading }
func (reading) alone() bool                                          { return true }
func (reading) close() error                                         { return nil }
