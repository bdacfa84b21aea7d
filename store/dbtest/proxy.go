package dbtest

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Proxy passes on the data between a client and a server, and can stop doing so, as a failing network or machine does:
// connections stay open, and nothing comes.
type Proxy struct {
	to string // socket of the server

	mu     sync.Mutex
	flows  *sync.Cond
	frozen bool
	after  int // parts from clients that are still passed on before it freezes; -1 for all
	conns  map[net.Conn]bool
	closed bool
}

// Proxy returns a proxy before the server, and the address of a database through it.
func (p *Postgres) Proxy(t testing.TB, dsn string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	const name = ".s.PGSQL.5432"
	x := &Proxy{to: filepath.Join(query.Get("host"), name), after: -1, conns: map[net.Conn]bool{}}
	if query.Get("host") == "" {
		t.Skip("the server was given, and is not reached through a socket")
	}
	x.flows = sync.NewCond(&x.mu)
	dir, err := os.MkdirTemp("", "quatuor-proxy-") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, name)) //nolint:noctx // closed below
	if err != nil {
		t.Fatal(err)
	}
	go x.accept(listener)
	t.Cleanup(func() {
		_ = listener.Close()
		x.mu.Lock()
		x.closed = true
		x.flows.Broadcast()
		x.mu.Unlock()
		x.Cut()
		_ = os.RemoveAll(dir)
	})
	query.Set("host", dir)
	u.RawQuery = query.Encode()
	return x, u.String()
}

// Freeze stops everything.
func (x *Proxy) Freeze() { x.FreezeAfter(0) }

// FreezeAfter stops everything after passing on a number of parts, each written by a client at once. Answers to them
// get through until then.
func (x *Proxy) FreezeAfter(parts int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.after, x.frozen = parts, parts == 0
}

// Thaw lets everything through again.
func (x *Proxy) Thaw() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.after, x.frozen = -1, false
	x.flows.Broadcast()
}

// Frozen reports whether nothing gets through.
func (x *Proxy) Frozen() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.frozen
}

// Cut closes every connection.
func (x *Proxy) Cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for c := range x.conns {
		_ = c.Close()
	}
	clear(x.conns)
}

func (x *Proxy) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", x.to) //nolint:noctx // to a socket of this machine
		if err != nil {
			_ = client.Close()
			continue
		}
		x.mu.Lock()
		x.conns[client], x.conns[server] = true, true
		x.mu.Unlock()
		go x.pass(client, server, true)
		go x.pass(server, client, false)
	}
}

func (x *Proxy) pass(from, to net.Conn, client bool) {
	defer from.Close()
	defer to.Close()
	part := make([]byte, 1<<20)
	for {
		n, err := from.Read(part)
		if n > 0 && x.wait() {
			if _, err := to.Write(part[:n]); err != nil {
				return
			}
			x.passed(client)
		}
		if err != nil {
			return
		}
	}
}

// wait returns when the next part may pass, or false when it never will.
func (x *Proxy) wait() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.frozen && !x.closed {
		x.flows.Wait()
	}
	return !x.closed
}

func (x *Proxy) passed(client bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if client && x.after > 0 {
		x.after--
		x.frozen = x.after == 0
	}
}
