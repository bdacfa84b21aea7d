package table

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/engine/sentence"
)

const (
	beatInterval = time.Second
	// sharedBeatInterval is the interval of the heartbeat where others judge by it whether this process was alive.
	sharedBeatInterval = MaxSilence / 2
	// resumeTimeout is the maximum duration of an attempt to resume the games.
	resumeTimeout = 15 * time.Second
	// watchdogInterval is the interval of the watchdog, and so the precision of a suspension's beginning.
	watchdogInterval = 250 * time.Millisecond
	// minSuspension is the minimum time without a tick that counts as a suspension. Delays of a busy machine are shorter.
	minSuspension = time.Second
)

// errSilent means that the journal has answered neither the heartbeat nor a step for MaxSilence.
var errSilent = sentence.Errorf("%w: it does not answer", ErrUnavailable)

// suspension suspends all games while the journal cannot be written, or after this process did not run, and then
// credits the time to every running clock. It stores the heartbeats that show an outage to the next start.
type suspension struct {
	time     *timebase
	beats    Heartbeats
	instance string
	// others use the journal, too; else it is a file of this process, and a failing file is waited for
	shared  bool
	cluster cluster
	record  func(ctx context.Context, from, last int64) error // stores an outage that is to be credited
	// followWall has the times follow the machine's clock, with every heartbeat
	followWall func(ctx context.Context) error
	logger     *slog.Logger

	// Steady times in ms, so that a jump of the games' time is no stop of the process.
	since     atomic.Int64 // last successful write before the suspension; 0 while games run
	written   atomic.Int64 // last successful write
	heard     atomic.Int64 // when the journal has last answered a write, 0 before the first
	pulse     atomic.Int64 // last tick of the watchdog, 0 before the first
	crediting sync.Mutex   // held while a suspension is credited, or the games' time jumps
}

func (s *suspension) active() bool { return s.since.Load() != 0 }

// run runs the heartbeat and the watchdog until ctx ends.
func (s *suspension) run(ctx context.Context) {
	s.pulse.Store(s.time.steady())
	s.heard.Store(s.time.steady())
	var wg sync.WaitGroup
	wg.Go(func() { s.watchdog(ctx) })
	s.beat(ctx)
	wg.Wait()
}

// beat stores heartbeats, and a last heartbeat at shutdown.
func (s *suspension) beat(ctx context.Context) {
	interval := beatInterval
	if s.shared {
		interval = sharedBeatInterval
	}
	stored := context.WithoutCancel(ctx)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		s.beatOnce(stored)
		if err := s.followWall(stored); err != nil && !errors.Is(err, ErrUnavailable) {
			s.logger.Error("the time could not follow the machine's clock", "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			s.beatOnce(stored)
			return
		}
	}
}

// beatOnce stores a heartbeat. If the games are suspended it resumes them first: a heartbeat before that would hide the
// suspension.
func (s *suspension) beatOnce(ctx context.Context) {
	at := s.time.steady() // before the check: a beat from after a suspension would hide it
	if s.creditStop(ctx, at) || s.active() {
		s.tryResume(ctx)
		return
	}
	err := s.beats.Beat(ctx, s.instance, at+s.time.aheadMs())
	if err == nil {
		err = s.cluster.slew(ctx, maxSlew)
	}
	switch {
	case errors.Is(err, ErrUnavailable):
		s.begin(err)
	case err != nil:
		s.logger.Error("the heartbeat could not be stored", "error", err)
	default:
		s.creditStop(ctx, s.time.steady())
		if s.answered(at, s.time.steady()); s.active() {
			s.tryResume(ctx)
		}
	}
}

// answered records that the journal has stored a write of a time, unless it took so long that the games are suspended.
func (s *suspension) answered(at, now int64) {
	if s.suspendIfSilent(now); !s.active() {
		s.mark(at, now)
	}
}

// mark records a write of a time that the journal answered now.
func (s *suspension) mark(at, now int64) {
	s.written.Store(at)
	if s.heard.Load() != 0 {
		s.heard.Store(now)
	}
}

// begin suspends all games if err means that the journal cannot be written.
func (s *suspension) begin(err error) {
	if !errors.Is(err, ErrUnavailable) {
		return
	}
	since := cmp.Or(s.written.Load(), s.time.steady())
	if s.since.CompareAndSwap(0, since) {
		s.logger.Error("the journal cannot be written; all games are suspended until it can", "error", err)
	}
}

// suspendIfSilent suspends the games if a shared journal has not answered for MaxSilence.
func (s *suspension) suspendIfSilent(now int64) {
	heard := s.heard.Load()
	if s.shared && heard != 0 && now-heard >= MaxSilence.Milliseconds() && !s.active() {
		s.begin(errSilent)
	}
}

// tryResume resumes the games if they are suspended and the journal can be written.
func (s *suspension) tryResume(ctx context.Context) {
	s.crediting.Lock()
	defer s.crediting.Unlock()
	if s.active() {
		s.resume(ctx)
	}
}

// resume credits the suspension to every running clock, and resumes the games if that succeeds. The mutex crediting is
// held.
func (s *suspension) resume(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, resumeTimeout)
	defer cancel()
	since := s.since.Load()
	last, err := s.beats.LastBeat(ctx)
	if err == nil {
		err = s.record(ctx, since+s.time.aheadMs(), last)
	}
	at := s.time.steady()
	if err == nil {
		err = s.beats.Beat(ctx, s.instance, at+s.time.aheadMs()) // where no game runs, this alone shows that it can be written
	}
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return
	}
	if err != nil {
		s.logger.Error("the time without a journal could not be given back", "error", err)
	}
	s.mark(at, s.time.steady())
	s.since.Store(0)
	s.logger.Info("the games go on", "stood", time.Duration(s.time.steady()-since)*time.Millisecond)
}

// watchdog ticks, so that a stop of the process is noticed: by a signal, a frozen container, or a paused machine.
func (s *suspension) watchdog(ctx context.Context) {
	ticker := time.NewTicker(watchdogInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := s.time.steady()
		s.creditStop(ctx, now)
		s.tick(now)
		s.suspendIfSilent(now)
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

// stopped reports whether the process did not run before a time, and returns its last tick before that.
func (s *suspension) stopped(at int64) (since int64, yes bool) {
	since = s.pulse.Load()
	return since, since != 0 && at-since >= minSuspension.Milliseconds()
}

// creditStop credits a stop of this process that is just over to every running clock, and reports whether it had
// stopped. Every act and every flag calls it first, so that none is judged by clocks that ran during a stop.
func (s *suspension) creditStop(ctx context.Context, now int64) bool {
	if _, yes := s.stopped(now); !yes {
		return false
	}
	s.crediting.Lock()
	defer s.crediting.Unlock()
	since, yes := s.stopped(now)
	if !yes {
		return true // another goroutine has just done it
	}
	if s.since.CompareAndSwap(0, since) {
		s.logger.Warn("this process has not run for a while; every clock gets the time back", "ms", s.time.steady()-since)
		s.resume(context.WithoutCancel(ctx)) // if it fails, the games stay suspended as without a journal
	}
	s.tick(s.time.steady())
	return true
}
