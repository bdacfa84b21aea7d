package table

import "context"

// Arrival is a request that has come in for a game. Its stamp is the time that counts, however long the request
// queues afterwards; arrivals of one game act in the order of their stamps. The game is held in memory meanwhile.
type Arrival struct {
	At    int64 // ms UTC
	game  *live
	cache *cache
	head  chan struct{} // closed when no earlier arrival is left; nil if there was none from the start

	before, after *Arrival // its neighbours in the game's queue
	done          bool
}

// Arrive stamps a request for a game. Call it when the whole request has been read, so that no player gains time by
// sending slowly, and call Done when the request is answered.
func (t *Tables) Arrive(game string) *Arrival {
	a := &Arrival{cache: t.cache}
	t.cache.mu.Lock()
	defer t.cache.mu.Unlock()
	a.At = t.now()
	a.game = t.cache.pin(game)
	if before := a.game.last; before != nil {
		a.head = make(chan struct{})
		a.before, before.after = before, a
	}
	a.game.last = a
	return a
}

// Known returns the cached snapshot of the game, nil if there is none. It may be stale, so use it only for what never
// changes, such as the players of a game that has begun.
func (a *Arrival) Known() *Snapshot { return a.game.snap.Load() }

// Done takes the arrival out of its game's queue; the next one may act. More than one call does no harm.
func (a *Arrival) Done() {
	a.cache.mu.Lock()
	defer a.cache.mu.Unlock()
	if a.done {
		return
	}
	a.done = true
	if a.after != nil {
		a.after.before = a.before
	} else {
		a.game.last = a.before
	}
	switch {
	case a.before != nil:
		a.before.after = a.after
	case a.after != nil:
		close(a.after.head)
	}
	a.before, a.after = nil, nil // so that a reference to this one keeps no other alive
	a.cache.unpin(a.game)
}

// wait returns when every earlier arrival of the game is done.
func (a *Arrival) wait(ctx context.Context) error {
	if a.head == nil {
		return nil
	}
	select {
	case <-a.head:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
