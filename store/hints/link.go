package hints

import (
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

// ApplicationName is what the connection of a link is called in pg_stat_activity.
const ApplicationName = "quatuor-hints"

const (
	// sendInterval is the least time between two NOTIFY. One wakes every instance, whatever it says: after one with so
	// many hints there is a crowd, and the next waits for more of them.
	sendInterval  = 5 * time.Millisecond
	crowd         = 8
	crowdInterval = 50 * time.Millisecond
	// DefaultBeat is how often an instance that has nothing to say says so, and by that looks whether its connection
	// lives.
	DefaultBeat = 4 * time.Second
	// silentBeats is after how many beats without a word an instance counts as gone.
	silentBeats = 2
	// DefaultPending is how many topics may wait to be sent.
	DefaultPending = 1 << 17
	// stepTimeout bounds connecting, and sending.
	stepTimeout = 5 * time.Second
	// The pause before connecting again grows from the one to the other.
	firstPause, lastPause = 50 * time.Millisecond, 2 * time.Second
)

// Config configures a link. DSN and Instance are required.
type Config struct {
	DSN      string           // postgres:// address; instances hear each other that work in the same database and schema
	Instance string           // name of this instance, unique among those, without white space
	Now      func() time.Time // nil: time.Now
	Beat     time.Duration    // 0: DefaultBeat; the same for all instances
	Pending  int              // 0: DefaultPending
	Logger   *slog.Logger     // nil: the default
}

// Receiver is told what the other instances say. Its methods are called one after the other and must return quickly.
type Receiver interface {
	// Heard is called with hints that another instance said from a time on.
	Heard(from string, at time.Time, hints []Hint)
	// Missed is called when hints may have been lost: everything that is followed has to be looked at. It is called when
	// listening has begun, too.
	Missed()
	// Asked is called when another instance wants to know what this one knows and the database does not.
	Asked()
	// Gone is called when another instance has ended, or is silent.
	Gone(instance string)
}

// Link is the connection of one instance to all others. It is safe for concurrent use.
type Link struct {
	Config
	sent, received atomic.Int64

	mu        sync.Mutex
	pending   map[string]Hint
	since     time.Time // when the first of them was said
	overflow  bool      // more was said than may wait
	hello     bool      // the others are to be asked
	answer    bool      // another one is to know that this one is there
	interrupt func()    // ends the wait for others; nil while there is none

	others map[string]time.Time // when each other instance was heard last; of Run alone
}

// New returns a link that Run connects.
func New(c Config) *Link {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Beat <= 0 {
		c.Beat = DefaultBeat
	}
	if c.Pending <= 0 {
		c.Pending = DefaultPending
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Link{Config: c, pending: map[string]Hint{}, others: map[string]time.Time{}}
}

// Say sends a hint to all other instances, soon. To be called after the commit; it returns at once. A topic that cannot
// be sent, because it has white space or is too long, is said to be anything.
func (l *Link) Say(h Hint) {
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

// ask has the others call Receiver.Asked.
func (l *Link) ask() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hello = true
	l.wake()
}

// Sent returns the number of hints sent, and Received of those heard.
func (l *Link) Sent() int64 { return l.sent.Load() }

// Received returns the number of hints heard from other instances.
func (l *Link) Received() int64 { return l.received.Load() }

// waiting reports whether there is something to send. The mutex is held.
func (l *Link) waiting() bool { return len(l.pending) > 0 || l.overflow || l.hello || l.answer }

// wake ends the wait for others. The mutex is held.
func (l *Link) wake() {
	if l.interrupt != nil {
		l.interrupt()
		l.interrupt = nil
	}
}

// Run connects, and again whenever the connection is lost, until ctx ends; then it sends what is left and says goodbye.
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

// connected listens and sends on one connection until that is lost or ctx ends.
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
	l.ask()
	r.Asked() // the others may have taken this one for gone
	r.Missed()
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

// forgetSilent tells of instances that have said nothing for long.
func (l *Link) forgetSilent(r Receiver) {
	now := time.Now()
	for other, last := range l.others {
		if now.Sub(last) <= silentBeats*l.Beat {
			continue
		}
		l.Logger.Warn("another instance is silent", "instance", other)
		delete(l.others, other)
		r.Gone(other)
		r.Missed() // what it has stored last it may not have said
	}
}

// channel is one connection that listens.
type channel struct {
	link     *Link
	conn     *pgx.Conn
	receiver Receiver
	name     string
	last     time.Time // when something was sent last
	said     int       // hints that were sent then
}

// interval returns how long after what was sent last something may be sent again.
func (c *channel) interval() time.Duration {
	if c.said >= crowd {
		return crowdInterval
	}
	return sendInterval
}

// listen begins to listen. The name of the channel is the schema's number: other installations may be in other schemas
// of the same database.
func (c *channel) listen(ctx context.Context) error {
	if err := c.conn.QueryRow(ctx, "SELECT 'quatuor_' || oid FROM pg_namespace WHERE nspname = current_schema()").Scan(&c.name); err != nil {
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

// step sends what is due, or waits for one message of the others until something is.
func (c *channel) step(ctx context.Context) error {
	l := c.link
	now := time.Now()
	l.mu.Lock()
	until := c.last.Add(l.Beat)
	if l.hello || l.answer || l.waiting() && len(l.others) > 0 { // alone, it has nothing to send but beats
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
		c.hear(n.Payload)
		return nil
	case wait.Err() != nil && !c.conn.IsClosed():
		return nil
	}
	return err
}

// send sends what waits, or a beat. What could not be sent waits on.
func (c *channel) send(ctx context.Context) error {
	messages, restore := c.link.take()
	if err := c.notify(ctx, messages); err != nil {
		restore()
		return err
	}
	return nil
}

// take removes and returns what waits to be sent; a beat if nothing does. What no other instance would hear waits until
// it is known that there is none: for one beat. restore puts everything back.
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

// restore puts back what could not be sent.
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

// notify sends messages in one transaction of their own. It does not wait until that is on a disk: what the hints are
// about is, and a hint that a crash of the server takes away is lost with the connections of all who would hear it.
func (c *channel) notify(ctx context.Context, messages []message) error {
	var payloads []string
	for _, m := range messages {
		payloads = append(payloads, m.encode()...)
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	_, err := c.conn.Exec(bounded, `SELECT set_config('synchronous_commit', 'off', true), count(pg_notify($1, p)) FROM unnest($2::text[]) p`,
		c.name, payloads)
	c.last = time.Now()
	if err != nil {
		return err
	}
	c.said = 0
	for _, m := range messages {
		c.said += len(m.hints)
	}
	c.link.sent.Add(int64(c.said))
	return nil
}

// goodbye sends what is left.
func (c *channel) goodbye(ctx context.Context) error {
	messages, _ := c.link.take()
	return c.notify(ctx, append(messages, message{kind: kindBye, from: c.link.Instance, at: c.link.Now().UnixMilli()}))
}

// hear tells the receiver what a message says.
func (c *channel) hear(payload string) {
	l := c.link
	if sender(payload) == l.Instance {
		return
	}
	m, ok := decode(payload)
	if !ok {
		l.Logger.Debug("a hint of another form is ignored", "payload", strings.ToValidUTF8(payload[:min(len(payload), 100)], "?"))
		return
	}
	_, known := l.others[m.from]
	l.others[m.from] = time.Now()
	switch m.kind {
	case kindBye:
		delete(l.others, m.from)
		c.receiver.Gone(m.from)
		return
	case kindHello:
		l.mu.Lock()
		l.answer = true
		l.mu.Unlock()
		c.receiver.Asked()
	case kindAll:
		c.receiver.Missed()
		l.ask()
	case kindHints:
		if !known { // it was silent, or this instance did not listen when it began
			l.ask()
		}
	}
	if len(m.hints) > 0 {
		l.received.Add(int64(len(m.hints)))
		c.receiver.Heard(m.from, time.UnixMilli(m.at), m.hints)
	}
}
