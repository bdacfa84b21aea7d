package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
)

// writer is the one goroutine that writes to SQLite, and what it works with.
type writer struct {
	db       *sql.DB // one connection
	orm      *gorm.DB
	prepared prepared
	lock     *dirLock
	most     int // writes in one transaction

	copier    *copier
	copyAfter int // writes

	jobs    chan *job
	urgent  chan *job     // of flags; taken before the others
	gate    sync.RWMutex  // held to read while a job is put into jobs or urgent
	closed  bool          // no job is put there any more
	quit    chan struct{} // closed: take no new jobs
	stopped chan struct{} // closed: the goroutine has ended
	closing func() error
}

// queueLength is how many writes may wait without holding up who hands them in.
const queueLength = 4096

// The log is copied into the database file after so many writes; and after idleTime without one if worthCopying have
// come since the last time: a heartbeat a second is not worth it.
const (
	copyAfter    = 10_000
	idleTime     = 250 * time.Millisecond
	worthCopying = 256
)

// job is one write: a batch of prepared statements, or other work.
type job struct {
	ctx   context.Context // of the work; never ends
	batch *batch
	work  func(tx *gorm.DB) error
	state atomic.Int32
	err   error
	done  chan error // has room for the answer, so that the writer never waits
}

// The states of a job: it waits, until either the writer takes it or the caller withdraws it.
const (
	jobWaits int32 = iota
	jobTaken
	jobWithdrawn
)

func openWriter(ctx context.Context, path string, c Config, log *slog.Logger) (_ *writer, err error) {
	db := openPool(path, writerPragmas)
	db.SetMaxOpenConns(1)
	w := &writer{
		db: db, most: c.MaxBatch, copyAfter: cmp.Or(c.copyAfter, copyAfter), jobs: make(chan *job, queueLength),
		urgent: make(chan *job, queueLength), quit: make(chan struct{}), stopped: make(chan struct{}),
	}
	w.closing = sync.OnceValue(w.stop)
	if err = db.PingContext(ctx); err == nil {
		w.orm, err = openORM(sqlite.New(sqlite.Config{Conn: db}))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w.copier = openCopier(path, log)
	go w.copier.run(w.quit)
	go w.work()
	return w, nil
}

func (w *writer) alone() bool { return true }

func (w *writer) run(ctx context.Context, b *batch) error {
	return w.submit(ctx, &job{batch: b, done: make(chan error, 1)})
}

func (w *writer) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	return w.submit(ctx, &job{ctx: context.WithoutCancel(ctx), work: work, done: make(chan error, 1)})
}

// submit hands a job to the writer and waits for its end. If ctx ends before the writer has taken the job, the job is
// withdrawn.
func (w *writer) submit(ctx context.Context, j *job) error {
	if err := w.hand(ctx, j); err != nil {
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

// hand puts a job where the writer finds it. What was put there before the writer was closed it carries out.
func (w *writer) hand(ctx context.Context, j *job) error {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.closed {
		return errClosed
	}
	queue := w.jobs
	if j.batch != nil && j.batch.urgent {
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

// work takes what waits, again and again, until close.
func (w *writer) work() {
	defer close(w.stopped)
	idle := time.NewTimer(idleTime)
	defer idle.Stop()
	var group []*job
	written := 0 // since the log was copied to its end
	take := func(first *job) {
		group = w.gather(append(group[:0], first))
		w.commit(group)
		written += len(group)
		clear(group)
		if written >= w.copyAfter {
			w.copier.ask()
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
			if written >= worthCopying {
				w.copier.ask()
			}
		case finished := <-w.copier.nearly:
			w.copier.checkpoint(w.db)
			written = 0
			close(finished)
		case <-w.quit:
			for group = w.collect(group[:0]); len(group) > 0; group = w.collect(group[:0]) {
				w.commit(group)
			}
			return
		}
	}
}

// gather adds the jobs that wait, and those of every goroutine that can go on right now: on a busy machine they are about
// to hand theirs in, and a commit costs the same for many as for one. On an idle one there is nobody to wait for.
func (w *writer) gather(group []*job) []*job {
	for more := true; more; {
		before := len(group)
		runtime.Gosched()
		group = w.collect(group)
		more = len(group) > before
	}
	return group
}

// collect adds the jobs that wait at this moment, the urgent ones first: where there is not room for all in one
// transaction, a flag does not wait for the moves that came before it.
func (w *writer) collect(group []*job) []*job {
	for _, queue := range []chan *job{w.urgent, w.jobs} {
		for len(group) < w.most && len(queue) > 0 {
			group = append(group, <-queue)
		}
	}
	return group
}

// commit carries out a group and answers every job in it, none before the commit.
func (w *writer) commit(group []*job) {
	taken := group[:0:0]
	for _, j := range group {
		if j.state.CompareAndSwap(jobWaits, jobTaken) {
			taken = append(taken, j)
		}
	}
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

// answer tells every job how it ended: by its own refusal or, if the transaction failed, by that.
func answer(group []*job, failed error) {
	for _, j := range group {
		if failed != nil {
			j.err = failed
		}
		j.done <- j.err
	}
}

// try carries out a group in one transaction. If one job spoils the transaction for the others, nothing is stored and
// its index comes back with its error; otherwise the index is -1, and an error is everybody's.
func (w *writer) try(group []*job) (culprit int, err error) {
	r, err := w.begin()
	if err != nil {
		return -1, fmt.Errorf("begin: %w", err)
	}
	defer r.leave()
	for i, j := range group {
		if j.batch != nil {
			j.err = r.execBatch(j.batch)
		} else {
			j.err = r.execWork(j)
		}
		if isFatal(j.err) {
			if e := r.exec("ROLLBACK"); e != nil || !isConstraint(j.err) {
				return -1, fmt.Errorf("write: %w", j.err)
			}
			return i, j.err
		}
	}
	if err := r.commit(); err != nil {
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

// isConstraint reports whether an error comes from what a job asked for, not from the disk or the database as a whole.
func isConstraint(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.Code == sqlite3.ErrConstraint
}

func (w *writer) close() error { return w.closing() }

// stop carries out what waits, then lets go of everything.
func (w *writer) stop() error {
	w.gate.Lock()
	w.closed = true
	w.gate.Unlock()
	close(w.quit)
	<-w.stopped
	err := errors.Join(w.copier.close(), w.prepared.close(), w.db.Close())
	if w.lock != nil {
		err = errors.Join(err, w.lock.release())
	}
	return err
}
