package table

import (
	"context"
	"time"
)

const (
	// pulseEvery is how exactly the beginning of an absence is known.
	pulseEvery = 250 * time.Millisecond
	// absence is how long the pulse must have been away to show that the process did not run. A busy machine lets it
	// wait for less.
	absence = time.Second
)

// feelPulse notes again and again that this process runs, so that a time in which it did not is known: it was stopped
// by a signal, its container was frozen, its machine paused.
func (t *Tables) feelPulse(ctx context.Context) {
	ticker := time.NewTicker(pulseEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := t.now()
		t.wakeUp(ctx, now)
		t.still.felt(now)
	}
}

// felt notes that the process ran at a time.
func (s *standstill) felt(at int64) {
	for {
		last := s.pulse.Load()
		if last >= at || s.pulse.CompareAndSwap(last, at) {
			return
		}
	}
}

// absent reports whether the process had not run for a while at a time, and gives its last pulse before that.
func (s *standstill) absent(at int64) (since int64, yes bool) {
	since = s.pulse.Load()
	return since, since != 0 && at-since >= absence.Milliseconds()
}

// wakeUp gives every running clock the time back in which this process did not run, if that is just over. Everybody
// who acts on a game comes by here first: no act is judged and no flag falls by clocks that ran while nobody could act.
// It reports whether there was an absence.
func (t *Tables) wakeUp(ctx context.Context, now int64) bool {
	if _, yes := t.still.absent(now); !yes {
		return false
	}
	t.still.wakes.Lock()
	defer t.still.wakes.Unlock()
	since, yes := t.still.absent(now)
	if !yes {
		return true // somebody else has just done it
	}
	if t.still.since.CompareAndSwap(0, since) {
		t.Logger.Warn("this process has not run for a while; every clock gets the time back",
			"ms", t.now()-since)
		t.goOn(context.WithoutCancel(ctx)) // if it fails, the games stand still as without a journal
	}
	t.still.felt(t.now())
	return true
}
