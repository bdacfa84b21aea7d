// Package store keeps everything in SQLite or PostgreSQL. It implements the ports that the domain packages own: the
// journal and archive of games, tournaments, people, ratings, and idempotent replies.
//
// # Writing on SQLite
//
// A single goroutine writes, with a connection of its own, by group commit: it takes all waiting writes (at most
// [Config].MaxBatch), carries them out in a transaction, commits once with synchronous=FULL, and only then answers
// them. A refused write does not harm the others: a batch changes nothing before its guard has held, and other work
// runs within a savepoint. If a batch fails after its guard, which takes a damaged log, the transaction is rolled back
// and repeated without it.
//
// # Writing on PostgreSQL
//
// Steps of games and new games are written by group commit, too, by two writers with a connection each, as a
// transaction in a single round trip. Batches with the same calls become a single statement, with their arguments as
// arrays; it carries out the guards, then the rest for the batches whose guard held, and returns these. A group has at
// most a single step of a game. If the server rejects a group because of a write, its halves are sent separately; after
// a deadlock or serialization failure all of it is sent again. Other writes are transactions of their own at READ
// COMMITTED, with the same retries.
//
// # What an answer means
//
// nil means committed and on disk. On SQLite an error means that nothing of the write is stored, with an exception: if
// the commit itself fails, the disk is broken or full, and only a restart shows what it holds. On PostgreSQL an error
// of the connection leaves open whether the commit arrived; a caller that must know reads again. Ending the context
// withdraws a write that is still queued; a write that has begun is carried through, so that an ended context never
// hides a commit.
package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/editions"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
	"quatuor/store/internal/sqlite"
	"quatuor/store/members"
)

// Config has the location of the data and the options of the store. Exactly one of Dir and DSN is set.
type Config struct {
	Dir         string       // data directory for SQLite, made if it is not there
	DSN         string       // PostgreSQL, "postgres://…"
	Instance    string       // name of this instance, unique among the instances of a database; "" takes a random name
	Address     string       // base URL of this instance for the others, "" if they do not reach it
	Connections int          // to PostgreSQL, all that this instance takes; 0 is 8
	MaxBatch    int          // maximum of writes in a SQLite transaction; 0 is 256, 1 commits each by itself
	Logger      *slog.Logger // nil uses the default

	staged          bool // it is a copy that a restore makes ready: no further copy is made before it is migrated
	checkpointAfter int  // for tests: writes between two checkpoints of SQLite's log; 0 is the usual number
}

// defaultMaxBatch bounds how long the first write of a batch waits for the last.
const defaultMaxBatch = 256

// Store is an open database. Its parts implement the ports; see [Store.Games] and the others.
type Store struct {
	instance    string
	boot        string // differs from start to start
	log         *slog.Logger
	reads       *gorm.DB
	backend     backend
	dir         string      // SQLite only
	peers       table.Peers // PostgreSQL only
	attempts    *Attempts   // PostgreSQL only
	inFlight    inFlight
	checksummed bool                      // restored from a backup with a correct checksum
	beaten      atomic.Pointer[time.Time] // start of the last stored heartbeat; nil for none

	checkpoints sqlite.CheckpointCounter // SQLite only
	tournaments *editions.Cache
	members     *members.Members
	ratings     *ratings.Ratings
}

// backend is SQLite or PostgreSQL: how it is written, and how instances share it.
type backend interface {
	writer
	sharing
	close() error
}

// writer carries out writes.
type writer interface {
	// write carries out work in a transaction and returns when it is durable. work may run more than once.
	write(ctx context.Context, work func(tx *gorm.DB) error) error
	// single is write for work of a single statement, which is a transaction of its own: nothing it locks waits for
	// this program.
	single(ctx context.Context, work func(tx *gorm.DB) error) error
	// long is write for work on as many rows as there are, which takes its time: it shares its transaction with no
	// other, and is taken back when ctx ends before it is over. It runs once.
	long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error
	// run is write for a batch.
	run(ctx context.Context, b *batch) error
}

// sharing coordinates the instances on a database: how they learn of each other and divide work that is to be done
// once. A single instance ([oneInstance]) needs no coordination.
type sharing interface {
	outbox.Consumers
	// alone reports whether no other instance can work on this database.
	alone() bool
	schema(ctx context.Context) (Schema, error)
	connections() (sql.DBStats, bool)
	// beat stores a heartbeat and returns the living instances; leave retracts it.
	beat(ctx context.Context, self members.Member, at int64) ([]members.Beat, error)
	leave(ctx context.Context, instance string) error

	// overdue and watch are those of [Games].
	overdue(ctx context.Context, before int64, limit int) ([]table.Armed, error)
	watch(ctx context.Context, games []table.Armed) error

	// ended notes that this instance has ended a game.
	ended(gameID string)
	// rate is that of [Store].
	rate(ctx context.Context, e *outbox.Ended, in *ratings.Ratings,
		catchUp func(context.Context, ledger.Store) error) error
}

// Close carries out the writes that wait, then closes the database. Later writes are refused.
func (s *Store) Close() error {
	err := s.backend.close()
	if reads, e := s.reads.DB(); e == nil {
		err = errors.Join(err, reads.Close())
	}
	return err
}

// Ready reports whether the database can be read and written.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.reads.WithContext(ctx).Exec("SELECT 1").Error; err != nil {
		return db.About("read", err)
	}
	if err := s.backend.write(ctx, func(*gorm.DB) error { return nil }); err != nil {
		return db.About("write", err)
	}
	return nil
}

// Schema compares the schema of a shared database with the schema that this program works with.
type Schema struct {
	Older     bool // it is older, as after a backup was restored under a running instance
	Migrating bool // an instance changes it at the moment
}

// Schema returns how the schema compares; a database of this process alone has the right schema.
func (s *Store) Schema(ctx context.Context) (Schema, error) {
	return s.backend.schema(ctx)
}

// Connections returns the statistics of the PostgreSQL connections that serve requests; false on SQLite.
func (s *Store) Connections() (sql.DBStats, bool) {
	return s.backend.connections()
}

// CheckpointFailures returns how many checkpoints of SQLite's log have failed since the start; 0 on PostgreSQL.
func (s *Store) CheckpointFailures() int64 {
	return s.checkpoints.Failures.Load()
}

// snapshot reads in a single state of the database. SQLite transactions always do, and its driver ignores the options.
func (s *Store) snapshot(ctx context.Context, read func(tx *gorm.DB) error) error {
	return s.reads.WithContext(ctx).Transaction(read, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

// session returns gorm on a transaction that is open.
func session(ctx context.Context, orm *gorm.DB, tx gorm.ConnPool) *gorm.DB {
	s := orm.Session(&gorm.Session{NewDB: true, Context: ctx})
	s.Statement.ConnPool = tx
	return s
}

// openORM opens gorm on a pool. It logs nothing, because statements carry seeds and hashes; the drivers prepare
// statements and open transactions.
//
// On PostgreSQL every SELECT names its columns: another instance may be adding some.
func openORM(d gorm.Dialector) (*gorm.DB, error) {
	return gorm.Open(d, &gorm.Config{
		QueryFields:            d.Name() != db.SQLite,
		SkipDefaultTransaction: true, PrepareStmt: false, DisableAutomaticPing: true,
		Logger: logger.Discard,
	})
}

// Attempts returns the counter of attempts that all instances share; nil for a single instance, which keeps them in its
// memory.
func (s *Store) Attempts() *Attempts { return s.attempts }

// The consumers of the outbox.
const (
	OfRatings     = outbox.OfRatings
	OfTournaments = outbox.OfTournaments
)

// Ended is the state of the outbox that the consumers of a pass share. It starts empty.
type Ended = outbox.Ended

// Waiting returns how many games have ended that a consumer has not taken yet.
func (s *Store) Waiting(ctx context.Context, consumer string) (n int64, err error) {
	return outbox.Waiting(s.reads.WithContext(ctx), consumer)
}

// Consume returns when a consumer has taken the games that had ended: by catchUp here or, if another instance holds the
// consumer's lease, there. While that instance makes progress nothing is computed twice.
func (s *Store) Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	return s.backend.Consume(ctx, e, consumer, catchUp)
}

// Rate is Consume for the ratings, which come first in a pass: they find out whether the other consumers have anything
// to do. catchUp rates by way of the given store, which may have read the games ahead.
func (s *Store) Rate(ctx context.Context, e *Ended, catchUp func(context.Context, ledger.Store) error) error {
	return s.backend.rate(ctx, e, s.ratings, catchUp)
}

// Ratings returns the store of ratings.
func (s *Store) Ratings() *ratings.Ratings { return s.ratings }

// RateBy sets the regulation of new ratings; see [ratings.Ratings.RateBy].
func (s *Store) RateBy(regulation string) { s.ratings.RateBy(regulation) }

// The statements of a recording.
var (
	moveRatings = prepare(sqlStatement{
		text: `UPDATE cursors SET seq = $2 WHERE consumer = '` + OfRatings + `' AND seq = $1 AND regulation = $3`,
	})
	addRating  = prepare(insertOf(&ratings.Row{}, "", nil))
	setCurrent = prepare(insertOf(&ratings.Current{}, `ON CONFLICT (list, player_id) DO UPDATE SET value = excluded.value,
		games = excluded.games, reached = excluded.reached, seq = excluded.seq, last_at = excluded.last_at,
		deviation = excluded.deviation, volatility = excluded.volatility, unrated = excluded.unrated, period = excluded.period,
		from_tournaments = excluded.from_tournaments
		WHERE current_ratings.seq < excluded.seq`, nil))  // a row of a later game stays
	countGames = prepare(insertOf(&ratings.List{}, `ON CONFLICT (list) DO UPDATE SET games = rating_lists.games + excluded.games,
		last_at = CASE WHEN excluded.last_at > rating_lists.last_at THEN excluded.last_at ELSE rating_lists.last_at END`, nil))
)

// batchOf makes a recording ready.
func batchOf(r *ratings.Recording) *batch {
	b := newBatch(ledger.ErrBehind)
	b.call(moveRatings, r.From, r.To, r.Regulation)
	for i := range r.Rows {
		b.insert(addRating, &r.Rows[i])
	}
	for i := range r.Current {
		b.insert(setCurrent, &r.Current[i])
	}
	for i := range r.Lists {
		b.insert(countGames, &r.Lists[i])
	}
	return b
}
