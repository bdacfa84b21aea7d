package table

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/engine/sentence"
)

// Peers is what processes that share a journal know of each other through it.
type Peers interface {
	// Clock returns the time by the journal's own clock.
	Clock(ctx context.Context) (time.Time, error)
	// Runs returns when each process was last alive without a break, by the journal's own clock. Its heartbeats make up a
	// run as long as they follow each other within MaxSilence.
	Runs(ctx context.Context) ([]Run, error)
}

// Run is a time in which a process was alive, ms UTC.
type Run struct {
	From, To int64
	Before   int64 // the last heartbeat of the run before; 0 for none
}

// MaxSilence is the duration without a word from the journal, or without a heartbeat, after which it or the process was away.
const MaxSilence = time.Second

// sharedBeatInterval is the interval of the heartbeat where others judge by it whether this process was alive.
const sharedBeatInterval = MaxSilence / 2

// beatInterval returns the interval of the heartbeat.
func (t *Tables) beatInterval() time.Duration {
	if t.Shared {
		return sharedBeatInterval
	}
	return beatInterval
}

// absence returns the longest part of a time in which neither this process nor another one was alive.
func absence(from, to int64, runs []Run) Outage {
	var alive []Run
	for _, r := range runs {
		alive = append(alive, Run{From: r.From, To: r.To}, Run{From: r.Before, To: r.Before})
	}
	slices.SortFunc(alive, func(a, b Run) int { return cmp.Compare(a.From, b.From) })
	longest, end := Outage{from, from}, from
	for _, r := range append(alive, Run{From: to, To: to}) {
		if start := min(r.From, to); start-end > longest.To-longest.From {
			longest = Outage{end, start}
		}
		end = max(end, min(r.To, to))
	}
	return longest
}

// away returns the part of a time that ends now in which the games were served by no process: the time for which they stood
// still here, less what others did meanwhile.
func (t *Tables) away(ctx context.Context, from int64) (Outage, error) {
	if t.Peers == nil {
		return Outage{from, t.now()}, nil
	}
	runs, err := t.Peers.Runs(ctx)
	if err != nil {
		return Outage{}, err
	}
	for i := range runs { // what is stored continues from what was stored before, should the journal's clock be behind that
		ahead := t.ahead.Milliseconds()
		runs[i] = Run{runs[i].From + ahead, runs[i].To + ahead, runs[i].Before + ahead}
	}
	return absence(from, t.now(), runs), nil
}

// errSilent says that the journal has not answered for MaxSilence, neither the heartbeat nor anyone.
var errSilent = sentence.Errorf("%w: it does not answer", ErrUnavailable)

// listen suspends the games if a journal that others use too has not answered for MaxSilence. What it does not answer it does
// not refuse either, so a journal of this process alone, which is a file, is waited for.
func (t *Tables) listen(now int64) {
	heard := t.still.heard.Load()
	if t.Shared && heard != 0 && now-heard >= MaxSilence.Milliseconds() && !t.still.active() {
		t.stop(errSilent)
	}
}

const (
	// samples is how many measurements of the journal's clock are compared; the one with the shortest round trip counts.
	samples = 8
	// maxSlew is by how much the time is moved with each heartbeat, so that a correction takes no one by surprise: a 20th.
	maxSlew = sharedBeatInterval / 20
	// warnOffset is the offset of this machine's clock that is warned of, and maxOffset the one with which the process is
	// not ready.
	warnOffset = 50 * time.Millisecond
	maxOffset  = time.Second
)

// ErrOffset says that this machine's clock is wrong. The games' clocks go by the journal's, but whatever else has a time of
// this machine is wrong too.
var ErrOffset = sentence.Errorf("the clock of this machine and that of the database differ by a second or more; set it, and keep it right with NTP")

// offset is how far the journal's clock is ahead of this process's.
type offset struct {
	applied atomic.Int64 // ns, part of Tables.Time
	wall    atomic.Int64 // ns, of the machine's clock as it is set now
	warned  atomic.Bool

	mu    sync.Mutex
	known []sample // the last ones
}

// sample is one measurement.
type sample struct{ offset, wall, trip time.Duration }

// measure asks the journal for its time and returns the best of the last measurements. The journal is taken to have looked
// at its clock in the middle of the round trip, so it is wrong by half the trip at most.
func (t *Tables) measure(ctx context.Context) (sample, error) {
	began := t.since()
	at, err := t.Peers.Clock(ctx)
	if err != nil {
		return sample{}, err
	}
	trip := t.since() - began
	s := sample{at.Sub(t.epoch.Round(0).Add(began + trip/2)), at.Sub(t.wall().Round(0).Add(-trip / 2)), trip}
	o := &t.offset
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known = append(o.known, s)
	o.known = o.known[max(0, len(o.known)-samples):]
	return slices.MinFunc(o.known, func(a, b sample) int { return cmp.Compare(a.trip, b.trip) }), nil
}

// followClock moves the time towards the journal's clock, by at most so much.
func (t *Tables) followClock(ctx context.Context, most time.Duration) error {
	if t.Peers == nil {
		return nil
	}
	s, err := t.measure(ctx)
	if err != nil {
		return err
	}
	o := &t.offset
	o.wall.Store(int64(s.wall))
	t.warnOfOffset(s.wall)
	applied := time.Duration(o.applied.Load())
	if wrong := s.offset - applied; wrong.Abs() > s.trip/2 {
		if wrong.Abs() >= maxOffset { // the machine slept, or the journal has moved to another one
			most = wrong.Abs()
		}
		o.applied.Store(int64(applied + min(max(wrong, -most), most)))
		t.flags.again() // deadlines are nearer, or further
	}
	return nil
}

// warnOfOffset logs once that the machine's clock is wrong, and once that it is right again.
func (t *Tables) warnOfOffset(by time.Duration) {
	switch wrong := by.Abs() >= warnOffset; {
	case wrong && !t.offset.warned.Swap(true):
		t.Logger.Warn("this machine's clock is not that of the database, which the games go by; keep it right with NTP", "behind_ms", by.Milliseconds())
	case !wrong && t.offset.warned.Swap(false):
		t.Logger.Info("this machine's clock is that of the database again", "behind_ms", by.Milliseconds())
	}
}

// Offset returns how far the journal's clock is ahead of this machine's; 0 where it has none.
func (t *Tables) Offset() time.Duration { return time.Duration(t.offset.wall.Load()) }

// hear records that the journal has answered a write, once the heartbeat runs.
func (s *suspension) hear(at int64) {
	if s.heard.Load() != 0 {
		s.heard.Store(at)
	}
}
