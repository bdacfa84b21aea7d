package table

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const beatInterval = time.Second

// beat stores a heartbeat every second and a last one at a clean end, so that the time without a server is known.
func (t *Tables) beat(ctx context.Context) {
	stored := context.WithoutCancel(ctx)
	ticker := time.NewTicker(beatInterval)
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

// beatOnce stores a heartbeat. Where the games stand still it lets them go on first: a heartbeat before that would
// hide the time that they stood.
func (t *Tables) beatOnce(ctx context.Context) {
	at := t.now() // before the look for an absence: a beat from after one would hide it
	if t.wakeUp(ctx, at) || t.still.stands() {
		t.rise(ctx)
		return
	}
	switch err := t.Journal.Beat(ctx, t.Instance, at); {
	case errors.Is(err, ErrUnavailable):
		t.stop(err)
	case err != nil:
		t.Logger.Error("the heartbeat could not be stored", "error", err)
	default:
		t.still.sign(at)
	}
}

// standstill is a time in which the journal takes nothing, or in which this process does not run.
type standstill struct {
	since atomic.Int64 // when it last took something before that, ms UTC; 0 while it works
	taken atomic.Int64 // when it last took something
	pulse atomic.Int64 // when this process last ran for sure, 0 before the first time
	wakes sync.Mutex   // held while an absence is given back
}

func (s *standstill) stands() bool { return s.since.Load() != 0 }

// sign notes that the journal has just taken something.
func (s *standstill) sign(at int64) { s.taken.Store(at) }

// Ready gives ErrUnavailable while all games stand still because the journal is away.
func (t *Tables) Ready() error {
	if t.still.stands() {
		return ErrUnavailable
	}
	return nil
}

// stop lets all games stand still, if err says that the journal is away.
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

// rise lets the games go on, if they stand still and can.
func (t *Tables) rise(ctx context.Context) {
	t.still.wakes.Lock()
	defer t.still.wakes.Unlock()
	if t.still.stands() {
		t.goOn(ctx)
	}
}

// goOn tries to give the time of a standstill back to every running clock, and lets the games go on if it succeeds.
// The mutex for waking up is held.
func (t *Tables) goOn(ctx context.Context) {
	since := t.still.since.Load()
	last, err := t.Journal.LastBeat(ctx)
	if err == nil {
		t.owed.unread.Store(false)
		err = t.takeUp(ctx, max(since, last))
	}
	at := t.now()
	if err == nil {
		err = t.Journal.Beat(ctx, t.Instance, at) // where no game runs, this alone shows that it can be written
	}
	if errors.Is(err, ErrUnavailable) {
		return
	}
	if err != nil {
		t.Logger.Error("the time without a journal could not be given back", "error", err)
	}
	t.still.sign(at)
	t.still.since.Store(0)
	t.Logger.Info("the games go on", "stood", time.Duration(t.now()-since)*time.Millisecond)
}
