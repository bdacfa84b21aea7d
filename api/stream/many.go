package stream

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Part is a stream that ServeMany joins with others: it writes events as it would on its own, until its subject is over
// or ctx ends.
type Part func(ctx context.Context, w http.ResponseWriter) error

// ServeMany answers with a single stream in place of many, for browsers that open few connections. Each event of a part
// comes as an event "news" with a first line of data "NUMBER EVENT ID", the ID left out where there is none; "end" with
// "NUMBER STATUS" means that a part has ended or could not begin. Pings are the whole stream's own. The stream ends
// with its last part.
func (h *Hub) ServeMany(ctx context.Context, w http.ResponseWriter, parts []Part) {
	ctx, stop := context.WithCancel(ctx)
	m := &many{out: newWriter(w, EventStream), stop: stop}
	if m.out.begin() != nil {
		stop()
		return
	}
	var running sync.WaitGroup
	for i, part := range parts {
		running.Go(func() { m.run(ctx, i, part) })
	}
	ended := make(chan struct{})
	go func() {
		running.Wait()
		close(ended)
	}()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-ping.C:
			m.send(EventStream.ping(h.Now()))
		case <-ended:
			stop()
			return
		}
	}
}

// many is a stream that carries others.
type many struct {
	stop func() // ends all parts
	mu   sync.Mutex
	out  *writer
}

func (m *many) send(frames []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(frames) > 0 && m.out.send(frames) != nil {
		m.stop()
	}
}

func (m *many) run(ctx context.Context, number int, part Part) {
	w := &partWriter{many: m, number: number, header: http.Header{}}
	defer func() {
		if r := recover(); r != nil { // as net/http does: a panic in a part must not end the program
			w.status = http.StatusInternalServerError
		}
		if ctx.Err() == nil {
			var out bytes.Buffer
			writeFrame(&out, "end", "", fmt.Appendf(nil, "%d %d", number, w.status))
			m.send(out.Bytes())
		}
	}()
	if err := part(ctx, w); err != nil && w.status == 0 {
		w.status = http.StatusServiceUnavailable
	}
}

// partWriter takes the output of a part.
type partWriter struct {
	many   *many
	number int
	header http.Header
	status int
}

// Header returns a header of the part's own, which is not sent.
func (w *partWriter) Header() http.Header { return w.header }

// WriteHeader notes the part's status.
func (w *partWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write passes whole events on. Other output, like an error page, is dropped.
func (w *partWriter) Write(frames []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.header.Get("Content-Type") == eventStreamType {
		w.many.send(renumber(frames, w.number))
	}
	return len(frames), nil
}

// FlushError does nothing: every event is flushed as it comes.
func (w *partWriter) FlushError() error { return nil }

// SetReadDeadline does nothing: the connection is the whole stream's.
func (w *partWriter) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing: the connection is the whole stream's.
func (w *partWriter) SetWriteDeadline(time.Time) error { return nil }

// renumber rewrites a part's events as events of the whole stream.
func renumber(frames []byte, number int) []byte {
	var out bytes.Buffer
	for frame := range bytes.SplitSeq(frames, []byte("\n\n")) {
		event, id, data := "", "", [][]byte(nil)
		for line := range bytes.SplitSeq(frame, []byte("\n")) {
			field, value, _ := bytes.Cut(line, []byte(": "))
			switch string(field) {
			case "event":
				event = string(value)
			case "id":
				id = string(value)
			case "data":
				data = append(data, value)
			}
		}
		if event == "" || event == eventPing {
			continue
		}
		head := strconv.Itoa(number) + " " + event
		if id != "" {
			head += " " + id
		}
		writeFrame(&out, "news", "", bytes.Join(append([][]byte{[]byte(head)}, data...), []byte("\n")))
	}
	return out.Bytes()
}
