package forward

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/rpc"
	"time"

	"quatuor/api/auth"
)

// Target is the owner of an act's game or tournament.
type Target struct{ member Member }

// Owner returns the other instance that owns a game or tournament; false if acts on it are carried out here.
func (p *Peers) Owner(key string) (Target, bool) {
	owner, known := p.config.Members.Owner(key)
	if !known || owner.Address == "" {
		return Target{}, false
	}
	self, known := p.config.Members.Self()
	return Target{owner}, known && owner.Instance != self.Instance
}

// badPeerBackoff is the backoff after an instance that does not know the secret, which does not resolve by itself.
const badPeerBackoff = 10 * time.Second

var (
	errRefused = errors.New("it takes nothing from here: is it another instance by now, or are the clocks apart?")
	errTimeout = errors.New("no answer in time")
)

// Send sends an act to its owner and returns the answer if the outcome is [Answered]. It ignores cancellation of ctx.
// An act on a game expires; for an act on a tournament it waits as long as the owner lives.
func (p *Peers) Send(ctx context.Context, to Target, act *Act, kind Kind) (Answer, Outcome) {
	begun := time.Now()
	answer, outcome := p.send(ctx, to.member, act, kind)
	if outcome == Unknown && kind.Repeatable {
		outcome = Again
	}
	p.config.Observe(outcome, time.Since(begun))
	return answer, outcome
}

func (p *Peers) send(ctx context.Context, to Member, act *Act, kind Kind) (Answer, Outcome) {
	self, known := p.config.Members.Self()
	if !known || p.backingOff(to.Instance) {
		return Answer{}, NotSent
	}
	wait, now := tournamentTimeout, p.config.Now()
	if kind.OnGame {
		wait = p.config.Timeout
		act.Expires = now.Add(wait).UnixMilli()
	}
	m := &Message{To: to.Instance, From: self.Instance, Epoch: to.Epoch, Moment: now.UnixMilli(), Act: *act}
	m.Act.Header = only(act.Header, requestHeaders)
	if n := length(m.Act.Header); n > maxHeader {
		p.config.Logger.Debug("an act cannot be sent to its owner", slog.Int("header", n))
		return Answer{}, NotSent
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer cancel()
	if !kind.OnGame {
		defer p.watch(to.Instance, cancel)()
	}
	key := connKey{to, kind.OnGame}
	l, err := p.conn(ctx, key)
	if err != nil {
		p.unanswered(to, err)
		return Answer{}, NotSent
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		p.unanswered(to, errTimeout)
		return Answer{}, NotSent
	}
	return p.call(ctx, key, l, m)
}

// call sends a message over a connection and waits for the reply.
func (p *Peers) call(ctx context.Context, key connKey, l *peerConn, m *Message) (Answer, Outcome) {
	reply := &Reply{}
	call := l.client.Go(method, m, reply, make(chan *rpc.Call, 1))
	select {
	case <-call.Done:
	case <-ctx.Done():
		p.discard(key, l)
		p.unanswered(key.to, errTimeout)
		return Answer{}, Unknown
	}
	switch err := call.Error; {
	case err == nil && reply.Refused:
		p.failed(key.to.Instance, 0)
		p.log(key.to, "an instance refused an act that it owns; it was carried out here", errRefused)
		return Answer{}, NotSent
	case err == nil:
		p.succeeded(key.to.Instance)
		return reply.Answer, Answered
	default:
		p.unanswered(key.to, err)
		// the connection had broken before
		if errors.Is(err, errEnded) || errors.Is(err, rpc.ErrShutdown) && !l.closed.Load() {
			return Answer{}, NotSent
		}
		return Answer{}, Unknown
	}
}

// unanswered records that an instance did not answer.
func (p *Peers) unanswered(to Member, err error) {
	if errors.Is(err, errBadPeer) {
		p.failed(to.Instance, badPeerBackoff)
		p.log(to, "an instance is not one of this service", err)
		return
	}
	p.failed(to.Instance, 0)
	p.config.Members.Suspect(to.Instance)
	p.log(to, "an instance did not answer an act that it owns", err)
}

// watch calls end once the owner counts as gone, unless stop is called before.
func (p *Peers) watch(instance string, end context.CancelFunc) (stop func()) {
	over := make(chan struct{})
	go func() {
		ticker := time.NewTicker(p.checkEvery)
		defer ticker.Stop()
		for missing := 0; missing < maxMissed && !p.config.Members.Gone(instance); {
			select {
			case <-over:
				return
			case <-ticker.C:
			}
			if missing++; p.config.Members.Lives(instance) {
				missing = 0
			}
		}
		end()
	}()
	return func() { close(over) }
}

func (p *Peers) log(to Member, what string, err error) {
	p.config.Logger.Warn(what, slog.String("instance", to.Instance), slog.String("address", to.Address),
		slog.Any("error", err))
}

// Act is the forwarded form of a client's request to change a game or a tournament.
type Act struct {
	Method, URI string // path and query
	Header      http.Header
	Body        []byte

	Host      string // of the client's request
	Address   string // of the client
	RequestID string
	Identity  auth.Identity // as authenticated
	At        int64         // when it arrived, ms UTC
	Expires   int64         // deadline, ms UTC, after which nothing of the act is stored; 0 for none
}

// Kind decides the timeout of an act and whether it may be retried.
type Kind struct {
	OnGame     bool // else on a tournament
	Repeatable bool // it is idempotent
}

// Answer is the owner's response.
type Answer struct {
	Status int
	Header http.Header // to be passed on to the client
	Body   []byte
}

// requestHeaders are the headers of a client's request that operations and pages read, without credentials.
var requestHeaders = []string{
	"Accept", "Accept-Language", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer",
	"X-Forwarded-Proto",
}

// answerHeaders are the headers of an answer that are passed on to the client. The sender sets all others itself.
var answerHeaders = []string{
	"Allow", "Cache-Control", "Content-Disposition", "Content-Security-Policy", "Content-Type", "Etag",
	"Idempotent-Replayed", "Link",
	"Location", "Referrer-Policy", "Retry-After", "Vary", "Www-Authenticate", "X-Robots-Tag",
}

// maxHeader is the maximum length of the headers of a forwarded act, in bytes.
const maxHeader = 16 << 10

// only returns the named fields of a header.
func only(header http.Header, names []string) http.Header {
	some := make(http.Header, 4)
	for _, name := range names {
		if values := header[name]; len(values) > 0 {
			some[name] = values
		}
	}
	return some
}

// length returns the length of a header in bytes.
func length(header http.Header) (n int) {
	for name, values := range header {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// Message is an act on its way to its owner. Package net/rpc carries Message and Reply.
type Message struct {
	To, From      string // instances
	Epoch, Moment int64  // of the receiver; of the sending, ms UTC
	Act           Act
}

// Reply is the response to a message.
type Reply struct {
	Refused bool // the act was certainly not carried out
	Answer  Answer
}
