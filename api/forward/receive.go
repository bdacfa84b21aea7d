package forward

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/rpc"
	"time"
)

// window is how far the moment of a message may be from now, before or after. Clocks of instances are a few ms apart.
const window = 5 * time.Second

const (
	// handshakes is the maximum number of connections at a time that shake hands after a proof, and unproven that of others.
	handshakes, unproven = 16, 4
	// proofTime is how long each may take for it.
	proofTime = 2 * time.Second
)

// CarryOut carries out an act that another instance has sent. With an error nothing is answered.
type CarryOut func(*Act) (Answer, error)

// The reasons why a connection is not taken: the request is one that no instance would send, or this one takes none now.
var (
	ErrNotAnInstance = errors.New("this is where other instances of the service connect")
	ErrBusy          = errors.New("no connections from other instances are taken at the moment")
)

// Accept takes a connection from another instance, which has asked for it at [Path], and serves it from then on beside the
// request. Nothing is carried out before the handshake has shown that it is one. from is the key by which the client's address
// is limited if the request proves nothing. ErrNotAnInstance, ErrBusy.
func (p *Peers) Accept(w http.ResponseWriter, r *http.Request, from string, carryOut CarryOut) error {
	if p == nil || r.Header.Get("Upgrade") != protocol || r.ProtoMajor != 1 {
		return ErrNotAnInstance
	}
	if p.ending() {
		return fmt.Errorf("%w: this one ends", ErrBusy)
	}
	free, err := p.place(r, from)
	if err != nil {
		return err
	}
	conn, early, err := http.NewResponseController(w).Hijack()
	if err != nil {
		free()
		return err
	}
	go func() {
		secure, err := p.admit(conn, early.Reader.Buffered())
		free()
		if err != nil {
			p.config.Logger.Debug("a connection that claimed to come from another instance", "error", err)
			_ = conn.Close()
			return
		}
		p.serve(secure, carryOut)
	}()
	return nil
}

// welcome is the answer to a request for a connection.
const welcome = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\n\r\n"

// admit lets who connects prove that it has the secret.
func (p *Peers) admit(conn net.Conn, early int) (net.Conn, error) {
	if err := conn.SetDeadline(time.Now().Add(proofTime)); err != nil {
		return nil, err
	}
	if early > 0 {
		return nil, errors.New("it spoke before it was answered")
	}
	if _, err := io.WriteString(conn, welcome); err != nil {
		return nil, err
	}
	secure := tls.Server(conn, p.tls)
	if err := secure.HandshakeContext(context.Background()); err != nil {
		return nil, err
	}
	return secure, conn.SetDeadline(time.Time{})
}

// serve carries out what comes over a connection until it ends.
func (p *Peers) serve(conn net.Conn, carryOut CarryOut) {
	g := newGathered(conn, func() {})
	defer g.Close()
	defer p.drop(g)
	if !p.keep(g) {
		return
	}
	server := rpc.NewServer()
	if err := server.RegisterName(service, receiver{p, carryOut}); err != nil {
		p.config.Logger.Error("connections from other instances cannot be served", "error", err)
		return
	}
	server.ServeConn(g)
}

// keep notes a connection from another instance; false when this one ends.
func (p *Peers) keep(g *gathered) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken[g] = true
	return !p.closing
}

func (p *Peers) drop(g *gathered) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.taken, g)
}

func (p *Peers) ending() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closing
}

// service and method are how net/rpc names what an owner does.
const service, method = "Owner", "Owner.Act"

// receiver is what other instances call.
type receiver struct {
	*Peers
	carryOut CarryOut
}

// Act carries out an act, unless it was meant for another instance or an earlier start of this one, or has been on its way for
// too long.
func (r receiver) Act(m *Message, reply *Reply) error {
	if !r.begin() {
		reply.Refused = true
		return nil
	}
	defer r.working.Done()
	now := r.config.Now().UnixMilli()
	self, known := r.config.Members.Self()
	late := now - m.Moment
	if !known || m.To != self.Instance || m.Epoch != self.Epoch || m.From == self.Instance ||
		late > window.Milliseconds() || late < -window.Milliseconds() {
		reply.Refused = true
		return nil
	}
	act := &m.Act
	act.At = min(max(act.At, now-window.Milliseconds()), now)
	if _, err := netip.ParseAddr(act.Address); err != nil {
		act.Address = ""
	}
	r.config.Received()
	answer, err := r.workers.carryOut(act, r.carryOut)
	answer.Header = only(answer.Header, answerHeaders)
	reply.Answer = answer
	return err
}

// begin reports whether an act may begin that another instance has sent. It is counted as working.
func (p *Peers) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return false
	}
	p.working.Add(1)
	return true
}

// Drain takes nothing more from other instances, and returns when all that they have sent is answered, or when ctx ends.
func (p *Peers) Drain(ctx context.Context) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		p.working.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("acts of other instances were cut off: %w", ctx.Err())
	}
}
