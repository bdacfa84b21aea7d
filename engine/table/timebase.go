package table

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/engine/sentence"
)

const (
	// samples is the number of measurements of the journal's clock that are compared; the shortest round trip counts.
	samples = 8
	// maxSlew is the maximum correction with each heartbeat, so that it surprises no player: a 20th.
	maxSlew = sharedBeatInterval / 20
	// warnOffset is the offset of this machine's clock that is logged as a warning, and maxOffset the one with which the
	// process is not ready.
	warnOffset = 50 * time.Millisecond
	maxOffset  = time.Second
)

// ErrOffset reports that this machine's clock is wrong. The games' clocks follow the journal's, but whatever else has a
// time of this machine is wrong too.
var ErrOffset = sentence.Errorf("the clock of this machine and that of the database differ by a second or more; set " +
	"it, and keep it right with NTP")

// timebase is the time by which the clocks of all games run. It follows the monotonic clock, so that setting the wall
// clock while games run changes no player's time, and slews towards the journal's clock where the journal is shared.
type timebase struct {
	epoch   time.Time            // wall and monotonic reading that all stamps are counted from
	since   func() time.Duration // time since epoch; it reads only the monotonic clock, which takes half the time
	wall    func() time.Time     // the machine's clock
	ahead   time.Duration        // by which stored times were ahead of the machine's clock at the start
	applied atomic.Int64         // ns of the journal's offset that are part of the time
	offset  atomic.Int64         // ns by which the journal's clock is ahead of the machine's as it is set now
	warned  atomic.Bool
	logger  *slog.Logger

	mu    sync.Mutex
	known []sample // the last ones
}

// sample is one measurement of the journal's clock.
type sample struct{ offset, wall, trip time.Duration }

// newTimebase returns the time of a clock; nil for the machine's.
func newTimebase(now func() time.Time, logger *slog.Logger) *timebase {
	b := &timebase{epoch: time.Now(), wall: time.Now, logger: logger}
	b.since = func() time.Duration { return time.Since(b.epoch) }
	if now != nil {
		b.epoch, b.wall = now(), now
		b.since = func() time.Duration { return now().Sub(b.epoch) }
	}
	return b
}

func (b *timebase) time() time.Time {
	return b.epoch.Add(b.since() + b.ahead + time.Duration(b.applied.Load()))
}

// now returns the time in ms UTC.
func (b *timebase) now() int64 { return b.time().UnixMilli() }

// until returns the time to the first millisecond after a deadline.
func (b *timebase) until(deadline int64) time.Duration {
	if deadline == 0 {
		return longWait
	}
	return max(0, time.UnixMilli(deadline+1).Sub(time.UnixMilli(b.now())))
}

// measure reads the journal's clock and returns the best of the last measurements. The journal is taken to have read it
// in the middle of the round trip, so it is wrong by half the trip at most.
func (b *timebase) measure(ctx context.Context, journal Peers) (sample, error) {
	began := b.since()
	at, err := journal.Clock(ctx)
	if err != nil {
		return sample{}, err
	}
	trip := b.since() - began
	s := sample{at.Sub(b.epoch.Round(0).Add(began + trip/2)), at.Sub(b.wall().Round(0).Add(-trip / 2)), trip}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known = append(b.known, s)
	b.known = b.known[max(0, len(b.known)-samples):]
	return slices.MinFunc(b.known, func(a, b sample) int { return cmp.Compare(a.trip, b.trip) }), nil
}

// slew moves the time towards the journal's clock, by at most limit, and reports whether it moved.
func (b *timebase) slew(ctx context.Context, journal Peers, limit time.Duration) (moved bool, err error) {
	s, err := b.measure(ctx, journal)
	if err != nil {
		return false, err
	}
	b.offset.Store(int64(s.wall))
	b.warn(s.wall)
	applied := time.Duration(b.applied.Load())
	wrong := s.offset - applied
	if wrong.Abs() <= s.trip/2 {
		return false, nil
	}
	if wrong.Abs() >= maxOffset { // the machine slept, or the journal has moved to another one
		limit = wrong.Abs()
	}
	b.applied.Store(int64(applied + min(max(wrong, -limit), limit)))
	return true, nil
}

// warn logs once that the machine's clock is wrong, and once that it is right again.
func (b *timebase) warn(offset time.Duration) {
	switch wrong := offset.Abs() >= warnOffset; {
	case wrong && !b.warned.Swap(true):
		b.logger.Warn("this machine's clock is not that of the database, which the games go by; keep it right with NTP",
			"behind_ms", offset.Milliseconds())
	case !wrong && b.warned.Swap(false):
		b.logger.Info("this machine's clock is that of the database again", "behind_ms", offset.Milliseconds())
	}
}
