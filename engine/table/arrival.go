package table

import (
	"context"
	"sync"
)

// Arrival is a request that has come in for a game. Its stamp is the time that counts, however long the request
// queues afterwards; arrivals of one game act in the order of their stamps.
type Arrival struct {
	At   int64 // ms UTC
	game string
	all  *arrivals
	head chan struct{} // closed when no earlier arrival is left; nil if there was none from the start

	before, after *Arrival // its neighbours in the game's queue
	done          bool
}

// arrivals keeps the queue of each game that somebody has come for, by its last arrival.
type arrivals struct {
	mu   sync.Mutex
	now  func() int64
	last map[string]*Arrival
}

// Arrive stamps a request for a game. Call it when the whole request has been read, so that nobody gains time by
// sending slowly, and call Done when the request is answered.
func (t *Tables) Arrive(game string) *Arrival { return t.arrivals.join(game) }

func (q *arrivals) join(game string) *Arrival {
	a := &Arrival{game: game, all: q}
	q.mu.Lock()
	defer q.mu.Unlock()
	a.At = q.now()
	if before := q.last[game]; before != nil {
		a.head = make(chan struct{})
		a.before, before.after = before, a
	}
	q.last[game] = a
	return a
}

// Done takes the arrival out of its game's queue; the next one may act. More than one call does no harm.
func (a *Arrival) Done() {
	q := a.all
	q.mu.Lock()
	defer q.mu.Unlock()
	if a.done {
		return
	}
	a.done = true
	switch {
	case a.after != nil:
		a.after.before = a.before
	case a.before != nil:
		q.last[a.game] = a.before
	default:
		delete(q.last, a.game)
	}
	switch {
	case a.before != nil:
		a.before.after = a.after
	case a.after != nil:
		close(a.after.head)
	}
	a.before, a.after = nil, nil // whoever keeps this one keeps no other
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
