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

// Path accepts connections of other instances: a GET with an upgrade to TLS.
const Path = "/instances"

const (
	// dialTimeout bounds connecting, and proveTimeout the handshake that proves the identity of both sides. No act has
	// been sent before.
	dialTimeout, proveTimeout = 300 * time.Millisecond, time.Second
	// maxInFlight is the maximum number of unanswered acts on a connection. An act that gets no slot in time is carried
	// out here.
	maxInFlight = 128
)

// timeouts bound the setting up of a connection.
type timeouts struct{ dial, prove time.Duration }

// errBadPeer reports that the server at an address is not an instance with the secret.
var errBadPeer = errors.New("it is no instance of this version with the secret of this one")

// connKey identifies a connection: acts on tournaments have a connection of their own, because their answers may be
// large and slow.
type connKey struct {
	to     Member
	onGame bool
}

// peerConn is a connection to another instance, shared by many acts at a time.
type peerConn struct {
	client *rpc.Client
	slots  chan struct{} // taken by unanswered acts
	closed atomic.Bool   // by this side
}

func (l *peerConn) close() {
	l.closed.Store(true)
	_ = l.client.Close()
}

// conn returns the connection to an instance, after dialling if needed.
func (p *Peers) conn(ctx context.Context, key connKey) (*peerConn, error) {
	p.mu.Lock()
	l := p.conns[key]
	p.mu.Unlock()
	if l != nil {
		return l, nil
	}
	connected := p.dials.DoChan(fmt.Sprint(key), func() (any, error) { return p.connect(key) })
	select {
	case r := <-connected:
		l, _ := r.Val.(*peerConn)
		return l, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connect dials an instance and keeps the connection until it breaks.
func (p *Peers) connect(key connKey) (*peerConn, error) {
	conn, err := p.dial(key.to)
	if err != nil {
		return nil, err
	}
	l := &peerConn{slots: make(chan struct{}, maxInFlight)}
	p.mu.Lock() // so that a connection that breaks at once is forgotten after it was stored
	defer p.mu.Unlock()
	if p.closing {
		return nil, errors.Join(net.ErrClosed, conn.Close())
	}
	l.client = rpc.NewClient(newBatchConn(conn, func() { p.forget(key, l) }))
	p.conns[key] = l
	return l, nil
}

// forget stops using a connection.
func (p *Peers) forget(key connKey, l *peerConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns[key] == l {
		delete(p.conns, key)
	}
}

// discard forgets a connection with an overdue answer, and closes it when no other answer can be awaited.
func (p *Peers) discard(key connKey, l *peerConn) {
	p.forget(key, l)
	time.AfterFunc(2*tournamentTimeout, l.close)
}

// dial returns a connection to an instance after mutual authentication.
func (p *Peers) dial(to Member) (net.Conn, error) {
	base, err := url.Parse(to.Address)
	if err != nil {
		return nil, err
	}
	port := map[string]string{"http": "80", "https": "443"}[base.Scheme]
	dialer := net.Dialer{Timeout: p.dialling.dial, KeepAlive: 15 * time.Second}
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
	if err := conn.SetDeadline(time.Now().Add(p.dialling.prove)); err != nil {
		return nil, err
	}
	if base.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: base.Hostname(), MinVersion: tls.VersionTLS12})
	}
	r := &http.Request{
		Method: http.MethodGet, URL: &url.URL{Path: base.Path + Path}, Host: base.Host, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {protocol}, "User-Agent": {"quatuor"}, proofHeader: {proof},
		},
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
		return nil, fmt.Errorf("%w: it answers %s", errBadPeer, answer.Status)
	}
	secure := tls.Client(conn, p.tls)
	if err := secure.Handshake(); err != nil { //nolint:noctx // the connection has a deadline
		var unverified *tls.CertificateVerificationError
		if errors.As(err, &unverified) {
			err = fmt.Errorf("%w: %w", errBadPeer, err)
		}
		return nil, err
	}
	return secure, conn.SetDeadline(time.Time{})
}

// errEnded reports that a connection is closed: the last write has not been sent, at least not completely.
var errEnded = errors.New("the connection has ended")

// batchConn is a connection with batched writes: writers do not block, and data written during a write goes out with
// the next.
type batchConn struct {
	net.Conn
	lost func() // called when the connection has ended, possibly more than once

	mu      sync.Mutex
	wake    sync.Cond
	waiting []byte
	ended   bool
}

func newBatchConn(conn net.Conn, lost func()) *batchConn {
	g := &batchConn{Conn: conn, lost: lost}
	g.wake.L = &g.mu
	go g.send()
	return g
}

func (g *batchConn) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return 0, errEnded
	}
	g.waiting = append(g.waiting, b...)
	g.wake.Signal()
	return len(b), nil
}

// maxKept is the maximum size of a buffer that is reused, in bytes.
const maxKept = 64 << 10

func (g *batchConn) send() {
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

func (g *batchConn) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if err != nil {
		_ = g.Close()
	}
	return n, err
}

// Close closes the connection and drops unsent writes.
func (g *batchConn) Close() error {
	g.mu.Lock()
	g.ended = true
	g.wake.Signal()
	g.mu.Unlock()
	g.lost()
	return g.Conn.Close()
}
