// Package sqlite writes to a SQLite database by group commit. It knows statements, arguments and transactions, and
// nothing of the domain.
//
// A single goroutine writes, with a connection of its own. It takes every write that waits at that moment, up to a
// maximum and urgent writes first, carries them out in a transaction, commits once with synchronous=FULL, and only then
// answers them all. A second goroutine checkpoints the write-ahead log beside it. The package also has the settings of
// connections, the lock of the data directory, and the file operations, ordered so that a power cut leaves a whole
// database.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Config configures a writer.
type Config struct {
	Path            string      // of the database file, which has its schema
	Statements      []string    // of batches; parameters are $1, $2 and so on
	MaxBatch        int         // maximum of writes in a transaction
	CheckpointAfter int         // writes between two checkpoints; 0 is the usual number
	Observe         func(error) // called after every checkpoint, with nil if it succeeded
}

// ErrClosed is the answer to a write after Close; a write that it withdrew is not stored.
var ErrClosed = errors.New("the store is closed")

// Writer is the only goroutine that writes, with its connection and queues.
type Writer struct {
	db       *sql.DB // a single connection
	prepared prepared
	maxBatch int // writes in a transaction

	checkpointer    *checkpointer
	checkpointAfter int    // writes
	log             string // file of the write-ahead log
	logChecked      int64  // size of that when a checkpoint was last requested

	jobs    chan *job
	urgent  chan *job     // of flags; taken before the others
	gate    sync.RWMutex  // held to read while a job is put into jobs or urgent
	closed  bool          // no job is put there any more
	quit    chan struct{} // closed: take no new jobs
	stopped chan struct{} // closed: the goroutine has ended
	closing func() error
}

// queueLength is the capacity of each queue; beyond it submit blocks.
const queueLength = 4096

// A checkpoint is made after checkpointAfter writes; when the log has grown by logGrowth; and after idleTime without a
// write if idleCheckpoint have come since the last: a heartbeat a second is not worth it.
const (
	checkpointAfter = 4_000
	logGrowth       = logLimit + logLimit/4
	idleTime        = 250 * time.Millisecond
	idleCheckpoint  = 256
)

// job is a write: a batch of prepared statements, or other work.
type job struct {
	batch *Batch
	work  func(*sql.Conn) error
	long  func(*sql.Conn) error // work in a transaction of its own
	state atomic.Int32
	err   error
	done  chan error // has room for the answer, so that the writer never waits
}

// urgent reports whether the job goes before others that wait.
func (j *job) urgent() bool { return j.batch != nil && j.batch.Urgent }

// The states of a job: it waits, until either the writer takes it or the caller withdraws it.
const (
	jobWaits int32 = iota
	jobTaken
	jobWithdrawn
)

// Open connects to a database file and starts its writer.
func Open(ctx context.Context, c Config) (*Writer, error) {
	db := openPool(c.Path, writerPragmas)
	db.SetMaxOpenConns(1)
	w := &Writer{
		db: db, prepared: newPrepared(c.Statements), maxBatch: max(c.MaxBatch, 1),
		checkpointAfter: cmp.Or(c.CheckpointAfter, checkpointAfter), log: c.Path + LogSuffix,
		jobs:   make(chan *job, queueLength),
		urgent: make(chan *job, queueLength), quit: make(chan struct{}), stopped: make(chan struct{}),
	}
	w.closing = sync.OnceValue(w.stop)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w.checkpointer = openCheckpointer(c.Path, c.Observe)
	go w.checkpointer.run(w.quit)
	go w.work()
	return w, nil
}

// DB returns the writer's pool of a single connection. While that is in use the writer waits.
func (w *Writer) DB() *sql.DB { return w.db }

// Run carries out a batch and returns when it is durable, or its refusal.
func (w *Writer) Run(ctx context.Context, b *Batch) error {
	return w.submit(ctx, &job{batch: b, done: make(chan error, 1)})
}

// Write carries out work in a transaction and returns when it is durable. An error of work takes back its changes. work
// may run more than once, begins no transaction of its own, and keeps nothing of the connection.
func (w *Writer) Write(ctx context.Context, work func(*sql.Conn) error) error {
	return w.submit(ctx, &job{work: work, done: make(chan error, 1)})
}

// submit hands a job to the writer and waits for its end. If ctx ends before the writer has taken the job, the job is
// withdrawn.
func (w *Writer) submit(ctx context.Context, j *job) error {
	if err := w.enqueue(ctx, j); err != nil {
		return err
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.state.CompareAndSwap(jobWaits, jobWithdrawn) {
			return ctx.Err()
		}
	}
	return <-j.done
}

// enqueue puts a job into its queue. Those that are there when the writer is closed are carried out.
func (w *Writer) enqueue(ctx context.Context, j *job) error {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.closed {
		return ErrClosed
	}
	queue := w.jobs
	if j.urgent() {
		queue = w.urgent
	}
	select {
	case queue <- j:
		return nil
	default: // there is no room
	}
	select {
	case queue <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work takes waiting writes, again and again, until close.
func (w *Writer) work() {
	defer close(w.stopped)
	idle := time.NewTimer(idleTime)
	defer idle.Stop()
	var group []*job
	written := 0 // since the last checkpoint
	take := func(first *job) {
		group = w.gather(append(group[:0], first))
		w.commit(group)
		written += len(group)
		clear(group)
		if w.logHasGrown() || written >= w.checkpointAfter {
			w.checkpointer.request()
		}
		idle.Reset(idleTime)
	}
	for {
		select {
		case j := <-w.urgent:
			take(j)
		case j := <-w.jobs:
			take(j)
		case <-idle.C:
			if written >= idleCheckpoint {
				w.checkpointer.request()
			}
		case finished := <-w.checkpointer.lastPass:
			if w.checkpointer.restart(w.db) {
				written, w.logChecked = 0, 0
			} else {
				written = idleCheckpoint // try again when there is less to do
			}
			close(finished)
		case <-w.quit:
			for group = w.collect(group[:0]); len(group) > 0; group = w.collect(group[:0]) {
				w.commit(group)
			}
			return
		}
	}
}

// logHasGrown reports whether the file of the log is longer by logGrowth than when this was last so. The first commit
// of a restarted log truncates it to logLimit.
func (w *Writer) logHasGrown() bool {
	info, err := os.Stat(w.log)
	if err != nil || info.Size() < w.logChecked+logGrowth {
		return false
	}
	w.logChecked = info.Size()
	return true
}

// gather adds the waiting jobs, and those of every goroutine that can run right now: on a busy machine they are about
// to submit, and a commit costs the same for many writes as for few. An urgent job does not wait for others, which
// takes 5 to 14 ms during a garbage collection.
func (w *Writer) gather(group []*job) []*job {
	for more := true; more; {
		before := len(group)
		if !hasUrgent(group) {
			runtime.Gosched()
		}
		group = w.collect(group)
		more = len(group) > before && !hasUrgent(group)
	}
	return group
}

// hasUrgent reports whether a group has an urgent job.
func hasUrgent(group []*job) bool { return slices.ContainsFunc(group, (*job).urgent) }

// collect adds the waiting jobs up to the maximum, urgent jobs first.
func (w *Writer) collect(group []*job) []*job {
	for _, queue := range []chan *job{w.urgent, w.jobs} {
		for len(group) < w.maxBatch && len(queue) > 0 {
			group = append(group, <-queue)
		}
	}
	return group
}

// commit carries out a group and answers every job in it, none before the commit.
func (w *Writer) commit(group []*job) {
	taken := group[:0:0]
	for _, j := range group {
		if j.state.CompareAndSwap(jobWaits, jobTaken) {
			taken = append(taken, j)
		}
	}
	taken = slices.DeleteFunc(taken, func(j *job) bool {
		if j.long == nil {
			return false
		}
		j.done <- w.alone(j.long)
		return true
	})
	for len(taken) > 0 {
		culprit, err := w.try(taken)
		if culprit < 0 {
			answer(taken, err)
			return
		}
		answer(taken[culprit:culprit+1], err)
		taken = append(taken[:culprit], taken[culprit+1:]...)
	}
}

// answer returns to every job its own refusal or, if the transaction failed, that error.
func answer(group []*job, failed error) {
	for _, j := range group {
		if failed != nil {
			j.err = failed
		}
		j.done <- j.err
	}
}

// try carries out a group in a transaction. If a job is fatal to the transaction, nothing is stored and its index is
// returned with its error; otherwise the index is -1, and an error holds for all jobs.
func (w *Writer) try(group []*job) (culprit int, err error) {
	tx, err := w.begin()
	if err != nil {
		return -1, fmt.Errorf("begin: %w", err)
	}
	defer tx.leave()
	for i, j := range group {
		if j.batch != nil {
			j.err = tx.execBatch(j.batch)
		} else {
			j.err = tx.execWork(j.work)
		}
		if isFatal(j.err) {
			// A constraint is the fault of a job, everything else that of the disk or the database.
			if e := tx.exec("ROLLBACK"); e != nil || !isCode(j.err, codeConstraint) {
				return -1, fmt.Errorf("write: %w", j.err)
			}
			return i, j.err
		}
	}
	if err := tx.commit(); err != nil {
		return -1, fmt.Errorf("commit: %w", err)
	}
	return -1, nil
}

// fatalTx marks errors after which the writer's transaction cannot go on.
type fatalTx struct{ error }

func (e fatalTx) Unwrap() error { return e.error }

func isFatal(err error) bool {
	if err == nil {
		return false
	}
	var mark fatalTx
	return errors.As(err, &mark)
}

// Close carries out the writes that wait, then closes the connections. Later writes are refused.
func (w *Writer) Close() error { return w.closing() }

// stop carries out waiting writes, then releases everything.
func (w *Writer) stop() error {
	w.gate.Lock()
	w.closed = true
	w.gate.Unlock()
	close(w.quit)
	<-w.stopped
	return errors.Join(w.checkpointer.close(), w.prepared.close(), w.db.Close())
}
