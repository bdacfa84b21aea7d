// Package forward carries acts between instances: an act that arrives at an instance which does not own the game or the
// tournament goes to the owner, with the stamp of its arrival and the authenticated identity, and the owner's answer
// goes back to the client through the same instance.
//
// # Protocol
//
// Two instances keep a connection for acts on games and another for acts on tournaments, each multiplexed (net/rpc). A
// GET of [Path] is upgraded to mutual TLS 1.3 with a key that is derived from the shared secret ([credentials]). The
// GET carries a proof of the secret that is cheap to check (proof.go): handshakes without a proof are rate-limited by
// address. Writes are batched.
//
// A [Message] holds its receiver (instance and epoch), its sender and its time; method, path, query and body of the
// request; the stamp of its arrival, its expiry, the identity, the client's address and the headers that operations
// read. Credentials (Authorization, cookies) are never sent. The receiver refuses messages for another instance or an
// earlier start of this one, and those that took longer than [window].
//
// A forwarded act is never forwarded again: the receiver carries it out, whether it is the owner or not.
//
// # When the owner does not answer
//
// The version guard of the database is the fence: of two instances that write the same step of a game, the second is
// refused, loads the game and judges again. So an act that is carried out both at the owner and here is either stored
// once and found the second time, or judged twice. This decides what may be done here:
//
//   - It was certainly not carried out ([NotSent]), because no connection could be made or the owner refused it: carry
//     it out here, whatever it is.
//   - It may have been sent, and no answer came in time or the connection broke. Idempotent acts are retried here
//     ([Again]), with the stamp of their arrival: a move (identified by seat, turn and token), a commitment or a nonce,
//     a resignation (x-repeatable in the contract), and any act with an Idempotency-Key. For a key the database has the
//     state: a stored answer is repeated; a request that the owner still works on is answered with 409 and Retry-After;
//     an unknown key is taken here.
//   - Anything else, like time added by an arbiter, could be done twice, because the log does not identify the
//     request of a line, and the owner may still be about to write. The answer is 503 ([Unknown]): it may or may not
//     have been done.
//
// An act on a game expires when the sender stops waiting: the owner stores nothing of it after that. An owner that
// froze before judging refuses the act when it resumes; a step that it had judged before is too late
// ([table.Step.Until]). So a client that got 503 can read the game and retry. Acts on tournaments may take longer than
// any fixed time (pairing a large round); for them the sender waits as long as the owner lives.
//
// An instance that did not answer is suspected: it counts as gone until its next heartbeat. Exponential backoff
// ([backoff]) keeps an instance with heartbeats but an unreachable address from delaying every move; its acts are
// carried out here.
package forward

import (
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"quatuor/api/internal/limit"
)

// Member is a live instance.
type Member struct {
	Instance string
	Address  string // base URL for other instances; "" if it accepts no acts
	Epoch    int64  // of its start
}

// Members is the membership of the cluster and its assignment of owners.
type Members interface {
	// Owner returns the owner of a game or a tournament; false while none is known.
	Owner(key string) (Member, bool)
	// Self returns this instance; false while it is not known as a member.
	Self() (Member, bool)
	// Lives reports whether an instance lives and is not suspected.
	Lives(instance string) bool
	// Gone reports whether an instance does not live, whether or not it was suspected.
	Gone(instance string) bool
	// Suspect reports an instance that did not answer.
	Suspect(instance string)
}

// Outcome is the result of sending an act to its owner.
type Outcome int8

// The outcomes.
const (
	Answered Outcome = iota // the owner has answered
	NotSent                 // the owner certainly has not carried it out: do so here
	Again                   // the owner may have carried it out; it is idempotent, so retry it here
	Unknown                 // the owner may have carried it out, and a retry could do it twice
)

// Config configures peers. Secret, Members, Now and Logger are required.
type Config struct {
	Secret  string // shared by all instances, at least [MinSecret] bytes
	Members Members
	Now     func() time.Time // of the service, which is the database's
	Logger  *slog.Logger

	Timeout time.Duration // for the answer to an act on a game; 0 for the default
	// Observe is called for every act that another instance owns. It must be quick. Nil for nothing.
	Observe func(o Outcome, took time.Duration)
	// Received is called for every act that another instance has sent. It must be quick. Nil for nothing.
	Received func()
}

const (
	// gameTimeout bounds the wait for the answer to an act on a game.
	gameTimeout = time.Second
	// tournamentTimeout bounds that for any other act, while its owner lives.
	tournamentTimeout = 30 * time.Second
	// An owner that is suspected in maxMissed checks in a row counts as gone. An owner that was suspected wrongly is back
	// with its next heartbeat.
	checkInterval, maxMissed = 250 * time.Millisecond, 6
)

// Peers sends acts to other instances and receives theirs. It is safe for concurrent use.
type Peers struct {
	config     Config
	tls        *tls.Config
	checkEvery time.Duration // interval of the check that an owner lives
	dialling   timeouts
	prover     *prover
	handshakes chan struct{}  // semaphore of handshakes with a proof
	unproven   chan struct{}  // semaphore of those without
	addresses  *limit.Limiter // of those without, by address
	dials      singleflight.Group
	workers    *workers
	working    sync.WaitGroup // received acts in progress

	mu       sync.Mutex
	backoffs map[string]*backoff // of failed instances
	conns    map[connKey]*peerConn
	taken    map[*batchConn]bool // connections from others
	closing  bool                // no more acts are accepted
	closed   bool
}

// New returns the peers, or an error if the secret is not good enough.
func New(c Config) (*Peers, error) {
	secure, err := credentials(c.Secret)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, []byte(c.Secret), nil, protocol+" proof", sha256.Size)
	if err != nil {
		return nil, err
	}
	c.Secret = "" // it is not needed any more
	if c.Timeout <= 0 {
		c.Timeout = gameTimeout
	}
	if c.Observe == nil {
		c.Observe = func(Outcome, time.Duration) {}
	}
	if c.Received == nil {
		c.Received = func() {}
	}
	return &Peers{
		config: c, tls: secure, checkEvery: checkInterval, dialling: timeouts{dialTimeout, proveTimeout},
		workers: newWorkers(), prover: &prover{key: key, now: c.Now, used: map[string]int64{}},
		handshakes: make(chan struct{}, handshakes), unproven: make(chan struct{}, unproven), addresses: limit.New(unprovenRate, time.Now),
		backoffs: map[string]*backoff{}, conns: map[connKey]*peerConn{}, taken: map[*batchConn]bool{},
	}, nil
}

// Close closes all connections; see [Peers.Drain] for received acts.
func (p *Peers) Close() {
	p.mu.Lock()
	if !p.closed {
		p.workers.end()
	}
	p.closing, p.closed = true, true
	conns, taken := slices.Collect(maps.Values(p.conns)), slices.Collect(maps.Keys(p.taken))
	p.mu.Unlock()
	for _, l := range conns {
		l.close()
	}
	for _, g := range taken {
		_ = g.Close()
	}
}

// backoff is the exponential backoff after failures of an instance.
type backoff struct {
	failures int
	until    time.Time
}

const (
	minBackoff  = 500 * time.Millisecond
	maxBackoff  = 30 * time.Second
	maxBackoffs = 256 // when more instances have failed, all are forgotten
)

// backingOff reports whether no act may be sent to an instance yet. After the backoff a single act tries it, the others
// wait for its result.
func (p *Peers) backingOff(instance string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.backoffs[instance]
	if rest == nil {
		return false
	}
	now := time.Now()
	if now.Before(rest.until) {
		return true
	}
	rest.until = now.Add(p.config.Timeout)
	return false
}

// failed starts the next backoff of an instance, of at least a length.
func (p *Peers) failed(instance string, minimum time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.backoffs[instance]
	if rest == nil {
		if len(p.backoffs) >= maxBackoffs {
			clear(p.backoffs)
		}
		rest = &backoff{}
		p.backoffs[instance] = rest
	}
	length := min(maxBackoff, minBackoff<<min(rest.failures, 10))
	rest.failures++
	rest.until = time.Now().Add(max(length, minimum))
}

// succeeded resets the backoff of an instance.
func (p *Peers) succeeded(instance string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.backoffs, instance)
}
