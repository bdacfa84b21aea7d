package app

import (
	"context"
	"log/slog"
	"time"
)

// consumer carries out what follows from finished games, as far as the outbox goes.
type consumer struct {
	name    string
	catchUp func(context.Context) (int, error)
}

// consumers runs all consumers of the outbox, one after the other, whenever a game has finished, and every so often for
// games that another process finished. It implements table.Follower.
type consumers struct {
	all    []consumer
	logger *slog.Logger
	calls  chan chan struct{} // callers of Follow, each waiting for a pass that begins after the call
	wake   chan struct{}      // holds a token when a pass is asked for
}

const (
	// followInterval is how long a game that another process finished may wait for its consequences.
	followInterval = 2 * time.Second
	// batchDelay is how long a pass is put off for which no request waits, such as after a game lost on time: many games
	// that end at once are then handled as one batch, and hold up the moves of others less.
	batchDelay = 20 * time.Millisecond
)

func newConsumers(logger *slog.Logger) *consumers {
	return &consumers{logger: logger, calls: make(chan chan struct{}), wake: make(chan struct{}, 1)}
}

// RunConsumers carries out what follows from finished games until ctx ends. Run does so too.
func (a *App) RunConsumers(ctx context.Context) { a.consumers.run(ctx) }

// Follow returns when what follows from the games that are over has been carried out, or when ctx ends. Run must be
// running.
func (a *App) Follow(ctx context.Context) { a.consumers.Follow(ctx) }

// Wake asks for a pass and returns at once.
func (c *consumers) Wake() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Follow returns after a pass that began after the call, or when ctx ends.
func (c *consumers) Follow(ctx context.Context) {
	done := make(chan struct{})
	select {
	case c.calls <- done:
	case <-ctx.Done():
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// run makes passes until ctx ends, and then a last one.
func (c *consumers) run(ctx context.Context) {
	ticker := time.NewTicker(followInterval)
	defer ticker.Stop()
	for {
		var waiting []chan struct{}
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		case <-c.wake:
			waiting = c.delay(ctx)
		case <-ticker.C:
		case <-ctx.Done():
			c.pass(context.WithoutCancel(ctx))
			return
		}
		waiting = c.gather(waiting)
		c.pass(ctx)
		for _, done := range waiting {
			close(done)
		}
	}
}

// delay waits for more games to end, until batchDelay is over or a caller of Follow waits for the pass.
func (c *consumers) delay(ctx context.Context) (waiting []chan struct{}) {
	timer := time.NewTimer(batchDelay)
	defer timer.Stop()
	select {
	case done := <-c.calls:
		return []chan struct{}{done}
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// gather adds all who are calling Follow at this moment, for the same pass.
func (c *consumers) gather(waiting []chan struct{}) []chan struct{} {
	for {
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		default:
			return waiting
		}
	}
}

func (c *consumers) pass(ctx context.Context) {
	for _, one := range c.all {
		if _, err := one.catchUp(ctx); err != nil && ctx.Err() == nil {
			c.logger.Error("what follows from finished games could not be carried out; trying again", "consumer", one.name, "error", err)
		}
	}
}
