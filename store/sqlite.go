package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
	"quatuor/store/internal/sqlite"
	"quatuor/store/members"
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
	tidied  atomic.Bool // heartbeats of earlier runs were removed
}

// beat stores a heartbeat. No other instance has a heartbeat: the first removes those of earlier runs, which Recover
// has used for the outage before it, and which may be from a clock that was ahead.
func (f *file) beat(ctx context.Context, self members.Member, at int64) ([]members.Beat, error) {
	err := f.write(ctx, func(tx *gorm.DB) error {
		if !f.tidied.Load() {
			if err := tx.Where("instance <> ?", self.Instance).Delete(&heartbeatRow{}).Error; err != nil {
				return err
			}
		}
		return db.Upsert(tx, heartbeatRow{Instance: self.Instance, At: at})
	})
	if err == nil {
		f.tidied.Store(true)
	}
	return nil, err
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
	return f.writer.Write(ctx, func(conn *sql.Conn) error {
		return work(session(lasting, f.orm, sqlite.Within{ConnPool: conn}))
	})
}

func (f *file) single(ctx context.Context, work func(tx *gorm.DB) error) error {
	return f.write(ctx, work)
}

func (f *file) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return f.writer.Long(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return work(ctx, session(ctx, f.orm, sqlite.Within{ConnPool: conn}))
	})
}

// oneInstance is sharing for the only instance on a database: nothing is to be agreed upon.
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

func (oneInstance) rate(
	ctx context.Context, _ *Ended, in *ratings.Ratings, catchUp func(context.Context, ledger.Store) error,
) error {
	return catchUp(ctx, in)
}

// SQLiteVersion returns the version of SQLite that is built in, for example 3.50.4.
func SQLiteVersion() string { return sqlite.Version() }

// SQLiteLibrary names the SQLite that is built in: C, or its translation to Go.
const SQLiteLibrary = sqlite.Library

// pragmas has SQLite check every page and every foreign key.
func pragmas(reads *gorm.DB) (faults []string, err error) {
	var found []string
	if err := reads.Raw("PRAGMA integrity_check").Scan(&found).Error; err != nil {
		return nil, err
	}
	for _, line := range found {
		if line != "ok" {
			faults = append(faults, "the file is damaged: "+line)
		}
	}
	var dangling []struct {
		Table  string
		Parent string
	}
	if err := reads.Raw("PRAGMA foreign_key_check").Scan(&dangling).Error; err != nil {
		return nil, err
	}
	for _, d := range dangling {
		faults = append(faults, fmt.Sprintf("a row of %s names a row of %s that is not there", d.Table, d.Parent))
	}
	return faults, nil
}
