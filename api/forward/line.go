package forward

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/rpc"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Path is where an instance takes connections from others: a GET that asks for an upgrade, after which both speak TLS.
const Path = "/instances"

const (
	// dialTimeout is how long a connection may take, and proveTimeout until both sides have proved who they are. Until then nothing
	// has been sent.
	dialTimeout, proveTimeout = 300 * time.Millisecond, time.Second
	// underWay is the maximum number of acts on one line whose answers are waited for. What finds no place in time is acted
	// on here.
	underWay = 128
)

// errStrange is an address that answers, but not as an instance would that has the secret.
var errStrange = errors.New("it is no instance of this version with the secret of this one")

// lineKey names a line: acts on tournaments, whose answers may be large and take long, have one of their own.
type lineKey struct {
	to     Member
	onGame bool
}

// line is a connection to another instance. Many acts are on their way over it at a time.
type line struct {
	client *rpc.Client
	places chan struct{} // taken by acts under way
	closed atomic.Bool   // by this side
}

func (l *line) close() {
	l.closed.Store(true)
	_ = l.client.Close()
}

// line returns the line to an instance, connected now if there is none.
func (p *Peers) line(ctx context.Context, key lineKey) (*line, error) {
	p.mu.Lock()
	l := p.lines[key]
	p.mu.Unlock()
	if l != nil {
		return l, nil
	}
	connected := p.dialling.DoChan(fmt.Sprint(key), func() (any, error) { return p.connect(key) })
	select {
	case r := <-connected:
		l, _ := r.Val.(*line)
		return l, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connect makes a line. It is kept until it breaks.
func (p *Peers) connect(key lineKey) (*line, error) {
	conn, err := p.dial(key.to)
	if err != nil {
		return nil, err
	}
	l := &line{places: make(chan struct{}, underWay)}
	p.mu.Lock() // one that breaks at once is forgotten after it was noted
	defer p.mu.Unlock()
	if p.closing {
		return nil, errors.Join(net.ErrClosed, conn.Close())
	}
	l.client = rpc.NewClient(newGathered(conn, func() { p.forget(key, l) }))
	p.lines[key] = l
	return l, nil
}

// forget has no more acts sent over a line.
func (p *Peers) forget(key lineKey, l *line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines[key] == l {
		delete(p.lines, key)
	}
}

// retire forgets a line on which an answer is overdue, and closes it when nobody can be waiting for another.
func (p *Peers) retire(key lineKey, l *line) {
	p.forget(key, l)
	time.AfterFunc(2*longest, l.close)
}

// dial returns a connection to an instance that has proved that it has the secret.
func (p *Peers) dial(to Member) (net.Conn, error) {
	base, err := url.Parse(to.Address)
	if err != nil {
		return nil, err
	}
	port := map[string]string{"http": "80", "https": "443"}[base.Scheme]
	dialer := net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}
	conn, err := dialer.Dial("tcp", net.JoinHostPort(base.Hostname(), cmp.Or(base.Port(), port))) //nolint:noctx // it has a timeout
	if err != nil {
		return nil, err
	}
	secure, err := p.upgrade(conn, base, p.prover.prove(to))
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, nil
}

func (p *Peers) upgrade(conn net.Conn, base *url.URL, proof string) (net.Conn, error) {
	if err := conn.SetDeadline(time.Now().Add(proveTimeout)); err != nil {
		return nil, err
	}
	if base.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: base.Hostname(), MinVersion: tls.VersionTLS12})
	}
	r := &http.Request{
		Method: http.MethodGet, URL: &url.URL{Path: base.Path + Path}, Host: base.Host, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Connection": {"Upgrade"}, "Upgrade": {protocol}, "User-Agent": {"quatuor"}, proofHeader: {proof}},
	}
	if err := r.Write(conn); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 1<<10), r) // nothing follows until we speak
	if err != nil {
		return nil, err
	}
	_ = answer.Body.Close()
	switch status := answer.StatusCode; {
	case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
		return nil, fmt.Errorf("it takes no connection: %s", answer.Status)
	case status != http.StatusSwitchingProtocols || answer.Header.Get("Upgrade") != protocol:
		return nil, fmt.Errorf("%w: it answers %s", errStrange, answer.Status)
	}
	secure := tls.Client(conn, p.tls)
	if err := secure.Handshake(); err != nil { //nolint:noctx // the connection has a deadline
		var unverified *tls.CertificateVerificationError
		if errors.As(err, &unverified) {
			err = fmt.Errorf("%w: %w", errStrange, err)
		}
		return nil, err
	}
	return secure, conn.SetDeadline(time.Time{})
}

// errEnded is a connection that takes nothing any more: what was written last has not been sent, at least not whole.
var errEnded = errors.New("the connection has ended")

// gathered is a connection whose writers never wait: what they write while a write is under way goes with the next one, in
// one piece.
type gathered struct {
	net.Conn
	lost func() // is called when the connection has ended, more than once

	mu      sync.Mutex
	wake    sync.Cond
	waiting []byte
	ended   bool
}

func newGathered(conn net.Conn, lost func()) *gathered {
	g := &gathered{Conn: conn, lost: lost}
	g.wake.L = &g.mu
	go g.send()
	return g
}

func (g *gathered) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return 0, errEnded
	}
	g.waiting = append(g.waiting, b...)
	g.wake.Signal()
	return len(b), nil
}

// maxKept is the size of the largest buffer that is used again, in bytes.
const maxKept = 64 << 10

func (g *gathered) send() {
	var sending []byte
	for {
		if cap(sending) > maxKept {
			sending = nil
		}
		g.mu.Lock()
		for len(g.waiting) == 0 && !g.ended {
			g.wake.Wait()
		}
		sending, g.waiting = g.waiting, sending[:0]
		ended := g.ended
		g.mu.Unlock()
		if ended {
			return
		}
		if _, err := g.Conn.Write(sending); err != nil {
			_ = g.Close()
			return
		}
	}
}

func (g *gathered) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if err != nil {
		_ = g.Close()
	}
	return n, err
}

// Close ends the connection. What waits is not sent.
func (g *gathered) Close() error {
	g.mu.Lock()
	g.ended = true
	g.wake.Signal()
	g.mu.Unlock()
	g.lost()
	return g.Conn.Close()
}
