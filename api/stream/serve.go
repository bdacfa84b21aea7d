package stream

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const (
	// pingEvery keeps proxies from closing a quiet stream and lets both ends notice a dead connection.
	pingEvery = 15 * time.Second
	// writeTimeout bounds a reader's pause: it counts as gone after a time between half of it and all.
	writeTimeout = 20 * time.Second
	// retry sets the browser's reconnection delay.
	retry = "retry: 2000\n\n"
)

// subscription holds a feed's knowledge of a stream.
type subscription struct {
	topic string
	last  string // Last-Event-ID as the reader sent it
	form  Format
	// load returns the subject in its current version; its error is answered instead of a stream.
	load func(context.Context) (*change, error)
	// show returns the data for this reader of a change; sent is the version that it has got, 0 for none.
	show func(ctx context.Context, n *change, whole bool, sent int64) ([]byte, error)
	// begin is called when the reader has been admitted, and its result when the stream has ended; nil for nothing.
	begin func() (end func())
	// may reports whether the reader may see a change, or, called with nil, go on; the stream ends before the first
	// change that it may not see. Nil: always.
	may func(context.Context, *change) bool
	// resumes is set where a version determines all that a reader has got.
	resumes bool
	// after returns the part of a change since the version that a reader has got, nil where that is unknown. Nil: never.
	after func(n *change, sent int64) *change
	// steady is set where a version has a single state, which is not sent twice to a reader: a stream may begin between a
	// change and its publication.
	steady bool
}

// serve runs a stream until the reader leaves, loses its right to it, is too slow, the subject is over, or the hub
// closes. Errors returned before anything was written can still be answered; later errors only end the stream.
func (h *Hub) serve(ctx context.Context, w http.ResponseWriter, sub subscription) error {
	ctx, done, err := h.admit(ctx)
	if err != nil {
		return err
	}
	defer done()
	if sub.begin != nil {
		defer sub.begin()()
	}
	r := h.join(&reader{}, sub.topic)
	defer h.leave(r, sub.topic)
	now, err := sub.load(ctx)
	if err != nil {
		return err
	}
	r.has(now.version)
	out := newWriter(w, sub.form)
	missed := !sub.resumes || sub.last != strconv.FormatInt(now.version, 10)
	if now.final && !missed {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err := out.begin(); err != nil {
		return nil
	}
	s := &session{hub: h, reader: r, sub: sub, out: out, sent: now.version}
	if missed {
		s.sent, _ = strconv.ParseInt(sub.last, 10, 64) // 0 where that is no version
	}
	if missed && !s.send(ctx, now, true) {
		return nil
	}
	s.follow(ctx, nil, s.take)
	return nil
}

// session is a stream that has begun.
type session struct {
	hub    *Hub
	reader *reader
	sub    subscription
	out    *writer
	sent   int64 // version the reader has got
	state  int64 // version of the last state that the reader was sent
}

// follow passes every change to take, and nil whenever due fires, until take returns false. Nothing is sent once
// ctx has ended, whatever else came at the same moment.
func (s *session) follow(ctx context.Context, due <-chan time.Time, take func(context.Context, *change) bool) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.hub.closed:
			return
		case <-s.reader.gone:
			return
		case <-ping.C:
			if ctx.Err() != nil || !s.may(ctx, nil) || s.out.send(s.out.form.ping(s.hub.Now())) != nil {
				return
			}
		case <-due:
			if ctx.Err() != nil || !take(ctx, nil) {
				return
			}
		case n := <-s.reader.queue:
			if ctx.Err() != nil || !take(ctx, n) {
				return
			}
		}
	}
}

// take sends a change, or the whole where the reader has missed something. It reports whether to go on.
func (s *session) take(ctx context.Context, n *change) bool {
	if n.ephemeral {
		// A reader with another version gets this with the next change, or got it with the last.
		return n.version != s.sent || s.send(ctx, n, false)
	}
	if s.sub.resumes {
		if n.version <= s.sent {
			return true
		}
		if n.since != s.sent && s.sub.after != nil {
			n = cmp.Or(s.sub.after(n, s.sent), n)
		}
		return s.send(ctx, n, n.since != s.sent)
	}
	if s.sub.steady && n.version == s.state && slices.Equal(n.events, n.wholeEvents()) {
		return s.may(ctx, n)
	}
	if n.version >= s.sent {
		return s.send(ctx, n, false)
	}
	now, err := s.sub.load(ctx) // changes came out of order: only the present is sure
	return err == nil && s.send(ctx, now, true)
}

func (s *session) may(ctx context.Context, n *change) bool {
	return s.sub.may == nil || s.sub.may(ctx, n)
}

func (s *session) send(ctx context.Context, n *change, whole bool) bool {
	if !s.may(ctx, n) {
		return false
	}
	frames, err := s.sub.show(ctx, n, whole, s.sent)
	if err != nil || ctx.Err() != nil { // showing may have taken its time
		return false
	}
	if len(frames) > 0 && s.out.send(frames) != nil {
		return false
	}
	s.sent = n.version
	if whole || slices.Equal(n.events, n.wholeEvents()) {
		s.state = n.version
	}
	return !n.final
}

// writer writes to the reader and notices when it does not read.
type writer struct {
	w       http.ResponseWriter
	control *http.ResponseController
	form    Format
	until   time.Time // deadline of the next write
}

func newWriter(w http.ResponseWriter, form Format) *writer {
	return &writer{w: w, control: http.NewResponseController(w), form: form}
}

// begin sends the header before the first event.
func (o *writer) begin() error {
	header := o.w.Header()
	header.Set("Content-Type", o.form.mediaType())
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	// The server's read deadline would end the request's context while the reader only listens.
	_ = o.control.SetReadDeadline(time.Time{})
	o.w.WriteHeader(http.StatusOK)
	return o.send(o.form.opening())
}

func (o *writer) send(frames []byte) error {
	// The server's own write deadline is meant for whole answers; events get fresh deadlines, each for many events,
	// because setting it costs a tenth of sending an event. A writer without deadlines (in a test) has none to lift.
	if now := time.Now(); o.until.Sub(now) < writeTimeout/2 {
		o.until = now.Add(writeTimeout)
		_ = o.control.SetWriteDeadline(o.until)
	}
	if _, err := o.w.Write(frames); err != nil {
		return err
	}
	return o.control.Flush()
}
