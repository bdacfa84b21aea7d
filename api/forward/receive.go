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
	"sync/atomic"
	"time"
)

// window is the maximum difference of a message's time from now. Clocks of instances are a few ms apart.
const window = 5 * time.Second

const (
	// handshakes is the maximum number of concurrent handshakes with a proof, and unproven that of others.
	handshakes, unproven = 16, 4
	// proofTime bounds a handshake.
	proofTime = 2 * time.Second
)

// CarryOut carries out a received act. An error leaves it unanswered.
type CarryOut func(*Act) (Answer, error)

// The reasons to refuse a connection: the request is not of an instance, or no slot is free.
var (
	ErrNotAnInstance = errors.New("this is where other instances of the service connect")
	ErrBusy          = errors.New("no connections from other instances are taken at the moment")
)

// Accept upgrades a request at [Path] to a connection of another instance, and serves it in the background. No act is
// accepted before the handshake has authenticated the instance. from is the rate-limit key of requests without a proof.
// Errors: ErrNotAnInstance, ErrBusy.
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

// admit authenticates a connection.
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

// serve carries out the acts of a connection until it ends.
func (p *Peers) serve(conn net.Conn, carryOut CarryOut) {
	g := newBatchConn(conn, func() {})
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

// keep stores an accepted connection; false while closing.
func (p *Peers) keep(g *batchConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken[g] = true
	return !p.closing
}

func (p *Peers) drop(g *batchConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.taken, g)
}

func (p *Peers) ending() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closing
}

// service and method are the names for net/rpc.
const service, method = "Owner", "Owner.Act"

// receiver is the RPC service.
type receiver struct {
	*Peers
	carryOut CarryOut
}

// Act carries out an act, unless it is addressed to another instance or an earlier start of this one, or took too long.
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

// begin counts a received act as working; false while draining.
func (p *Peers) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return false
	}
	p.working.Add(1)
	return true
}

// Drain refuses new acts, and returns when all received acts are answered, or when ctx ends.
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

// workers is a goroutine pool. net/rpc starts a new goroutine for every act, and its stack would grow again each time:
// 8 of the 243 µs that a move costs on three instances.
type workers struct {
	tasks chan *task // to an idle worker
	over  chan struct{}
	hired atomic.Int32
}

// maxWorkers is the size of the pool. While all are busy, acts are carried out on the goroutine of net/rpc.
const maxWorkers = 64

func newWorkers() *workers { return &workers{tasks: make(chan *task), over: make(chan struct{})} }

// task is an act with its result.
type task struct {
	act      *Act
	carryOut CarryOut
	answer   Answer
	err      error
	done     chan struct{}
}

// carryOut carries out an act on a worker.
func (w *workers) carryOut(act *Act, by CarryOut) (Answer, error) {
	t := &task{act: act, carryOut: by, done: make(chan struct{})}
	select {
	case w.tasks <- t:
	default:
		if w.hired.Add(1) > maxWorkers {
			w.hired.Add(-1)
			return by(act)
		}
		go w.work(t)
	}
	<-t.done
	return t.answer, t.err
}

func (w *workers) work(t *task) {
	for {
		t.answer, t.err = t.carryOut(t.act)
		close(t.done)
		select {
		case t = <-w.tasks:
		case <-w.over:
			return
		}
	}
}

// end stops the workers, each after its task.
func (w *workers) end() { close(w.over) }
