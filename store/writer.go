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
	db    *sql.DB // one connection
	orm   *gorm.DB
	hot   hotPath
	lock  *dirLock
	ended *outboxMemory // nil until the store is open
	most  int           // writes in one transaction

	copier    *copier
	copyAfter int // writes

	jobs    chan *job
	gate    sync.RWMutex  // held to read while a job is put into jobs
	closed  bool          // no job is put into jobs any more
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

// job is one write: a script, or other work.
type job struct {
	ctx    context.Context // of the work; never ends
	script *script
	work   func(tx *gorm.DB) error
	state  atomic.Int32
	err    error
	done   chan error // has room for the answer, so that the writer never waits
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
		db: db, most: c.MaxBatch, copyAfter: cmp.Or(c.copyAfter, copyAfter), jobs: make(chan *job, queueLength), quit: make(chan struct{}), stopped: make(chan struct{}),
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

// spareJobs are jobs of scripts that have been answered, with the channels for their answers.
var spareJobs = sync.Pool{New: func() any { return &job{done: make(chan error, 1)} }}

func (w *writer) run(ctx context.Context, s *script) error {
	j := spareJobs.Get().(*job)
	j.script = s
	return w.submit(ctx, j)
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
		j.recycle()
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
	select {
	case w.jobs <- j:
		return nil
	default: // there is no room
	}
	select {
	case w.jobs <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recycle keeps a job whose answer has been taken for another script: the writer has let go of it.
func (j *job) recycle() {
	if j.script == nil {
		return
	}
	j.script.recycle()
	j.script, j.err = nil, nil
	j.state.Store(jobWaits)
	spareJobs.Put(j)
}

// work takes what waits, again and again, until close.
func (w *writer) work() {
	defer close(w.stopped)
	idle := time.NewTimer(idleTime)
	defer idle.Stop()
	var batch []*job
	written := 0 // since the log was copied to its end
	for {
		select {
		case j := <-w.jobs:
			batch = w.gather(append(batch[:0], j))
			w.commit(batch)
			written += len(batch)
			clear(batch)
			if written >= w.copyAfter {
				w.copier.ask()
			}
			idle.Reset(idleTime)
		case <-idle.C:
			if written >= worthCopying {
				w.copier.ask()
			}
		case finished := <-w.copier.nearly:
			w.copier.checkpoint(w.db)
			written = 0
			close(finished)
		case <-w.quit:
			for batch = w.collect(batch[:0]); len(batch) > 0; batch = w.collect(batch[:0]) {
				w.commit(batch)
			}
			return
		}
	}
}

// gather adds the jobs that wait, and those of everybody who can go on right now: on a busy machine they are about to
// hand theirs in, and a commit costs the same for many as for one. On an idle one there is nobody to wait for.
func (w *writer) gather(batch []*job) []*job {
	for more := true; more; {
		before := len(batch)
		runtime.Gosched()
		batch = w.collect(batch)
		more = len(batch) > before
	}
	return batch
}

// collect adds the jobs that wait at this moment.
func (w *writer) collect(batch []*job) []*job {
	for len(batch) < w.most {
		select {
		case j := <-w.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// commit carries out a batch and answers every job in it, none before the commit.
func (w *writer) commit(batch []*job) {
	taken := batch[:0:0]
	for _, j := range batch {
		if j.state.CompareAndSwap(jobWaits, jobTaken) {
			taken = append(taken, j)
		}
	}
	for len(taken) > 0 {
		culprit, err := w.try(taken)
		if culprit < 0 {
			w.remember(taken, err)
			answer(taken, err)
			return
		}
		answer(taken[culprit:culprit+1], err)
		taken = append(taken[:culprit], taken[culprit+1:]...)
	}
}

// remember takes in the games that are over by a batch that was committed.
func (w *writer) remember(batch []*job, failed error) {
	if failed != nil {
		w.ended.forget() // what the database holds now is not known
		return
	}
	for _, j := range batch {
		if s := j.script; s != nil && j.err == nil && s.ended != nil {
			s.ended.Seq = s.added
			w.ended.add(*s.ended)
		}
	}
}

// answer tells every job how it ended: by its own refusal or, if the transaction failed, by that.
func answer(batch []*job, failed error) {
	for _, j := range batch {
		if failed != nil {
			j.err = failed
		}
		j.done <- j.err
	}
}

// try carries out a batch in one transaction. If one job spoils the transaction for the others, nothing is stored and
// its index comes back with its error; otherwise the index is -1, and an error is everybody's.
func (w *writer) try(batch []*job) (culprit int, err error) {
	r, err := w.begin()
	if err != nil {
		return -1, fmt.Errorf("begin: %w", err)
	}
	defer r.leave()
	for i, j := range batch {
		if j.script != nil {
			j.err = r.carryOut(j.script)
		} else {
			j.err = r.workAside(j)
		}
		if spoils(j.err) {
			if e := r.exec("ROLLBACK"); e != nil || !ownFault(j.err) {
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

// spoilt marks errors after which the transaction of a round cannot go on.
type spoilt struct{ error }

func (e spoilt) Unwrap() error { return e.error }

func spoils(err error) bool {
	if err == nil {
		return false
	}
	var mark spoilt
	return errors.As(err, &mark)
}

// ownFault reports whether an error comes from what a job asked for, not from the disk or the database as a whole.
func ownFault(err error) bool {
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
	w.hot.close()
	err := errors.Join(w.copier.close(), w.db.Close())
	if w.lock != nil {
		err = errors.Join(err, w.lock.release())
	}
	return err
}
