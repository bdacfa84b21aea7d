package api

import (
	"context"
	"sync"
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
