package main

import (
	"context"
	"log/slog"
	"time"
)

// consumer carries out what follows from finished games, as far as the outbox goes.
type consumer struct {
	name  string
	catch func(context.Context) (int, error)
}

// follower runs the consumers one after the other whenever a game has finished, and now and then besides, for games
// that another process finished. It implements table.Follower.
type follower struct {
	consumers []consumer
	logger    *slog.Logger
	calls     chan chan struct{} // who waits for a pass that begins after the call
	wake      chan struct{}
}

const (
	// followInterval is how long a game that another process finished may wait for its consequences.
	followInterval = 2 * time.Second
	// breath is how long a game may wait whose end nobody waits for, such as one lost on time: many that end at once are
	// then rated together, and hold up the moves of others less.
	breath = 20 * time.Millisecond
)

func newFollower(logger *slog.Logger) *follower {
	return &follower{logger: logger, calls: make(chan chan struct{}), wake: make(chan struct{}, 1)}
}

// Wake asks for a pass and returns at once.
func (f *follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Follow returns after a pass that began after the call, or when ctx ends.
func (f *follower) Follow(ctx context.Context) {
	done := make(chan struct{})
	select {
	case f.calls <- done:
	case <-ctx.Done():
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// run makes passes until ctx ends, and then a last one.
func (f *follower) run(ctx context.Context) {
	ticker := time.NewTicker(followInterval)
	defer ticker.Stop()
	for {
		var waiting []chan struct{}
		select {
		case done := <-f.calls:
			waiting = append(waiting, done)
		case <-f.wake:
			waiting = f.breathe(ctx)
		case <-ticker.C:
		case <-ctx.Done():
			f.pass(context.WithoutCancel(ctx))
			return
		}
		waiting = f.gather(waiting)
		f.pass(ctx)
		for _, done := range waiting {
			close(done)
		}
	}
}

// breathe waits a little for more games to end, or until somebody waits for a pass.
func (f *follower) breathe(ctx context.Context) (waiting []chan struct{}) {
	timer := time.NewTimer(breath)
	defer timer.Stop()
	select {
	case done := <-f.calls:
		return []chan struct{}{done}
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// gather takes everybody who is calling at this moment into the same pass.
func (f *follower) gather(waiting []chan struct{}) []chan struct{} {
	for {
		select {
		case done := <-f.calls:
			waiting = append(waiting, done)
		default:
			return waiting
		}
	}
}

func (f *follower) pass(ctx context.Context) {
	for _, c := range f.consumers {
		if _, err := c.catch(ctx); err != nil && ctx.Err() == nil {
			f.logger.Error("what follows from finished games could not be carried out; trying again", "consumer", c.name, "error", err)
		}
	}
}
