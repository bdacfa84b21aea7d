package stream

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Hub is a publish-subscribe broker of changes: topics are games and tournaments, subscribers are open streams. The
// zero value is not usable; make one with [NewHub].
type Hub struct {
	// Now returns the time that pings carry, of the clock that the games run by. To be set before the first reader.
	Now func() time.Time
	// Admit is called before a stream begins, and returns a context that ends when the reader's right to the stream
	// does; done is called when the stream has ended. Its error is answered instead of a stream, as a *[Refused].
	// Nil admits all. To be set before the first reader.
	Admit func(ctx context.Context) (held context.Context, done func(), err error)

	mu     sync.RWMutex
	topics map[string]map[*reader]struct{}
	closed chan struct{}
	close  sync.Once

	delayedMu sync.Mutex
	delayed   map[string]*change // by topic with readers, the delayed view shown last

	watching atomic.Int64 // streams of topics that are neither a game nor a tournament

	presence *presence
	games    atomic.Pointer[Games] // of the first feed of games
}

// NewHub returns a hub without readers.
func NewHub() *Hub {
	h := &Hub{
		Now: time.Now, topics: map[string]map[*reader]struct{}{}, closed: make(chan struct{}), delayed: map[string]*change{},
	}
	h.presence = newPresence(h.publishPresence)
	return h
}

// Close ends all streams and lets no new stream begin; readers come back by themselves. It may be called twice.
func (h *Hub) Close() { h.close.Do(func() { close(h.closed) }) }

// Drop ends the streams that are open now and returns how many these were; readers come back by themselves.
func (h *Hub) Drop() (dropped int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, readers := range h.topics {
		for r := range readers {
			r.drop.Do(func() {
				close(r.gone)
				dropped++
			})
		}
	}
	return dropped
}

// Readers returns the number of open streams.
func (h *Hub) Readers() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := 0
	for _, readers := range h.topics {
		n += len(readers)
	}
	return n
}

// Refused is the answer of [Hub.Admit] instead of a stream.
type Refused struct{ Reason error }

// Error returns the reason's message.
func (r *Refused) Error() string { return r.Reason.Error() }

// Unwrap returns the reason.
func (r *Refused) Unwrap() error { return r.Reason }

// admit checks whether a stream may begin.
func (h *Hub) admit(ctx context.Context) (context.Context, func(), error) {
	if h.Admit == nil {
		return ctx, func() {}, nil
	}
	held, done, err := h.Admit(ctx)
	if err != nil {
		return ctx, nil, &Refused{err}
	}
	return held, done, nil
}

// queueLength is the number of changes that a reader may be behind before it is dropped.
const queueLength = 16

// inbox is the bounded queue of an open stream.
type inbox struct {
	queue chan *change
	gone  chan struct{} // closed when the reader was too slow, or is to come back
	drop  sync.Once
}

func newInbox(length int) *inbox {
	return &inbox{queue: make(chan *change, length), gone: make(chan struct{})}
}

// end has the stream end, and its reader come back.
func (b *inbox) end() { b.drop.Do(func() { close(b.gone) }) }

// reader is the subscription of an open stream: to a single subject, or to several topics at once. The readers of a
// stream with many subjects share its inbox.
type reader struct {
	*inbox

	coalesces bool // a change only announces news, so that a single queued change serves for all
	lists     bool // reads its topic from the store when it is signalled, as those that coalesce do

	mu  sync.Mutex
	got int64 // the version that it has or that is in its queue; unknown before the subject was loaded
}

// unknown is the version of a reader that has nothing yet.
const unknown = -1

// has notes that the reader has a version.
func (r *reader) has(version int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = max(r.got, version)
}

// put queues a change, or drops a reader that is too slow.
func (r *reader) put(n *change) {
	select {
	case r.queue <- n:
	default:
		if r.coalesces {
			return
		}
		r.end()
	}
}

func (h *Hub) join(r *reader, topics ...string) *reader {
	r.got = unknown
	if r.inbox == nil {
		r.inbox = newInbox(queueLength)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		if h.topics[topic] == nil {
			h.topics[topic] = map[*reader]struct{}{}
		}
		h.topics[topic][r] = struct{}{}
	}
	return r
}

func (h *Hub) leave(r *reader, topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		delete(h.topics[topic], r)
		if len(h.topics[topic]) > 0 {
			continue
		}
		delete(h.topics, topic)
		h.delayedMu.Lock()
		delete(h.delayed, topic)
		h.delayedMu.Unlock()
	}
}

// publish puts a change into the queues of a topic's readers. It does no other work for them and never blocks.
func (h *Hub) publish(topic string, n *change) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for r := range h.topics[topic] {
		if !n.ephemeral {
			r.has(n.version)
		}
		r.put(n)
	}
}
