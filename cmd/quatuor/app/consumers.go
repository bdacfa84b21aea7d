package app

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"quatuor/rating/ledger"
	"quatuor/store"
)

// consumer carries out what follows from finished games, as far as the outbox goes.
type consumer struct {
	name string
	// consume returns when the games that have ended are taken, here or at another instance. Ended is passed from consumer
	// to consumer.
	consume func(context.Context, *store.Ended) error
	repair  func(context.Context) error // what this instance has left undone, with or without a lease; nil for none
}

// consumeForRatings rates the games that have ended.
func (a *App) consumeForRatings(ctx context.Context, e *store.Ended) error {
	return a.Store.Rate(ctx, e, func(ctx context.Context, in ledger.Store) error {
		_, err := a.ratings.CatchUpIn(ctx, in)
		return err
	})
}

// consumeForTournaments enters the results of the games that have ended.
func (a *App) consumeForTournaments(ctx context.Context, e *store.Ended) error {
	return a.Store.Consume(ctx, e, store.OfTournaments, func(ctx context.Context) error {
		_, err := a.Director.CatchUp(ctx)
		return err
	})
}

// outbox is what consumers need of the store.
type outbox interface {
	// Waiting returns how many games have ended that a consumer has not taken.
	Waiting(ctx context.Context, consumer string) (int64, error)
}

// consumers runs all consumers of the outbox, one after the other, whenever a game has finished, and every so often for
// games that another process finished. It implements table.Follower.
type consumers struct {
	all    []consumer
	outbox outbox
	logger *slog.Logger
	stands map[string]*standstill // by consumer
	soon   time.Duration          // for how long a pass waits for more callers in a crowd; 0 for not at all
	calls  chan chan struct{}     // callers of Follow, each waiting for a pass that begins after the call
	wake   chan struct{}          // holds a token when a pass is asked for
}

const (
	// followInterval is how long a game that another process finished may wait for its consequences.
	followInterval = 2 * time.Second
	// batchDelay is how long a pass is put off for which no request waits, such as after a game lost on time: many games
	// that end at once are then handled as one batch, and hold up the moves of others less.
	batchDelay = 20 * time.Millisecond
	// gatherEnds is for how long a pass waits for more games to end where other instances share the database, and one pass
	// costs all of them. It does so after a pass for which crowdOfEnds waited: then more come at once.
	gatherEnds  = 2 * time.Millisecond
	crowdOfEnds = 3
	// longWait is how long games may wait for a consumer that takes none before the log tells of it.
	longWait = 10 * time.Second
)

// standstill is how many games wait for a consumer, and since when none was taken.
type standstill struct {
	waiting atomic.Int64
	since   time.Time // zero while none waits
	told    bool
}

func newConsumers(logger *slog.Logger, from outbox) *consumers {
	return &consumers{
		outbox: from, logger: logger, calls: make(chan chan struct{}), wake: make(chan struct{}, 1), stands: map[string]*standstill{},
	}
}

// set says which consumers there are, before anything runs.
func (c *consumers) set(all ...consumer) {
	c.all = all
	for _, one := range all {
		c.stands[one.name] = &standstill{}
	}
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
	crowd := false
	for {
		var waiting []chan struct{}
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		case <-c.wake:
			waiting = c.delay(ctx)
		case <-ticker.C:
			c.look(ctx)
		case <-ctx.Done():
			c.pass(context.WithoutCancel(ctx))
			return
		}
		if crowd && c.soon > 0 && len(waiting) > 0 {
			waiting = c.until(time.After(c.soon), waiting)
		}
		waiting = c.gather(waiting)
		crowd = len(waiting) >= crowdOfEnds
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

// until adds all who call Follow until a moment, for the same pass.
func (c *consumers) until(moment <-chan time.Time, waiting []chan struct{}) []chan struct{} {
	for {
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		case <-moment:
			return waiting
		}
	}
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
	var ended store.Ended
	for _, one := range c.all {
		var err error
		if one.repair != nil {
			err = one.repair(ctx)
		}
		err = errors.Join(err, one.consume(ctx, &ended))
		if err != nil && ctx.Err() == nil {
			c.logger.Error("what follows from finished games could not be carried out; trying again", "consumer", one.name, "error", err)
		}
	}
}

// look tells the log of games that wait for a consumer that takes none.
func (c *consumers) look(ctx context.Context) {
	for _, one := range c.all {
		n, err := c.outbox.Waiting(ctx, one.name)
		if err != nil {
			return // the passes tell of it
		}
		s := c.stands[one.name]
		switch before := s.waiting.Swap(n); {
		case n == 0 || n < before:
			if s.told {
				c.logger.Info("what follows from finished games is being carried out again", "consumer", one.name, "games", n)
			}
			s.since, s.told = time.Time{}, false
		case s.since.IsZero():
			s.since = time.Now()
		case !s.told && time.Since(s.since) > longWait:
			s.told = true
			c.logger.Warn("finished games wait for what follows from them, and none is taken", "consumer", one.name, "games", n)
		}
	}
}
