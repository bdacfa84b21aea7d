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
	done bool
}

// arrivals keeps the queue of each game that somebody has come for.
type arrivals struct {
	mu     sync.Mutex
	now    func() int64
	queues map[string][]*Arrival
}

// Arrive stamps a request for a game. Call it when the whole request has been read, so that nobody gains time by
// sending slowly, and call Done when the request is answered.
func (t *Tables) Arrive(game string) *Arrival { return t.arrivals.join(game) }

func (q *arrivals) join(game string) *Arrival {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := &Arrival{At: q.now(), game: game, all: q}
	queue := q.queues[game]
	if len(queue) > 0 {
		a.head = make(chan struct{})
	}
	q.queues[game] = append(queue, a)
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
	queue := q.queues[a.game]
	wasHead := queue[0] == a
	for i, other := range queue {
		if other == a {
			queue = append(queue[:i:i], queue[i+1:]...)
			break
		}
	}
	if len(queue) == 0 {
		delete(q.queues, a.game)
		return
	}
	q.queues[a.game] = queue
	if wasHead {
		close(queue[0].head)
	}
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
