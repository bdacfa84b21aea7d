package stream

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Format is the encoding of a stream's events.
type Format uint8

// The formats of streams.
const (
	EventStream Format = iota // server-sent events
	JSONLines                 // a JSON object a line: {"event":…,"id":…,"data":…}
)

const (
	eventStreamType = "text/event-stream"
	jsonLinesType   = "application/x-ndjson"
)

// FormatOf returns the format that a request accepts: JSON lines where its Accept names them, else server-sent events.
func FormatOf(r *http.Request) Format {
	for kind := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if name, _, err := mime.ParseMediaType(kind); err == nil && name == jsonLinesType {
			return JSONLines
		}
	}
	return EventStream
}

// mediaType returns the Content-Type of a stream.
func (f Format) mediaType() string {
	if f == JSONLines {
		return jsonLinesType
	}
	return eventStreamType
}

// opening returns the beginning of a stream: for browsers, the delay before they reconnect.
func (f Format) opening() []byte {
	if f == JSONLines {
		return nil
	}
	return []byte(retry)
}

// write writes an event; an empty id is left out. The name is a word of this program, and panics if it is not; in JSON
// lines the data is JSON, and the id needs no quoting.
func (f Format) write(out *bytes.Buffer, event, id string, data []byte) {
	if strings.ContainsAny(event+id, "\r\n\"") {
		panic("stream: an event's name is a word")
	}
	if f == EventStream {
		writeFrame(out, event, id, data)
		return
	}
	out.WriteString(`{"event":"`)
	out.WriteString(event)
	if id != "" {
		out.WriteString(`","id":"`)
		out.WriteString(id)
	}
	out.WriteString(`","data":`)
	out.Write(data)
	out.WriteString("}\n")
}

// writeFrame writes a server-sent event. A reader ends lines at CR, LF and CRLF alike, so data is cut at each of them
// and comes out with line feeds.
func writeFrame(out *bytes.Buffer, event, id string, data []byte) {
	out.WriteString("event: ")
	out.WriteString(event)
	out.WriteByte('\n')
	if id != "" {
		out.WriteString("id: ")
		out.WriteString(id)
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

// ping returns an event that only keeps the connection alive.
func (f Format) ping(now time.Time) []byte {
	var out bytes.Buffer
	at := now.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	f.write(&out, eventPing, "", []byte(`{"server_time":"`+at+`"}`))
	return out.Bytes()
}

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
