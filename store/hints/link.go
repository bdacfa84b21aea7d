package hints

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"quatuor/store/internal/postgres"
)

// ApplicationName is the name of the connection of a link in pg_stat_activity.
const ApplicationName = "quatuor-hints"

const (
	// sendInterval is the minimum time between two NOTIFY, because each wakes every instance. After a NOTIFY with
	// loadBatch hints or more, the batching delay is longer.
	sendInterval = 5 * time.Millisecond
	loadBatch    = 8
	loadInterval = 50 * time.Millisecond
	// DefaultBeat is the heartbeat interval of an idle instance, which also checks its connection.
	DefaultBeat = 4 * time.Second
	// silentBeats is the number of missed heartbeats after which an instance counts as gone.
	silentBeats = 2
	// DefaultPending is the maximum number of topics queued to be sent.
	DefaultPending = 1 << 17
	// stepTimeout bounds connecting, and sending.
	stepTimeout = 5 * time.Second
	// The backoff before connecting again grows from firstPause to lastPause.
	firstPause, lastPause = 50 * time.Millisecond, 2 * time.Second
)

// Config configures a link. DSN and Instance are required.
type Config struct {
	DSN      string           // postgres:// address; instances in the same database and schema hear each other
	Instance string           // name of this instance, unique among those, without white space
	Now      func() time.Time // nil: time.Now
	Beat     time.Duration    // 0: DefaultBeat; the same for all instances
	Pending  int              // 0: DefaultPending
	Logger   *slog.Logger     // nil: the default
}

// Receiver handles hints of the other instances. Its methods are called in turn and must return quickly.
type Receiver interface {
	// OnHint is called with hints that another instance has published since a time.
	OnHint(from string, at time.Time, hints []Hint)
	// OnGap is called when hints may have been lost and everything that is followed must be checked, also when
	// listening begins.
	OnGap()
	// OnSyncRequest is called when another instance needs this instance's knowledge beyond the database.
	OnSyncRequest()
	// OnLeave is called when another instance has ended, or is silent.
	OnLeave(instance string)
}

// Link is the connection of an instance to all others. It is safe for concurrent use.
type Link struct {
	Config
	sent, received atomic.Int64

	mu        sync.Mutex
	pending   map[string]Hint
	since     time.Time // when the first of them was published
	overflow  bool      // the queue was full
	hello     bool      // a sync request is to be sent
	answer    bool      // a beat is to be sent, for a new instance
	interrupt func()    // ends the wait for others; nil while there is none

	others map[string]time.Time // when each other instance was last heard; used by Run alone
}

// New returns a link that Run connects.
func New(c Config) *Link {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Beat = cmp.Or(c.Beat, DefaultBeat)
	c.Pending = cmp.Or(c.Pending, DefaultPending)
	c.Logger = cmp.Or(c.Logger, slog.Default())
	return &Link{Config: c, pending: map[string]Hint{}, others: map[string]time.Time{}}
}

// Publish sends a hint to all other instances soon, and returns at once. It is called after the commit. A topic that
// cannot be sent, because it has white space or is too long, becomes a hint that anything may have changed.
func (l *Link) Publish(h Hint) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := !l.waiting()
	before, known := l.pending[h.Topic]
	switch {
	case known:
		l.pending[h.Topic] = merged(before, h)
	case l.overflow:
	case !valid(h.Topic) || len(l.pending) >= l.Pending:
		l.overflow = true
		clear(l.pending)
	default:
		l.pending[h.Topic] = h
	}
	if first {
		l.since = l.Now()
		l.wake()
	}
}

// requestSync sends a sync request to the others; see Receiver.OnSyncRequest.
func (l *Link) requestSync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hello = true
	l.wake()
}

// Sent returns the number of hints sent.
func (l *Link) Sent() int64 { return l.sent.Load() }

// Received returns the number of hints received from other instances.
func (l *Link) Received() int64 { return l.received.Load() }

// waiting reports whether there is something to send. The mutex is held.
func (l *Link) waiting() bool { return len(l.pending) > 0 || l.overflow || l.hello || l.answer }

// wake interrupts the wait for messages. The mutex is held.
func (l *Link) wake() {
	if l.interrupt != nil {
		l.interrupt()
		l.interrupt = nil
	}
}

// Run connects, and again whenever the connection is lost, until ctx ends; then it sends the rest and a goodbye.
func (l *Link) Run(ctx context.Context, r Receiver) {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := l.connected(ctx, r)
		if ctx.Err() != nil {
			return
		}
		l.Logger.Warn("the connection for hints between instances is lost; connecting again", "error", err)
		if time.Since(began) > lastPause {
			pause = firstPause
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
		pause = min(2*pause, lastPause)
	}
}

// connected listens and sends on a connection until it is lost or ctx ends.
func (l *Link) connected(ctx context.Context, r Receiver) error {
	bounded, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	conn, err := postgres.Connect(bounded, l.DSN, ApplicationName)
	if err != nil {
		return err
	}
	c := &channel{link: l, conn: conn, receiver: r}
	defer c.close()
	if err := c.listen(bounded); err != nil {
		return err
	}
	l.requestSync()
	r.OnSyncRequest() // the others may consider this instance gone
	r.OnGap()
	for {
		err := c.step(ctx)
		if ctx.Err() != nil {
			return c.goodbye(context.WithoutCancel(ctx))
		}
		if err != nil {
			return err
		}
		l.forgetSilent(r)
	}
}

// forgetSilent reports instances that have been silent for too long.
func (l *Link) forgetSilent(r Receiver) {
	now := time.Now()
	for other, last := range l.others {
		if now.Sub(last) <= silentBeats*l.Beat {
			continue
		}
		l.Logger.Warn("another instance is silent", "instance", other)
		delete(l.others, other)
		r.OnLeave(other)
		r.OnGap() // its last changes may not have been published
	}
}

// channel is a connection that listens.
type channel struct {
	link      *Link
	conn      *pgx.Conn
	receiver  Receiver
	name      string
	last      time.Time // when something was sent last
	sentHints int       // number of hints that were sent then
}

// interval returns the minimum time after the last NOTIFY.
func (c *channel) interval() time.Duration {
	if c.sentHints >= loadBatch {
		return loadInterval
	}
	return sendInterval
}

// listen begins to listen. The channel is named after the schema's number: other schemas of the database may have other
// installations.
func (c *channel) listen(ctx context.Context) error {
	if err := c.conn.QueryRow(ctx, "SELECT 'quatuor_' || oid FROM pg_namespace WHERE nspname = current_schema()").
		Scan(&c.name); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	_, err := c.conn.Exec(ctx, "LISTEN "+pgx.Identifier{c.name}.Sanitize())
	return err
}

func (c *channel) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.conn.Close(ctx)
}

// step sends the messages that are due, or waits for a message of the others until some are.
func (c *channel) step(ctx context.Context) error {
	l := c.link
	now := time.Now()
	l.mu.Lock()
	until := c.last.Add(l.Beat)
	if l.hello || l.answer || l.waiting() && len(l.others) > 0 { // alone, it sends beats only
		until = c.last.Add(c.interval())
	}
	if !now.Before(until) {
		l.mu.Unlock()
		return c.send(ctx)
	}
	wait, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	if !l.waiting() {
		l.interrupt = cancel
	}
	l.mu.Unlock()
	n, err := c.conn.WaitForNotification(wait)
	switch {
	case err == nil:
		c.receive(n.Payload)
		return nil
	case wait.Err() != nil && !c.conn.IsClosed():
		return nil
	}
	return err
}

// send sends the queue, or a beat. Messages that could not be sent stay queued.
func (c *channel) send(ctx context.Context) error {
	messages, restore := c.link.take()
	if err := c.notify(ctx, messages); err != nil {
		restore()
		return err
	}
	return nil
}

// take removes and returns the queue; a beat if it is empty. Without a known listener, hints stay queued for a beat,
// until it is certain that nothing listens. restore puts everything back.
func (l *Link) take() (messages []message, restore func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := message{kind: kindHints, from: l.Instance, at: l.since.UnixMilli()}
	pending, since, overflow, hello, alone := l.pending, l.since, l.overflow, l.hello, len(l.others) == 0
	l.hello, l.answer = false, false
	if !alone || !hello {
		l.pending, l.overflow = map[string]Hint{}, false
	}
	if alone {
		pending, overflow = nil, false
	}
	if len(pending) == 0 {
		m.at = l.Now().UnixMilli()
	}
	for _, h := range pending {
		m.hints = append(m.hints, h)
	}
	switch {
	case overflow:
		messages = append(messages, message{kind: kindAll, from: m.from, at: m.at})
	case hello:
		messages = append(messages, message{kind: kindHello, from: m.from, at: m.at})
	}
	if len(m.hints) > 0 || len(messages) == 0 {
		messages = append(messages, m)
	}
	return messages, func() { l.restore(pending, since, overflow, hello) }
}

// restore puts back messages that could not be sent.
func (l *Link) restore(pending map[string]Hint, since time.Time, overflow, hello bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for topic, h := range pending {
		l.pending[topic] = merged(h, l.pending[topic])
	}
	if len(pending) > 0 {
		l.since = since
	}
	l.overflow, l.hello = l.overflow || overflow, l.hello || hello
}

// notify sends messages in a transaction of their own, without waiting for the disk: the changes themselves are
// durable, and a crash of the server that loses a hint also closes the connections of all listeners.
func (c *channel) notify(ctx context.Context, messages []message) error {
	var payloads []string
	for _, m := range messages {
		payloads = append(payloads, m.encode()...)
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	_, err := c.conn.Exec(bounded,
		`SELECT set_config('synchronous_commit', 'off', true), count(pg_notify($1, p)) FROM unnest($2::text[]) p`,
		c.name, payloads)
	c.last = time.Now()
	if err != nil {
		return err
	}
	c.sentHints = 0
	for _, m := range messages {
		c.sentHints += len(m.hints)
	}
	c.link.sent.Add(int64(c.sentHints))
	return nil
}

// goodbye sends the rest of the queue.
func (c *channel) goodbye(ctx context.Context) error {
	messages, _ := c.link.take()
	return c.notify(ctx, append(messages, message{kind: kindBye, from: c.link.Instance, at: c.link.Now().UnixMilli()}))
}

// receive passes a message to the receiver.
func (c *channel) receive(payload string) {
	l := c.link
	if sender(payload) == l.Instance {
		return
	}
	m, ok := decode(payload)
	if !ok {
		l.Logger.Debug("a hint of another form is ignored", "payload",
			strings.ToValidUTF8(payload[:min(len(payload), 100)], "?"))
		return
	}
	_, known := l.others[m.from]
	l.others[m.from] = time.Now()
	switch m.kind {
	case kindBye:
		delete(l.others, m.from)
		c.receiver.OnLeave(m.from)
		return
	case kindHello:
		l.mu.Lock()
		l.answer = true
		l.mu.Unlock()
		c.receiver.OnSyncRequest()
	case kindAll:
		c.receiver.OnGap()
		l.requestSync()
	case kindHints:
		if !known { // it was silent, or began before this instance listened
			l.requestSync()
		}
	}
	if len(m.hints) > 0 {
		l.received.Add(int64(len(m.hints)))
		c.receiver.OnHint(m.from, time.UnixMilli(m.at), m.hints)
	}
}
