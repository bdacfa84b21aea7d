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

// Member is an instance that lives.
type Member struct {
	Instance string
	Address  string // base URL at which the others reach it; "" where it takes no acts
	Epoch    int64  // of its start
}

// Members know which instances live and which of them owns what.
type Members interface {
	// Owner returns the owner of a game or a tournament; false while none is known.
	Owner(key string) (Member, bool)
	// Self returns this instance; false while it is not known as a member.
	Self() (Member, bool)
	// Lives reports whether an instance lives and is not suspected.
	Lives(instance string) bool
	// Gone reports whether an instance does not live, whether or not it was suspected.
	Gone(instance string) bool
	// Suspect says that an instance did not answer.
	Suspect(instance string)
}

// Outcome is what became of an act that another instance owns.
type Outcome int8

// The outcomes.
const (
	Answered Outcome = iota // the owner has answered
	NotSent                 // the owner certainly has not acted: act here
	Again                   // it may have acted, or may still; act here nevertheless, which does no harm
	Unknown                 // it may have acted, or may still, and to act here could do it twice
)

// Config is what forwarding needs. Secret, Members, Now and Logger are required.
type Config struct {
	Secret  string // that the instances share, at least [MinSecret] bytes
	Members Members
	Now     func() time.Time // of the service, which is the database's
	Logger  *slog.Logger

	Patience time.Duration // how long an answer to an act on a game is waited for; 0 for the usual time
	// Observe is called for every act that another instance owns. It must be quick. Nil for nothing.
	Observe func(o Outcome, took time.Duration)
	// Received is called for every act that another instance has sent. It must be quick. Nil for nothing.
	Received func()
}

const (
	// patience is how long an answer to an act on a game is waited for.
	patience = time.Second
	// longest is how long an answer to any other act is waited for, while its owner lives.
	longest = 30 * time.Second
	// look is how often it is looked whether the owner lives, and looks how often in turn it is suspected until it counts as gone:
	// one that was suspected wrongly is back with its next heartbeat.
	look, looks = 250 * time.Millisecond, 6
)

// Peers are the other instances, to which acts are sent and from which they come. It is safe for concurrent use.
type Peers struct {
	config     Config
	tls        *tls.Config
	look       time.Duration // between two looks whether an owner lives
	prover     *prover
	handshakes chan struct{}  // taken by connections that shake hands after a proof
	unproven   chan struct{}  // taken by those without a proof
	addresses  *limit.Limiter // of these, by address
	dialling   singleflight.Group
	workers    *workers
	working    sync.WaitGroup // acts that others have sent

	mu      sync.Mutex
	pause   map[string]*pause // by instance, of those that have failed
	lines   map[lineKey]*line
	taken   map[*gathered]bool // connections from others
	closing bool               // nothing more is taken from others
	closed  bool
}

// New returns the peers. An error says what is wrong with the secret.
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
	if c.Patience <= 0 {
		c.Patience = patience
	}
	if c.Observe == nil {
		c.Observe = func(Outcome, time.Duration) {}
	}
	if c.Received == nil {
		c.Received = func() {}
	}
	return &Peers{
		config: c, tls: secure, look: look, workers: newWorkers(),
		prover: &prover{key: key, now: c.Now, used: map[string]int64{}}, handshakes: make(chan struct{}, handshakes),
		unproven: make(chan struct{}, unproven), addresses: limit.New(unprovenRate, time.Now),
		pause: map[string]*pause{}, lines: map[lineKey]*line{}, taken: map[*gathered]bool{},
	}, nil
}

// Close ends all connections. Acts that others have sent are waited for with [Peers.Drain].
func (p *Peers) Close() {
	p.mu.Lock()
	if !p.closed {
		p.workers.end()
	}
	p.closing, p.closed = true, true
	lines, taken := slices.Collect(maps.Values(p.lines)), slices.Collect(maps.Keys(p.taken))
	p.mu.Unlock()
	for _, l := range lines {
		l.close()
	}
	for _, g := range taken {
		_ = g.Close()
	}
}

// pause is how long an instance that has failed is left alone: longer with every failure.
type pause struct {
	failures int
	until    time.Time
}

const (
	shortestPause = 500 * time.Millisecond
	longestPause  = 30 * time.Second
	maxPauses     = 256 // instances that are remembered; those of the past are forgotten then
)

// resting reports whether an instance is to be left alone. Afterwards one act tries it, and for a while no other.
func (p *Peers) resting(instance string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.pause[instance]
	if rest == nil {
		return false
	}
	now := time.Now()
	if now.Before(rest.until) {
		return true
	}
	rest.until = now.Add(p.config.Patience)
	return false
}

// failed leaves an instance alone from now on, for at least a time.
func (p *Peers) failed(instance string, least time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.pause[instance]
	if rest == nil {
		if len(p.pause) >= maxPauses {
			clear(p.pause)
		}
		rest = &pause{}
		p.pause[instance] = rest
	}
	length := min(longestPause, shortestPause<<min(rest.failures, 10))
	rest.failures++
	rest.until = time.Now().Add(max(length, least))
}

// fine forgets the failures of an instance.
func (p *Peers) fine(instance string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pause, instance)
}
