package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	gormpostgres "gorm.io/driver/postgres"
	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"quatuor/store/editions"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/ratings"
	"quatuor/store/internal/sqlite"
	"quatuor/store/members"
	"quatuor/store/migrations"
)

// Open opens the database, after migrating it, and starts the writer. It fails if another process has the data
// directory.
func Open(ctx context.Context, c Config) (*Store, error) {
	if (c.Dir == "") == (c.DSN == "") {
		return nil, errors.New("store: name a data directory or a postgres:// address, one of the two")
	}
	boot := uuid.NewString()
	s := &Store{
		instance: cmp.Or(c.Instance, boot), boot: boot, log: cmp.Or(c.Logger, slog.Default()), dir: c.Dir,
		tournaments: editions.New(),
	}
	s.members = members.Alone(members.Member{Instance: s.instance})
	c.MaxBatch = cmp.Or(c.MaxBatch, defaultMaxBatch)
	open := s.openSQLite
	if c.DSN != "" {
		open, s.members = s.openPostgres, members.New(members.Member{Instance: s.instance, Address: c.Address})
	}
	if err := open(ctx, c); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s.openRatings()
	return s, nil
}

// openSQLite takes the data directory for this process, migrates the file, and opens a pool to write and a pool to
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
	if err := sqlite.RemoveUnclaimed(c.Dir, backupPrefix); err != nil {
		return fmt.Errorf("remove what interrupted backups have left: %w", err)
	}
	if err := s.migrateFile(ctx, path, !c.staged); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.checkpoints.Log = s.log
	w, err := sqlite.Open(ctx, sqlite.Config{
		Path: path, Statements: statementTexts(), MaxBatch: c.MaxBatch, CheckpointAfter: c.checkpointAfter,
		Observe: s.checkpoints.Observe,
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
	s.backend = &file{
		oneInstance: oneInstance{outbox.Alone{Reads: s.reads}, s.reads}, writer: w, orm: orm,
		closing: sync.OnceValue(func() error { return errors.Join(w.Close(), lock.Release()) }),
	}
	return nil
}

// migrateFile brings a database file to the schema of this program. If its schema is older, a copy of the file is
// written beside it first, if wanted: the way back, for schemas only move forward.
func (s *Store) migrateFile(ctx context.Context, path string, keepCopy bool) error {
	plain := sqlite.OpenPlain(path)
	present, known, err := migrations.Stored(ctx, plain)
	_ = plain.Close()
	if err != nil {
		return err
	}
	if present > 0 && present == known {
		return nil
	}
	began, copied := time.Now(), ""
	if keepCopy && 0 < present && present < known {
		stamp := began.UTC().Format("20060102T150405.000Z")
		copied = filepath.Join(filepath.Dir(path), fmt.Sprintf("quatuor-schema-%d-%s.db", present, stamp))
		if err := backUp(ctx, path, copied); err != nil {
			return fmt.Errorf("nothing was changed: the copy that is made before the schema goes from number %d to %d could "+
				"not be written; make room in %s for as much as the database takes: %w", present, known, filepath.Dir(path), err)
		}
	}
	if err := migrations.SQLite(ctx, sqlite.OpenMigrating(path)); err != nil {
		return err
	}
	if copied != "" {
		s.log.InfoContext(ctx, "the schema of the database was brought up to date; a copy from before is kept",
			"from", present, "to", known, "copy", copied, "took", time.Since(began).Round(time.Millisecond))
	}
	return nil
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	migrating, err := postgres.OpenPool(c.DSN, postgres.Writing, migratingConnections)
	if err != nil {
		return err
	}
	if err := migrations.Postgres(ctx, migrating); err != nil {
		return err
	}
	connections := cmp.Or(c.Connections, postgres.DefaultConnections)
	server, err := postgres.Open(ctx, c.DSN, connections)
	if err != nil {
		return err
	}
	if room, err := server.Room(ctx); err == nil && room.Limit-room.Taken < connections {
		s.log.Warn("the database has too few connections left: raise the limit before all are needed", "limit", room.Limit,
			"by", room.By, "taken", room.Taken, "needed", connections)
	}
	orm, err := openORM(gormpostgres.New(gormpostgres.Config{Conn: server.Pool()}))
	if err != nil {
		return errors.Join(err, server.Close())
	}
	s.backend, s.reads = &cluster{
		Shared: outbox.Shared{DB: server}, db: server, group: postgres.NewGroup(server), orm: orm,
	}, orm
	s.peers, s.attempts = peers{server}, &Attempts{server}
	return nil
}

// migratingConnections is the number of connections of a migration: for its lock, and to work with.
const migratingConnections = 2

// readingConnections is the number of connections to a database that is only read.
const readingConnections = 2

// openClusterToRead is OpenToRead on PostgreSQL, where the server refuses every write; a standby will do.
func openClusterToRead(ctx context.Context, c Config) (*Store, error) {
	pool, err := postgres.OpenPool(c.DSN, postgres.Reading, readingConnections)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := migrations.Current(ctx, pool); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), pool.Close())
	}
	return newReading("", gormpostgres.New(gormpostgres.Config{Conn: postgres.Pool{DB: pool}}), pool)
}

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
		dir: dir, reads: reads, backend: reading{oneInstance{outbox.Alone{Reads: reads}, reads}}, tournaments: editions.New(),
		members: members.Alone(members.Member{}),
	}
	s.openRatings()
	return s, nil
}

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

// reading is the backend of a database that is only read.
type reading struct{ oneInstance }

// errReading is the answer to a write on a store that was opened to be read.
var errReading = errors.New("this store was opened to be read")

func (reading) write(context.Context, func(tx *gorm.DB) error) error { return errReading }

func (reading) single(context.Context, func(tx *gorm.DB) error) error { return errReading }

func (reading) run(context.Context, *batch) error { return errReading }

func (reading) long(context.Context, func(context.Context, *gorm.DB) error) error {
	return errReading
}

func (reading) beat(context.Context, members.Member, int64) ([]members.Beat, error) {
	return nil, errReading
}

func (reading) close() error { return nil }

func (s *Store) openRatings() {
	s.ratings = ratings.New(ratings.Config{
		Reads: s.reads, Snapshot: s.snapshot, Write: s.backend.write, Long: s.backend.long, Pending: s.backend.Pending,
		Log: logAct, Record: func(ctx context.Context, r *ratings.Recording) error { return s.backend.run(ctx, batchOf(r)) },
	})
}

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
