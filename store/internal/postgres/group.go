package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Statement is a write of its own: one statement that stores all or, where its guard does not hold, changes no row.
type Statement struct {
	Text string // parameters are $1, $2 and so on
	Args []any
	Key  string // of what it locks: statements are carried out in the order of their keys, so that groups do not deadlock
}

// Group writes statements by group commit: those that wait are sent together and stored in one transaction, with one
// round trip and one commit for all of them (group commit: DeWitt et al., "Implementation Techniques for Main Memory
// Database Systems", 1984). On an idle machine a statement is a group of its own and waits for no other.
type Group struct {
	db      *DB
	jobs    chan *groupJob
	gate    sync.RWMutex // held to read while a job is put into jobs
	closed  bool
	workers sync.WaitGroup
	commits atomic.Int64
}

type groupJob struct {
	Statement
	err     error
	changed int64
	done    chan struct{}
}

const (
	groupWriters = 2   // connections of an instance that groups are written by: one fills while the other is stored
	groupLength  = 256 // maximum of statements in a group
	groupQueue   = 4096
)

// ErrClosed is the answer to a statement after Close.
var ErrClosed = errors.New("the store is closed")

// NewGroup starts the writers of a database.
func NewGroup(db *DB) *Group {
	g := &Group{db: db, jobs: make(chan *groupJob, groupQueue)}
	for range groupWriters {
		g.workers.Go(g.work)
	}
	return g
}

// Close carries out the statements that wait and ends the writers.
func (g *Group) Close() {
	g.gate.Lock()
	if !g.closed {
		g.closed = true
		close(g.jobs)
	}
	g.gate.Unlock()
	g.workers.Wait()
}

// Commits returns how many transactions the groups took.
func (g *Group) Commits() int64 { return g.commits.Load() }

// Run carries out a statement and returns, once that is durable, how many rows it changed. A statement that is on its way
// is carried out even if ctx ends; the caller waits for it.
func (g *Group) Run(ctx context.Context, s Statement) (changed int64, err error) {
	j := &groupJob{Statement: s, done: make(chan struct{})}
	if err := g.enqueue(ctx, j); err != nil {
		return 0, err
	}
	<-j.done
	return j.changed, j.err
}

func (g *Group) enqueue(ctx context.Context, j *groupJob) error {
	g.gate.RLock()
	defer g.gate.RUnlock()
	if g.closed {
		return ErrClosed
	}
	select {
	case g.jobs <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work takes what waits, again and again, until Close.
func (g *Group) work() {
	var group []*groupJob
	for first := range g.jobs {
		group = append(group[:0], first)
		for more := true; more && len(group) < groupLength; {
			select {
			case j, ok := <-g.jobs:
				if ok {
					group = append(group, j)
				}
				more = ok
			default:
				more = false
			}
		}
		g.write(group)
		clear(group)
	}
}

// write stores a group and answers its callers. Statements of a group that failed are carried out each by itself.
func (g *Group) write(group []*groupJob) {
	slices.SortFunc(group, func(a, b *groupJob) int { return strings.Compare(a.Key, b.Key) })
	g.commits.Add(1)
	err := g.send(group)
	for _, j := range group {
		if err != nil {
			j.changed, j.err = 0, err
			if takenBack(err) {
				g.alone(j)
			}
		}
		close(j.done)
	}
}

// takenBack reports whether the server has certainly stored nothing of a transaction that failed: it said so itself and
// stays connected, or nothing was sent.
func takenBack(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.SeverityUnlocalized == "ERROR"
	}
	return pgconn.SafeToRetry(err) || errors.Is(err, driver.ErrBadConn)
}

// alone carries out a statement in a transaction of its own, again where it conflicts with others.
func (g *Group) alone(j *groupJob) {
	g.commits.Add(1)
	j.err = g.db.Transact(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, j.Text, j.Args...)
		if err != nil {
			return err
		}
		j.changed, err = result.RowsAffected()
		return err
	})
}

// send carries out a group in one transaction and in one round trip: statements that are sent before one Sync are one
// transaction (PostgreSQL's manual, "Pipelining").
func (g *Group) send(group []*groupJob) error {
	return g.db.again(context.Background(), func(ctx context.Context, conn *sql.Conn) error {
		return conn.Raw(func(under any) error { return pipeline(ctx, under.(*stdlib.Conn).Conn(), group) })
	})
}

func pipeline(ctx context.Context, conn *pgx.Conn, group []*groupJob) error {
	batch := &pgx.Batch{}
	for _, j := range group {
		batch.Queue(j.Text, j.Args...)
	}
	results := conn.SendBatch(ctx, batch)
	for i, j := range group {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close() // it says the same
			if i == 0 {
				err = firstFailed(err)
			}
			return err
		}
		j.changed = tag.RowsAffected()
	}
	return results.Close()
}
