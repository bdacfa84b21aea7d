package table

import (
	"context"
	"time"
)

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
