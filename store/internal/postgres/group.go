package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// Write is a single write: it stores all or, if its guard does not hold, nothing.
type Write struct {
	*Statement
	Args      []driver.NamedValue
	Key       string // of the rows that it locks
	Lock      string // name of an advisory lock held until it is stored; "" for none. Writes with it share a key
	Urgent    bool   // is stored before others
	MayLinger bool   // its request waits for more than the write: it may wait longer for a larger group
	// Until is the deadline after which it is refused, as if its guard did not hold. Zero for none.
	Until time.Time
}

// Statement carries out any number of writes of the same kind. Each parameter is an array, for example text[], with an
// element of each write. The result is an array of the positions, from 1, of the writes with a guard that held.
type Statement struct {
	Name   string // unique, and short
	Text   string // parameters are $1, $2 and so on
	Arrays []Element
}

// Group carries out writes by group commit: waiting writes are stored in a single transaction, with a single round trip
// and commit (group commit: DeWitt et al., "Implementation Techniques for Main Memory Database Systems", 1984). On an
// idle machine a write is a group of its own and does not wait.
//
// A group has at most a single write of a key, and passes them to each statement in the order of their keys, so that
// two groups seldom deadlock; if they do, the server aborts a group, which is sent again.
type Group struct {
	db      *DB
	workers sync.WaitGroup
	commits atomic.Int64

	mu       sync.Mutex
	changed  sync.Cond // of the fields below
	waiting  []*groupJob
	inFlight map[string]bool // keys of the writes in flight
	writing  int             // groups in flight
	since    time.Time       // when the last of them was sent
	last     int             // writes of the last group, or half as many as before
	ended    time.Time       // when it was stored
	first    time.Time       // when the first waiting write came, or ended if that is later
	closed   bool
}

type groupJob struct {
	Write
	held bool
	err  error
	done chan struct{}
}

const (
	maxBatch = 256 // maximum number of writes in a group
	// While a group is in flight the next gathers, until the first is stored, the next is full, or the first has taken
	// so long that it may be waiting for a lock.
	fullBatch   = 32
	maxInFlight = 5 * time.Millisecond
	// After a group of minBatch or more, the next is delayed from its first write on, if that comes within loadWindow:
	// a saved commit is worth more than the delay. Single writes and pairs are not delayed.
	minBatch    = 3
	batchDelay  = 3 * time.Millisecond
	lingerDelay = 7 * time.Millisecond // if all waiting writes may linger
	loadWindow  = 20 * time.Millisecond
)

// ErrClosed is the error of a write after Close.
var ErrClosed = errors.New("the store is closed")

// NewGroup starts the writers of a database.
func NewGroup(db *DB) *Group {
	g := &Group{db: db, inFlight: map[string]bool{}}
	g.changed.L = &g.mu
	for range groupWriters {
		g.workers.Go(g.work)
	}
	return g
}

// Close carries out the writes that wait and ends the writers.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	g.changed.Broadcast()
	g.mu.Unlock()
	g.workers.Wait()
}

// Commits returns how many transactions the groups took.
func (g *Group) Commits() int64 { return g.commits.Load() }

// Run carries out a write and reports, once it is durable, whether its guard held. A queued write is carried out even
// if ctx ends.
func (g *Group) Run(ctx context.Context, w Write) (held bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	j := &groupJob{Write: w, done: make(chan struct{})}
	if err := g.enqueue(j); err != nil {
		return false, err
	}
	<-j.done
	return j.held, j.err
}

func (g *Group) enqueue(j *groupJob) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	if len(g.waiting) == 0 {
		g.begin()
	}
	if j.Urgent {
		g.waiting = slices.Insert(g.waiting, 0, j)
	} else {
		g.waiting = append(g.waiting, j)
	}
	if !g.gathering() {
		g.changed.Signal()
	}
	return nil
}

// begin starts gathering the next group.
func (g *Group) begin() {
	g.first = time.Now()
	if g.underLoad() {
		time.AfterFunc(batchDelay, g.look)
		time.AfterFunc(lingerDelay, g.look)
	}
}

// delay returns how long the next group gathers.
func (g *Group) delay() time.Duration {
	if slices.ContainsFunc(g.waiting, func(j *groupJob) bool { return !j.MayLinger }) {
		return batchDelay
	}
	return lingerDelay
}

// underLoad reports whether the next group is delayed.
func (g *Group) underLoad() bool { return g.last >= minBatch && g.first.Sub(g.ended) < loadWindow }

// work stores groups until Close.
func (g *Group) work() {
	var group []*groupJob
	for {
		if group = g.take(group[:0]); len(group) == 0 {
			return
		}
		g.write(group)
		g.mu.Lock()
		g.writing--
		g.last, g.ended = max(len(group), g.last/2), time.Now()
		if len(g.waiting) > 0 {
			g.begin()
		}
		for _, j := range group {
			delete(g.inFlight, j.Key)
		}
		if len(g.waiting) > 0 {
			g.changed.Broadcast() // some may wait for these keys
		}
		g.mu.Unlock()
		for _, j := range group {
			close(j.done)
		}
		clear(group)
	}
}

// take waits for writes and returns them, in the order of their keys; none after Close.
func (g *Group) take(group []*groupJob) []*groupJob {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		if !g.gathering() {
			if group = g.pick(group); len(group) > 0 {
				g.writing++
				g.since = time.Now()
				time.AfterFunc(maxInFlight, g.look)
				slices.SortFunc(group, func(a, b *groupJob) int { return strings.Compare(a.Key, b.Key) })
				return group
			}
			if g.closed && len(g.waiting) == 0 {
				return nil
			}
		}
		g.changed.Wait()
	}
}

// look wakes the writers to check whether the next group is due.
func (g *Group) look() {
	g.mu.Lock() // or a writer that is about to wait would miss the signal
	defer g.mu.Unlock()
	g.changed.Broadcast()
}

// gathering reports whether the waiting writes are to wait for more.
func (g *Group) gathering() bool {
	switch {
	case g.closed || len(g.waiting) == 0 || len(g.waiting) >= fullBatch:
		return false
	case g.writing == 0:
		return g.underLoad() && time.Since(g.first) < g.delay()
	}
	return time.Since(g.since) < maxInFlight
}

// pick takes the writes of the next group. A second write of a key stays for a later group.
func (g *Group) pick(group []*groupJob) []*groupJob {
	kept := g.waiting[:0]
	for _, j := range g.waiting {
		if len(group) == maxBatch || g.inFlight[j.Key] {
			kept = append(kept, j)
			continue
		}
		g.inFlight[j.Key] = true
		group = append(group, j)
	}
	clear(g.waiting[len(kept):])
	g.waiting = kept
	return group
}

// inTime returns the writes of a group before their deadlines.
func inTime(group []*groupJob) []*groupJob {
	expired := func(j *groupJob) bool { return !j.Until.IsZero() && time.Now().After(j.Until) }
	if !slices.ContainsFunc(group, expired) {
		return group
	}
	return slices.DeleteFunc(slices.Clone(group), expired)
}

// write stores a group. If the server rejects a write of it, the halves are sent separately. If the server is away, or
// the outcome unknown, all get that error.
func (g *Group) write(group []*groupJob) {
	if group = inTime(group); len(group) == 0 {
		return
	}
	g.commits.Add(1)
	err := g.send(group)
	if err == nil {
		return
	}
	if len(group) > 1 && refused(err) {
		half := len(group) / 2
		g.write(group[:half])
		g.write(group[half:])
		return
	}
	for _, j := range group {
		j.held, j.err = false, err
	}
}

// refused reports whether the server has rejected a statement and rolled back.
func refused(err error) bool {
	var rejected *pgconn.PgError
	return errors.As(err, &rejected) && rejected.SeverityUnlocalized == "ERROR" && !Unavailable(err)
}

// send carries out a group in a single transaction and round trip: statements before a Sync share a transaction
// (PostgreSQL's manual, "Pipelining").
func (g *Group) send(group []*groupJob) error {
	return again(context.Background(), g.db.writers, func(ctx context.Context, conn *sql.Conn) error {
		return conn.Raw(func(under any) error { return pipeline(ctx, under.(*stdlib.Conn).Conn(), group) })
	})
}

// part is the writes of a group that share a statement.
type part struct {
	*Statement
	jobs []*groupJob
}

func partsOf(group []*groupJob) (parts []part) {
	for _, j := range group {
		at := slices.IndexFunc(parts, func(p part) bool { return p.Statement == j.Statement })
		if at < 0 {
			at = len(parts)
			parts = append(parts, part{j.Statement, make([]*groupJob, 0, len(group))})
		}
		parts[at].jobs = append(parts[at].jobs, j)
	}
	return parts
}

// binaryFormat is the format of parameters and results.
var binaryFormat = []int16{pgtype.BinaryFormatCode}

func pipeline(ctx context.Context, conn *pgx.Conn, group []*groupJob) error {
	parts := partsOf(group)
	var batch pgconn.Batch
	locked, err := lockNames(ctx, conn, &batch, group)
	if err != nil {
		return errors.Join(errNotBegun, err)
	}
	for _, p := range parts {
		if _, err := conn.Prepare(ctx, p.Name, p.Text); err != nil {
			return errors.Join(errNotBegun, err)
		}
		arguments, err := encode(conn.TypeMap(), p.Statement, p.jobs)
		if err != nil {
			return errors.Join(errNotBegun, err)
		}
		batch.ExecPrepared(p.Name, arguments, binaryFormat, binaryFormat)
	}
	results := conn.PgConn().ExecBatch(ctx, &batch)
	if locked && results.NextResult() {
		_, err = results.ResultReader().Close()
	}
	for i, p := range parts {
		if err == nil {
			err = p.read(conn.TypeMap(), results)
		}
		if err != nil {
			_ = results.Close() // it returns the same error
			if i == 0 {
				err = firstFailed(err)
			}
			return err
		}
	}
	return results.Close()
}

// lockSpace is the class of the advisory locks of writes; the key is a hash of the name.
const lockSpace = 0x7175_6902

// takeLocks takes the locks of names, always in the same order.
var takeLocks = fmt.Sprintf(`SELECT count(pg_advisory_xact_lock(%d, hash)) FROM
	(SELECT DISTINCT hashtext(name) AS hash FROM unnest($1::text[]) AS name ORDER BY hash) AS locks`, lockSpace)

// lockNames adds a statement that takes the locks of a group, and reports whether it has any. Later statements see the
// writes of previous holders.
func lockNames(ctx context.Context, conn *pgx.Conn, batch *pgconn.Batch, group []*groupJob) (bool, error) {
	var names []string
	for _, j := range group {
		if j.Lock != "" {
			names = append(names, j.Lock)
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	const name = "locks"
	if _, err := conn.Prepare(ctx, name, takeLocks); err != nil {
		return false, err
	}
	encoded, err := conn.TypeMap().Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, names, nil)
	if err != nil {
		return false, err
	}
	batch.ExecPrepared(name, [][]byte{encoded}, binaryFormat, binaryFormat)
	return true, nil
}

// read reads which guards of a part held.
func (p *part) read(types *pgtype.Map, results *pgconn.MultiResultReader) error {
	for _, j := range p.jobs {
		j.held = false
	}
	if !results.NextResult() {
		return results.Close()
	}
	rows := results.ResultReader()
	for rows.NextRow() {
		var held []int64
		if err := types.Scan(pgtype.Int8ArrayOID, pgtype.BinaryFormatCode, rows.Values()[0], &held); err != nil {
			return err
		}
		for _, at := range held {
			p.jobs[at-1].held = true
		}
	}
	_, err := rows.Close()
	return err
}
