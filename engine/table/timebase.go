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
	// warnOffset is the offset of this machine's clock that is logged as a warning, and maxOffset the offset that makes
	// the process not ready.
	warnOffset = 50 * time.Millisecond
	maxOffset  = time.Second
	// followOffset is the difference from the wall clock that the service tolerates, and followDelay the duration of a
	// larger difference before it follows the wall clock: a change set back within it was a mistake.
	followOffset = time.Second
	followDelay  = time.Minute
	// loudOffset is the offset of the last heartbeat from the clock that is logged as an error.
	loudOffset = time.Hour
)

// ErrOffset reports that this machine's clock is wrong. The games' clocks follow the journal's, but whatever else has a
// time of this machine is wrong too.
var ErrOffset = sentence.Errorf("the clock of this machine and that of the database differ by a second or more; set " +
	"it, and keep it right with NTP")

// timebase has two times, which are the same until the wall clock is set. Both advance by the monotonic clock, and slew
// towards the journal's clock where the journal is shared.
//
//   - The games' time: the clocks of all games run by it. It jumps only while no clock runs, so that setting the wall
//     clock changes no player's time.
//   - The service's time, for all else. It follows the wall clock once the two have been apart for followDelay.
type timebase struct {
	epoch   time.Time            // wall and monotonic reading that all stamps are counted from
	since   func() time.Duration // time since epoch; it reads only the monotonic clock, which takes half the time
	wall    func() time.Time     // the machine's clock
	ahead   atomic.Int64         // ns of the games' time ahead of epoch + since + applied
	service atomic.Int64         // ns of the service's time ahead of epoch + since + applied
	jumps   atomic.Int64         // number of changes of ahead; a stamp from before is not comparable
	apart   time.Duration        // since when the service's time and the wall clock are apart; 0 while they are not
	applied atomic.Int64         // ns of the journal's offset that are part of the time
	offset  atomic.Int64         // ns that the journal's clock is ahead of the machine's as it is set now
	warned  atomic.Bool
	logger  *slog.Logger

	mu    sync.Mutex
	known []sample // the last samples
}

// sample is a measurement of the journal's clock.
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
	return b.epoch.Add(b.since() + time.Duration(b.ahead.Load()+b.applied.Load()))
}

// serviceTime returns the time of all but the games' clocks.
func (b *timebase) serviceTime() time.Time {
	return b.epoch.Add(b.since() + time.Duration(b.service.Load()+b.applied.Load()))
}

// continueFrom makes both times continue from the last heartbeat, which the wall clock is behind, and returns the
// difference.
func (b *timebase) continueFrom(last int64) time.Duration {
	behind := max(0, time.Duration(last-b.now())*time.Millisecond)
	b.ahead.Store(int64(behind))
	b.service.Store(int64(behind))
	return behind
}

// follow has the service's time follow the wall clock if they have been apart for followDelay. A shared journal's
// clock, which the time slews towards, counts in place of the wall clock. A single goroutine calls it.
func (b *timebase) follow(shared bool) {
	reached, target := b.since(), time.Duration(0)
	if !shared {
		target = b.wall().Round(0).Sub(b.epoch.Round(0)) - reached
	}
	service := time.Duration(b.service.Load())
	switch {
	case (target - service).Abs() <= followOffset:
		b.apart = 0
	case b.apart == 0:
		b.apart = max(reached, 1)
	case reached-b.apart >= followDelay:
		b.service.Store(int64(target))
		b.apart = 0
		b.logger.Warn("the machine's clock was set, and the service follows it; games with a running clock go on by the "+
			"time that they began with", "by", (target - service).Round(time.Millisecond).String())
	}
}

// jump has the games' time follow the service's.
func (b *timebase) jump() {
	b.ahead.Store(b.service.Load())
	b.jumps.Add(1)
}

// now returns the time in ms UTC.
func (b *timebase) now() int64 { return b.time().UnixMilli() }

// steady returns the time in ms of a clock that advances like the games' time and never jumps.
func (b *timebase) steady() int64 {
	return b.epoch.Add(b.since() + time.Duration(b.applied.Load())).UnixMilli()
}

// aheadMs returns the lead of the games' time over the steady time, in ms.
func (b *timebase) aheadMs() int64 { return time.Duration(b.ahead.Load()).Milliseconds() }

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
	if wrong.Abs() >= maxOffset { // the machine slept, or the journal has moved to another machine
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
