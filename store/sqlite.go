package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
	"quatuor/store/internal/sqlite"
	"quatuor/store/members"
	"quatuor/store/migrations"
)

const (
	databaseFile = "quatuor.db"
	lockName     = "quatuor.lock"
)

// file is the backend for SQLite.
type file struct {
	oneInstance
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
	if err := sqlite.RemoveUnclaimed(c.Dir, backupPrefix); err != nil {
		return fmt.Errorf("remove what interrupted backups have left: %w", err)
	}
	if err := s.migrateFile(ctx, path, !c.staged); err != nil {
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
	s.backend = &file{oneInstance{outbox.Alone{Reads: s.reads}, s.reads}, w, orm, sync.OnceValue(func() error { return errors.Join(w.Close(), lock.Release()) })}
	return nil
}

// beat stores a heartbeat. No other instance has one.
func (f *file) beat(ctx context.Context, r heartbeatRow) ([]members.Beat, error) {
	return nil, f.write(ctx, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&heartbeatRow{Instance: r.Instance, At: r.At}).Error
	})
}

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

func (f *file) single(ctx context.Context, work func(tx *gorm.DB) error) error {
	return f.write(ctx, work)
}

func (f *file) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return f.writer.Long(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return work(ctx, session(ctx, f.orm, sqlite.Within{Conn: conn}))
	})
}

// oneInstance is sharing for the only instance on a database: there is nobody to agree with.
type oneInstance struct {
	outbox.Alone
	reads *gorm.DB
}

func (oneInstance) alone() bool { return true }

func (oneInstance) schema(context.Context) (Schema, error)     { return Schema{}, nil }
func (oneInstance) connections() (sql.DBStats, bool)           { return sql.DBStats{}, false }
func (oneInstance) leave(context.Context, string) error        { return nil }
func (oneInstance) watch(context.Context, []table.Armed) error { return nil }
func (oneInstance) ended(string)                               {}

func (a oneInstance) overdue(ctx context.Context, before int64, limit int) (overdue []table.Armed, err error) {
	err = a.reads.WithContext(ctx).Model(&liveRow{}).Select("game_id AS id", "deadline").
		Where("status IN ? AND deadline > 0 AND deadline < ?", []table.Status{table.Running, table.Waiting}, before).
		Order("deadline, game_id").Limit(limit).Scan(&overdue).Error
	return overdue, err
}

func (oneInstance) rate(ctx context.Context, _ *Ended, in *ratings.Ratings, catchUp func(context.Context, ledger.Store) error) error {
	return catchUp(ctx, in)
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

// migrateFile brings a database file to the schema of this program. Where it has an older one, a copy of it is written
// beside it first, if wanted: the way back, for schemas only move forward.
func (s *Store) migrateFile(ctx context.Context, path string, keepCopy bool) error {
	plain := sqlite.OpenPlain(path)
	present, known, err := migrations.Stored(ctx, plain)
	_ = plain.Close()
	if err != nil {
		return err
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

// pragmas lets SQLite look at every page and every reference.
func (s *Store) pragmas(ctx context.Context) (faults []string, err error) {
	var said []string
	if err := s.reads.WithContext(ctx).Raw("PRAGMA integrity_check").Scan(&said).Error; err != nil {
		return nil, err
	}
	for _, line := range said {
		if line != "ok" {
			faults = append(faults, "the file is damaged: "+line)
		}
	}
	var dangling []struct {
		Table  string
		Parent string
	}
	if err := s.reads.WithContext(ctx).Raw("PRAGMA foreign_key_check").Scan(&dangling).Error; err != nil {
		return nil, err
	}
	for _, d := range dangling {
		faults = append(faults, fmt.Sprintf("a row of %s names a row of %s that is not there", d.Table, d.Parent))
	}
	return faults, nil
}
