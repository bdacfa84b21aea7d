package stream

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"quatuor/engine"
	"quatuor/engine/quixo"
	"quatuor/engine/table"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pipes is a listener with pipes as connections, so that fake time advances while they wait.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// fair is a hub with a single game behind a server; games change by step.
type fair struct {
	t      *testing.T
	hub    *Hub
	client *http.Client

	mu      sync.Mutex
	game    *table.Snapshot
	renders map[engine.Viewer]int
	read    func() // is called after a game was read, before it is returned; nil for nothing
}

// newFair must be called inside a synctest bubble.
func newFair(t *testing.T) *fair {
	t.Helper()
	f := &fair{t: t, hub: NewHub(), game: opened(t), renders: map[engine.Viewer]int{}}
	feed := f.hub.GameFeed(f, f.render)
	listener := newPipes()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		last := r.Header.Get("Last-Event-ID")
		serve := func() error {
			return feed.Serve(r.Context(), w, q.Get("game"), Reader{Player: q.Get("player"), LastID: last})
		}
		if q.Has("behind") {
			serve = func() error { return feed.ServeBehind(r.Context(), w, q.Get("game"), Reader{LastID: last}) }
		}
		err := serve()
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
		}
	})}
	go func() { _ = server.Serve(listener) }()
	transport := &http.Transport{DialContext: listener.dial}
	f.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		f.hub.Close()
		_ = server.Close()
		transport.CloseIdleConnections()
		synctest.Wait()
	})
	return f
}

func opened(t *testing.T) *table.Snapshot {
	t.Helper()
	rules := quixo.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 0, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return &table.Snapshot{Match: match, Game: table.Game{
		ID: "g1", Variant: "quixo/duel", Seats: 2, Players: []string{"ada", ""}, Status: table.Running,
	}}
}

func (f *fair) Snapshot(_ context.Context, id string) (*table.Snapshot, error) {
	f.mu.Lock()
	game, read := f.game, f.read
	f.mu.Unlock()
	if id != game.Game.ID {
		return nil, table.ErrNotFound
	}
	if read != nil {
		read()
	}
	return game, nil
}

// render prints the viewer and the version, so that tests can distinguish classes.
func (f *fair) render(_ context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.renders[v]++
	return fmt.Appendf(nil, "v%d since %d seat1=%t", s.Game.Version, since, v.Holds(1)), nil
}

// step appends lines of the given kinds to the game without publishing.
func (f *fair) step(kinds ...table.LineKind) (*table.Snapshot, []table.Line) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := *f.game
	next.Lines = slices.Clip(next.Lines)
	for _, kind := range kinds {
		next.Game.Version++
		next.Lines = append(next.Lines, table.Line{N: next.Game.Version, Kind: kind, Seat: 1})
	}
	f.game = &next
	return f.game, f.game.Lines[len(f.game.Lines)-len(kinds):]
}

// tell appends lines to the log and publishes them.
func (f *fair) tell(kinds ...table.LineKind) { f.hub.GameChanged(f.step(kinds...)) }

// finish appends a step that ends the game, and publishes it.
func (f *fair) finish(status table.Status, kinds ...table.LineKind) {
	s, lines := f.step(kinds...)
	f.mu.Lock()
	over := *s
	over.Game.Status = status
	f.game = &over
	f.mu.Unlock()
	f.hub.GameChanged(&over, lines)
}

// listener reads a stream.
type listener struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Reader
}

func (f *fair) open(player, lastID string) *listener {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, "http://pipe/?game=g1&player="+player, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	answer, err := f.client.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = answer.Body.Close() })
	return &listener{t: f.t, answer: answer, lines: bufio.NewReader(answer.Body)}
}

// next reads an event as "name id data"; "end" at the end of the stream.
func (l *listener) next() string {
	l.t.Helper()
	fields := map[string]string{}
	for {
		line, err := l.lines.ReadString('\n')
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return "end"
		case err != nil:
			l.t.Fatal(err)
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" && fields["event"] != "" {
			return strings.Join([]string{fields["event"], fields["id"], fields["data"]}, "|")
		}
		if line == "" {
			continue // the event after retry
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			l.t.Fatalf("not a line of a stream: %q", line)
		}
		fields[name] += value
	}
}

func (l *listener) want(events ...string) {
	l.t.Helper()
	for _, want := range events {
		if got := l.next(); got != want {
			l.t.Fatalf("event %q, want %q", got, want)
		}
	}
}
