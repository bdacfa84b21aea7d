package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"

	"quatuor/store/editions"
	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
)

const (
	databaseFile = "quatuor.db"
	lockName     = "quatuor.lock"
)

// file is the backend for SQLite.
type file struct {
	writer  *sqlite.Writer
	orm     *gorm.DB // of the writer
	closing func() error
}

// openSQLite takes the data directory for this process, migrates the file, and opens one pool to write and one to
// read.
func (s *Store) openSQLite(ctx context.Context, c Config) (err error) {
	lock, err := sqlite.LockDir(c.Dir, lockName)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Release())
		}
	}()
	path := filepath.Join(c.Dir, databaseFile)
	if err := sqlite.MakePrivate(path); err != nil {
		return err
	}
	if err := migrations.SQLite(ctx, sqlite.OpenMigrating(path)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.checkpoints.log = s.log
	w, err := sqlite.Open(ctx, sqlite.Config{
		Path: path, Statements: statementTexts(), MaxBatch: c.MaxBatch, CheckpointAfter: c.checkpointAfter,
		Observe: s.checkpoints.observe,
	})
	if err != nil {
		return err
	}
	orm, err := openORM(gormsqlite.New(gormsqlite.Config{Conn: w.DB()}))
	if err != nil {
		return errors.Join(err, w.Close())
	}
	reads := sqlite.OpenReaders(path)
	if s.reads, err = openORM(gormsqlite.New(gormsqlite.Config{Conn: reads})); err != nil {
		return errors.Join(err, reads.Close(), w.Close())
	}
	s.backend = &file{w, orm, sync.OnceValue(func() error { return errors.Join(w.Close(), lock.Release()) })}
	return nil
}

func (f *file) alone() bool { return true }

func (f *file) close() error { return f.closing() }

func (f *file) run(ctx context.Context, b *batch) error { return f.writer.Run(ctx, b.forSQLite()) }

func (b *batch) forSQLite() *sqlite.Batch {
	calls := make([]sqlite.Call, len(b.calls))
	for i, call := range b.calls {
		calls[i] = sqlite.Call{Statement: int(call.id), Args: b.argsOf(call)}
	}
	return &sqlite.Batch{Calls: calls, Refusal: b.refusal, Urgent: b.urgent}
}

func (f *file) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	lasting := context.WithoutCancel(ctx)
	return f.writer.Write(ctx, func(conn *sql.Conn) error { return work(session(lasting, f.orm, sqlite.Within{Conn: conn})) })
}

func (f *file) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return f.writer.Long(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return work(ctx, session(ctx, f.orm, sqlite.Within{Conn: conn}))
	})
}

// checkpoints counts the checkpoints of SQLite's log that failed, and logs the first of a row.
type checkpoints struct {
	log      *slog.Logger
	failures atomic.Int64
	failing  atomic.Bool // the last one did
}

func (c *checkpoints) observe(err error) {
	if err == nil {
		if c.failing.Swap(false) {
			c.log.Info("the log is copied into the database file again")
		}
		return
	}
	c.failures.Add(1)
	if !c.failing.Swap(true) {
		c.log.Warn("the log cannot be copied into the database file and grows; nothing is lost", "error", err)
	}
}

// SQLiteVersion returns the version of SQLite that is built in, such as 3.50.4.
func SQLiteVersion() string { return sqlite.Version() }

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
	s := &Store{dir: c.Dir, backend: reading{}, tournaments: editions.New()}
	var err error
	if s.reads, err = openORM(gormsqlite.New(gormsqlite.Config{Conn: reads})); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), reads.Close())
	}
	return s, nil
}

// reading is the backend of a database that is only read.
type reading struct{}

func (reading) write(context.Context, func(tx *gorm.DB) error) error { return errReading }
func (reading) run(context.Context, *batch) error                    { return errReading }
func (reading) long(context.Context, func(context.Context, *gorm.DB) error) error {
	return errReading
}
func (reading) alone() bool  { return true }
func (reading) close() error { return nil }
