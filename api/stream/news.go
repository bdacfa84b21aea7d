package stream

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"
)

// news is one change, shared by all who read of it.
type news struct {
	subject any      // *table.Snapshot or *tournament.Tournament
	since   int64    // the version before the change, -1 if it is not known
	version int64    // the version after it
	events  []string // what to call it, in order
	final   bool     // nothing follows
	aside   bool     // nothing has happened in the subject itself

	mu     sync.Mutex
	bursts map[burstKey]*burst
}

// burstKey names what is the same for all readers of one class.
type burstKey struct {
	feed  any   // pointer to the feed
	class any   // engine.Viewer, or whether the reader is staff
	whole bool  // as state instead of as change
	since int64 // version from which changes are told, where that differs by reader
}

// burst is what one class of readers is sent for one change.
type burst struct {
	once  sync.Once
	bytes []byte
	err   error
}

// renderTime bounds the rendering of what is shared, which must not end with the reader that happened to come first.
const renderTime = 10 * time.Second

// show returns the bytes for a class of readers, rendered once, when the first of them asks.
func (n *news) show(ctx context.Context, key burstKey, render renderer) ([]byte, error) {
	n.mu.Lock()
	if n.bursts == nil {
		n.bursts = map[burstKey]*burst{}
	}
	b := n.bursts[key]
	if b == nil {
		b = &burst{}
		n.bursts[key] = b
	}
	n.mu.Unlock()
	b.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderTime)
		defer cancel()
		b.bytes, b.err = n.compose(ctx, key.whole, render)
	})
	return b.bytes, b.err
}

// renderer makes the data of an event; nil data means that this reader has nothing to see in it.
type renderer func(ctx context.Context, event string, since int64) ([]byte, error)

func (n *news) compose(ctx context.Context, whole bool, render renderer) ([]byte, error) {
	events, since := n.events, n.since
	if whole {
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
		id := int64(-1)
		if i == len(events)-1 && !n.aside {
			id = n.version
		}
		writeFrame(&out, event, id, data)
	}
	return out.Bytes(), nil
}

// wholeEvents is what a reader gets who has seen nothing yet.
func (n *news) wholeEvents() []string {
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

// writeFrame writes one event; an id below 0 is left out. A reader ends lines at CR, LF and CRLF alike, so data is cut
// at each of them and comes out with line feeds; a name with one of them is a mistake in this program and panics.
func writeFrame(out *bytes.Buffer, event string, id int64, data []byte) {
	if strings.ContainsAny(event, "\r\n") {
		panic("stream: an event's name is a word")
	}
	out.WriteString("event: ")
	out.WriteString(event)
	out.WriteByte('\n')
	if id >= 0 {
		out.WriteString("id: ")
		out.WriteString(strconv.FormatInt(id, 10))
		out.WriteByte('\n')
	}
	for more := len(data) > 0; more; {
		var line []byte
		line, data, more = cutLine(data)
		out.WriteString("data: ")
		out.Write(line)
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}

// cutLine returns the first line of a text and the rest, and reports whether another line follows.
func cutLine(text []byte) (line, rest []byte, more bool) {
	end := bytes.IndexAny(text, "\r\n")
	if end < 0 {
		return text, nil, false
	}
	next := end + 1
	if text[end] == '\r' && next < len(text) && text[next] == '\n' {
		next++
	}
	return text[:end], text[next:], true
}

func pingFrame(now time.Time) []byte {
	var out bytes.Buffer
	at := now.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	writeFrame(&out, eventPing, -1, []byte(`{"server_time":"`+at+`"}`))
	return out.Bytes()
}
