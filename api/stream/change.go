package stream

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"
)

// change is a change of a subject, shared by all its readers.
type change struct {
	subject   any      // *table.Snapshot or *tournament.Tournament
	since     int64    // the version before the change, -1 if it is not known
	version   int64    // the version after it
	events    []string // the names of the events, in order
	final     bool     // nothing follows
	ephemeral bool     // no change of the subject itself, like presence

	mu       sync.Mutex
	rendered map[frameKey]*frames
}

// frameKey identifies a class of readers that share the rendered frames of a change.
type frameKey struct {
	feed  any   // pointer to the feed
	class any   // engine.Viewer, whether the reader is staff, or an AccountEvent without its game and tournament
	whole bool  // as state instead of as change
	since int64 // first version to send changes from, where that differs by reader
	form  Format
}

// frames are the events of a change as a class of readers is sent them.
type frames struct {
	once  sync.Once
	bytes []byte
	err   error
}

// renderTime bounds a shared rendering, which must not end with the reader that happened to come first.
const renderTime = 10 * time.Second

// show returns the bytes for a class of readers, rendered once, for the first of them.
func (n *change) show(ctx context.Context, key frameKey, render renderer) ([]byte, error) {
	return n.share(ctx, key, func(ctx context.Context) ([]byte, error) { return n.compose(ctx, key, render) })
}

// share returns the rendering of the first reader of a class.
func (n *change) share(ctx context.Context, key frameKey, make func(context.Context) ([]byte, error)) ([]byte, error) {
	n.mu.Lock()
	if n.rendered == nil {
		n.rendered = map[frameKey]*frames{}
	}
	b := n.rendered[key]
	if b == nil {
		b = &frames{}
		n.rendered[key] = b
	}
	n.mu.Unlock()
	b.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderTime)
		defer cancel()
		b.bytes, b.err = make(ctx)
	})
	return b.bytes, b.err
}

// renderer makes the data of an event; nil data means that this reader has nothing to see in it.
type renderer func(ctx context.Context, event string, since int64) ([]byte, error)

func (n *change) compose(ctx context.Context, key frameKey, render renderer) ([]byte, error) {
	events, since := n.events, n.since
	if key.whole {
		events, since = n.wholeEvents(), 0
	}
	var out bytes.Buffer
	for i, event := range events {
		data, err := render(ctx, event, since)
		if err != nil {
			return nil, err
		}
		if data == nil {
			continue
		}
		id := ""
		if i == len(events)-1 && !n.ephemeral {
			id = strconv.FormatInt(n.version, 10)
		}
		name, _, _ := strings.Cut(event, ":") // of a match its kind follows the colon
		key.form.write(&out, name, id, data)
	}
	return out.Bytes(), nil
}

// wholeEvents are the events for a reader that has seen nothing yet.
func (n *change) wholeEvents() []string {
	if n.final {
		return []string{eventState, eventOver}
	}
	return []string{eventState}
}

// Names of events.
const (
	eventState = "state"
	eventMove  = "move"
	eventClock = "clock"
	eventOffer = "offer"
	eventOver  = "over"

	eventPresence = "presence"
	eventPing     = "ping"
)
