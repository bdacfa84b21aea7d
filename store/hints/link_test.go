package hints

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"quatuor/store/dbtest"
	"quatuor/store/internal/postgres"
)

// patience bounds every wait; what is waited for comes within milliseconds.
const patience = 30 * time.Second

// ear records the hints that it gets.
type ear struct {
	mu     sync.Mutex
	heard  map[string]Hint
	order  []int64 // versions of the topic "order"
	missed int
	asked  int
	gone   []string
	change chan struct{} // closed at the next change
}

func newEar() *ear { return &ear{heard: map[string]Hint{}, change: make(chan struct{})} }

func (e *ear) note(what func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	what()
	close(e.change)
	e.change = make(chan struct{})
}

// OnHint implements Receiver, as do the next three.
func (e *ear) OnHint(_ string, _ time.Time, hints []Hint) {
	e.note(func() {
		for _, h := range hints {
			e.heard[h.Topic] = merged(h, e.heard[h.Topic])
			if h.Topic == "order" {
				e.order = append(e.order, h.Version)
			}
		}
	})
}
func (e *ear) OnGap()               { e.note(func() { e.missed++ }) }
func (e *ear) OnSyncRequest()       { e.note(func() { e.asked++ }) }
func (e *ear) OnLeave(other string) { e.note(func() { e.gone = append(e.gone, other) }) }

// misses returns how often hints may have been lost.
func (e *ear) misses() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.missed
}

// wait returns when a condition holds.
func (e *ear) wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	timeout := time.After(patience)
	for {
		e.mu.Lock()
		done, change := holds(), e.change
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-change:
		case <-timeout:
			t.Fatalf("never: %s", what)
		}
	}
}

// node is a link that runs.
type node struct {
	*Link
	*ear
	stop func()
}

// run runs a link until the test ends, or stop is called.
func run(t *testing.T, c Config) node {
	t.Helper()
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	n := node{Link: New(c), ear: newEar()}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { n.Run(ctx, n.ear) })
	n.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(n.stop)
	n.wait(t, c.Instance+" listens", func() bool { return n.missed > 0 })
	return n
}

// meet returns when two have heard of each other.
func meet(t *testing.T, one, two node) {
	t.Helper()
	say := func(from, to node) {
		topic := "met/" + from.Instance
		from.Publish(Hint{Topic: topic})
		to.wait(t, to.Instance+" hears "+from.Instance, func() bool { _, ok := to.heard[topic]; return ok })
	}
	say(one, two)
	say(two, one)
}

func TestLink(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	for name, test := range map[string]func(*testing.T, string){
		"Order": inOrder, "Flood": flood, "Overflow": overflow, "Severed": severed, "Silent": silent, "Bye": bye,
		"Alone": alone,
	} {
		t.Run(name, func(t *testing.T) { test(t, server.Schema(t)) })
	}
	t.Run("Schemas", func(t *testing.T) {
		one, two := run(t, Config{DSN: server.Schema(t), Instance: "one"}),
			run(t, Config{DSN: server.Schema(t), Instance: "two"})
		three := run(t, Config{DSN: one.DSN, Instance: "three"})
		one.Publish(Hint{Topic: "a", Version: 1})
		meet(t, one, three)
		if len(two.heard) > 0 {
			t.Errorf("an instance in another schema heard %v", two.heard)
		}
	})
}

// inOrder publishes versions while others are being sent: each version that arrives is later than the version before,
// the last arrives, and no link hears itself.
func inOrder(t *testing.T, dsn string) {
	one, two := run(t, Config{DSN: dsn, Instance: "one"}), run(t, Config{DSN: dsn, Instance: "two"})
	meet(t, one, two)
	const last = 2000
	for v := int64(1); v <= last; v++ {
		one.Publish(Hint{Topic: "order", Version: v, Parts: uint8(1 << (v % 8))})
	}
	two.wait(t, "the last version", func() bool { return two.heard["order"].Version == last })
	for i, v := range two.order[1:] {
		if v <= two.order[i] {
			t.Fatalf("version %d came after %d", v, two.order[i])
		}
	}
	if parts := two.heard["order"].Parts; parts != 0xff {
		t.Errorf("parts %b, want all", parts)
	}
	meet(t, one, two)
	if _, ok := one.heard["order"]; ok {
		t.Error("an instance hears itself")
	}
}

// flood publishes 10,000 topics at once, several times.
func flood(t *testing.T, dsn string) {
	one, two := run(t, Config{DSN: dsn, Instance: "one"}), run(t, Config{DSN: dsn, Instance: "two"})
	meet(t, one, two)
	want := map[string]Hint{}
	for v := range int64(3) {
		for i := range 10_000 {
			h := Hint{Topic: fmt.Sprintf("game/%08d-0000-7000-8000-000000000000", i), Version: v}
			want[h.Topic] = h
			one.Publish(h)
		}
	}
	two.wait(t, "all topics", func() bool {
		got := maps.Clone(two.heard)
		delete(got, "met/one")
		return maps.Equal(got, want)
	})
	if missed := two.misses(); missed != 1 {
		t.Errorf("hints were missed %d times, want once, at the beginning", missed)
	}
	one.stop() // what is sent is counted afterwards
	if got := two.Received(); got < 10_000 || got > one.Sent() {
		t.Errorf("%d hints received of %d sent", got, one.Sent())
	}
}

// overflow publishes more than the queue holds, and what cannot be sent.
func overflow(t *testing.T, dsn string) {
	one, two := run(t, Config{DSN: dsn, Instance: "one", Pending: 10}), run(t, Config{DSN: dsn, Instance: "two"})
	meet(t, one, two)
	before := two.misses()
	one.Publish(Hint{Topic: "not one word"})
	two.wait(t, "something was missed", func() bool { return two.missed > before })
	meet(t, one, two)
	before = two.misses()
	for i := range 10_000 {
		one.Publish(Hint{Topic: fmt.Sprint("t", i)})
	}
	two.wait(t, "something was missed", func() bool { return two.missed > before })
}

// severed has the server end the connections of both: hints published in between arrive, and both know that they may
// have missed something.
func severed(t *testing.T, dsn string) {
	one, two := run(t, Config{DSN: dsn, Instance: "one"}), run(t, Config{DSN: dsn, Instance: "two"})
	meet(t, one, two)
	for i := range int64(5) {
		missed := two.misses()
		sever(t, dsn)
		two.wait(t, "the connection is lost", func() bool { return two.missed > missed })
		one.Publish(Hint{Topic: "order", Version: i})
		two.wait(t, "the others know each other again", func() bool {
			return two.heard["order"].Version == i || two.missed > missed+1
		})
	}
	if len(two.gone) > 0 {
		t.Errorf("%v are taken for gone after a moment", two.gone)
	}
}

func sever(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var ended int
	err = db.QueryRowContext(t.Context(), "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE "+
		"application_name = $1",
		ApplicationName).Scan(&ended)
	if err != nil || ended == 0 {
		t.Fatalf("%d connections ended, %v", ended, err)
	}
}

// silent has an instance end without a word, with something unsaid.
func silent(t *testing.T, dsn string) {
	two := run(t, Config{DSN: dsn, Instance: "two", Beat: time.Second})
	one := New(Config{DSN: dsn, Instance: "one", Beat: time.Second, Logger: two.Logger})
	ctx, die := context.WithCancel(context.Background())
	defer die()
	died := make(chan error)
	go func() { died <- one.connected(ctx, newEar()) }()
	two.wait(t, "one asks", func() bool { return two.asked > 1 })
	missed := two.misses()
	sever(t, dsn) // and a connection is not restored
	if err := <-died; err == nil {
		t.Fatal("the connection is not lost")
	}
	two.wait(t, "one is gone", func() bool { return len(two.gone) > 0 && two.gone[0] == "one" })
	two.wait(t, "what it stored last is looked for", func() bool { return two.missed > missed+1 })
}

// bye has an instance end as it should.
func bye(t *testing.T, dsn string) {
	one, two := run(t, Config{DSN: dsn, Instance: "one"}), run(t, Config{DSN: dsn, Instance: "two"})
	meet(t, one, two)
	one.Publish(Hint{Topic: "last", Version: 7})
	one.stop()
	two.wait(t, "one is gone", func() bool { return len(two.gone) == 1 && two.gone[0] == "one" })
	if got := two.heard["last"]; got.Version != 7 {
		t.Errorf("the last hint is heard as %+v", got)
	}
	if two.misses() != 1 {
		t.Error("after a goodbye all is looked for")
	}
}

// alone sends nothing without subscribers, and the last hint once another link comes.
func alone(t *testing.T, dsn string) {
	one := run(t, Config{DSN: dsn, Instance: "one", Beat: time.Hour})
	for i := range 100 {
		one.Publish(Hint{Topic: fmt.Sprint("t", i)})
	}
	two := run(t, Config{DSN: dsn, Instance: "two", Beat: time.Hour})
	two.wait(t, "what was said before", func() bool { return len(two.heard) == 100 })
	one.stop() // what is sent is counted afterwards
	if sent := one.Sent(); sent != 100 {
		t.Errorf("%d hints sent", sent)
	}
}

// TestCrowd looks at when the next hints may be sent: soon after few, later after many.
func TestCrowd(t *testing.T) {
	link := run(t, Config{DSN: dbtest.Cluster(t, "fsync=off").Schema(t), Instance: "one"}).Link
	conn, err := postgres.Connect(t.Context(), link.DSN, ApplicationName)
	if err != nil {
		t.Fatal(err)
	}
	c := &channel{link: link, conn: conn, name: "quatuor_test"}
	defer c.close()
	for _, test := range []struct {
		hints int
		want  time.Duration
	}{
		{0, sendInterval},
		{loadBatch - 1, sendInterval},
		{loadBatch, loadInterval},
		{500, loadInterval},
		{1, sendInterval},
	} {
		m := message{kind: kindHints, from: link.Instance}
		for i := range test.hints {
			m.hints = append(m.hints, Hint{Topic: fmt.Sprint("t", i)})
		}
		if err := c.notify(t.Context(), []message{m}); err != nil {
			t.Fatal(err)
		}
		if got := c.interval(); got != test.want {
			t.Errorf("%s after %d hints, want %s", got, test.hints, test.want)
		}
	}
}
