package table

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const beatInterval = time.Second

// beat stores a heartbeat every second and a last one at shutdown, by which the next start knows the outage.
func (t *Tables) beat(ctx context.Context) {
	stored := context.WithoutCancel(ctx)
	ticker := time.NewTicker(t.beatInterval())
	defer ticker.Stop()
	for {
		t.beatOnce(stored)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.beatOnce(stored)
			return
		}
	}
}

// beatOnce stores a heartbeat. If the games are suspended it resumes them first: a heartbeat before that would hide the
// suspension.
func (t *Tables) beatOnce(ctx context.Context) {
	at := t.now() // before the check: a beat from after a suspension would hide it
	if t.creditSuspension(ctx, at) || t.still.active() {
		t.tryResume(ctx)
		return
	}
	err := t.Journal.Beat(ctx, t.Instance, at)
	if err == nil {
		err = t.followClock(ctx, maxSlew)
	}
	switch {
	case errors.Is(err, ErrUnavailable):
		t.stop(err)
	case err != nil:
		t.Logger.Error("the heartbeat could not be stored", "error", err)
	default:
		t.answered(ctx, at)
	}
}

// answered records that the journal has stored a heartbeat from a time. If it has taken too long, the games have been or are
// suspended for it, and resume.
func (t *Tables) answered(ctx context.Context, at int64) {
	t.creditSuspension(ctx, t.now())
	if t.listen(t.now()); t.still.active() {
		t.tryResume(ctx)
		return
	}
	t.still.sign(at)
	t.still.hear(t.now())
}

// suspension is the state of a suspension of all games, because the journal cannot be written or this process did not
// run.
type suspension struct {
	since     atomic.Int64 // last successful write before the suspension, ms UTC; 0 while games run
	taken     atomic.Int64 // last successful write
	heard     atomic.Int64 // when the journal has last answered a write, 0 before the first
	pulse     atomic.Int64 // last tick of the watchdog, 0 before the first
	crediting sync.Mutex   // held while a suspension is credited
}

func (s *suspension) active() bool { return s.since.Load() != 0 }

// sign records a successful write of the journal.
func (s *suspension) sign(at int64) { s.taken.Store(at) }

// Ready returns ErrUnavailable while all games are suspended because the journal cannot be written, and ErrOffset while this
// machine's clock is wrong.
func (t *Tables) Ready() error {
	switch {
	case t.still.active():
		return ErrUnavailable
	case t.Offset().Abs() >= maxOffset:
		return ErrOffset
	}
	return nil
}

// stop suspends all games if err says that the journal cannot be written.
func (t *Tables) stop(err error) {
	if !errors.Is(err, ErrUnavailable) {
		return
	}
	since := t.still.taken.Load()
	if since == 0 {
		since = t.now()
	}
	if t.still.since.CompareAndSwap(0, since) {
		t.Logger.Error("the journal cannot be written; all games stand still until it can", "error", err)
	}
}

// tryResume resumes the games if they are suspended and the journal can be written.
func (t *Tables) tryResume(ctx context.Context) {
	t.still.crediting.Lock()
	defer t.still.crediting.Unlock()
	if t.still.active() {
		t.resume(ctx)
	}
}

// resumeTimeout is the maximum duration of an attempt to resume the games.
const resumeTimeout = 15 * time.Second

// resume credits the suspension to every running clock, and resumes the games if that succeeds. The mutex crediting is
// held.
func (t *Tables) resume(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, resumeTimeout)
	defer cancel()
	since := t.still.since.Load()
	from := since
	last, err := t.Journal.LastBeat(ctx)
	if t.Peers == nil {
		from = max(since, last)
	}
	if err == nil {
		t.owed.unread.Store(false)
		err = t.noteOutage(ctx, from)
	}
	at := t.now()
	if err == nil {
		err = t.Journal.Beat(ctx, t.Instance, at) // where no game runs, this alone shows that it can be written
	}
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return
	}
	if err != nil {
		t.Logger.Error("the time without a journal could not be given back", "error", err)
	}
	t.still.sign(at)
	t.still.hear(t.now())
	t.still.since.Store(0)
	t.Logger.Info("the games go on", "stood", time.Duration(t.now()-since)*time.Millisecond)
}

const (
	// watchdogInterval is the interval of the watchdog, and so the precision of a suspension's beginning.
	watchdogInterval = 250 * time.Millisecond
	// minSuspension is the minimum time without a tick that counts as a suspension. Delays of a busy machine are shorter.
	minSuspension = time.Second
)

// watchdog is a watchdog for the process itself: it ticks periodically, so that a suspension is noticed, in which the
// process was stopped by a signal, its container frozen, or its machine paused.
func (t *Tables) watchdog(ctx context.Context) {
	ticker := time.NewTicker(watchdogInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := t.now()
		t.creditSuspension(ctx, now)
		t.still.tick(now)
		t.listen(now)
	}
}

// tick records that the process ran at a time.
func (s *suspension) tick(at int64) {
	for {
		last := s.pulse.Load()
		if last >= at || s.pulse.CompareAndSwap(last, at) {
			return
		}
	}
}

// suspended reports whether the process had been suspended before a time, and returns its last tick before that.
func (s *suspension) suspended(at int64) (since int64, yes bool) {
	since = s.pulse.Load()
	return since, since != 0 && at-since >= minSuspension.Milliseconds()
}

// creditSuspension credits a suspension of this process that is just over to every running clock. Every act on a game
// and every flag calls it first, so that none is judged by clocks that ran during a suspension. It reports whether there
// was one.
func (t *Tables) creditSuspension(ctx context.Context, now int64) bool {
	if _, yes := t.still.suspended(now); !yes {
		return false
	}
	t.still.crediting.Lock()
	defer t.still.crediting.Unlock()
	since, yes := t.still.suspended(now)
	if !yes {
		return true // another goroutine has just done it
	}
	if t.still.since.CompareAndSwap(0, since) {
		t.Logger.Warn("this process has not run for a while; every clock gets the time back",
			"ms", t.now()-since)
		t.resume(context.WithoutCancel(ctx)) // if it fails, the games stay suspended as without a journal
	}
	t.still.tick(t.now())
	return true
}
