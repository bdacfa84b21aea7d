package api

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// bounded is a context that ends after a time, as those of [context.WithTimeout] do. It sets no timer before somebody
// waits for its end, which most requests never do.
type bounded struct {
	context.Context
	until time.Time

	mu     sync.Mutex
	timed  context.Context // nil before somebody waits
	cancel context.CancelFunc
}

func within(parent context.Context, d time.Duration) *bounded {
	return &bounded{Context: parent, until: time.Now().Add(d)}
}

// end lets go of the timer.
func (b *bounded) end() { b.at(func(context.Context) { b.cancel() }) }

// at calls do with the context that has a timer, if there is one.
func (b *bounded) at(do func(timed context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timed == nil {
		return false
	}
	do(b.timed)
	return true
}

// Deadline gives the time at which the context ends.
func (b *bounded) Deadline() (time.Time, bool) {
	if earlier, ok := b.Context.Deadline(); ok && earlier.Before(b.until) {
		return earlier, true
	}
	return b.until, true
}

// Done sets the timer.
func (b *bounded) Done() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timed == nil {
		b.timed, b.cancel = context.WithDeadline(b.Context, b.until)
	}
	return b.timed.Done()
}

// Err says why the context has ended.
func (b *bounded) Err() (err error) {
	if b.at(func(timed context.Context) { err = timed.Err() }) {
		return err
	}
	if err := b.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(b.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// Value asks the context that has a timer, so that contexts made of this one end with it without a goroutine.
func (b *bounded) Value(key any) (value any) {
	if b.at(func(timed context.Context) { value = timed.Value(key) }) {
		return value
	}
	return b.Context.Value(key)
}

// lasting is the context of a request that acts on a game. What has arrived counts, even if whoever sent it loses the
// connection: it ends by its deadline alone.
type lasting struct {
	request  context.Context
	deadline *deadline
}

// Deadline gives the time at which the context ends.
func (l *lasting) Deadline() (time.Time, bool) { return l.deadline.until, true }

// Done is closed at the deadline.
func (l *lasting) Done() <-chan struct{} { return l.deadline.passed }

// Err says whether the deadline has passed.
func (l *lasting) Err() error {
	select {
	case <-l.deadline.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Value gives what the request's context holds, but not its end.
func (l *lasting) Value(key any) any { return context.WithoutCancel(l.request).Value(key) }

// deadline is a time with a channel that is closed then.
type deadline struct {
	until  time.Time
	passed chan struct{}
}

// deadlines gives requests that begin within a second of each other one deadline, so that not every move sets a timer
// and takes it back.
type deadlines struct{ latest atomic.Pointer[deadline] }

// in gives a deadline that is at least so far away, and at most a second more.
func (d *deadlines) in(least time.Duration) *deadline {
	now := time.Now()
	if latest := d.latest.Load(); latest != nil && latest.until.Sub(now) >= least {
		return latest
	}
	next := &deadline{until: now.Add(least + time.Second), passed: make(chan struct{})}
	time.AfterFunc(least+time.Second, func() { close(next.passed) })
	d.latest.Store(next)
	return next
}
