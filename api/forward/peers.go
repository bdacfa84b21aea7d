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
