package apitest

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/forward"
)

const peerSecret = "the secret of the instances of a test"

// Owner is another server on the same tables and the same database. Acts that arrive at the service go to it.
type Owner struct {
	Patience time.Duration // 0 for longer than any answer takes on a busy machine
	Round    bool          // it takes the service for the owner

	Server *api.Server
	own    *forward.Peers
	Acts   atomic.Int64                     // that have come
	meet   atomic.Pointer[forward.CarryOut] // its act in place of an answer; nil for none

	mu       sync.Mutex
	conns    []net.Conn     // from the service
	came     []*forward.Act // as they came
	outcomes []forward.Outcome
}

// side is a server's view of the two.
type side struct{ self, owner forward.Member }

func (s side) Owner(string) (forward.Member, bool) { return s.owner, true }

func (s side) Self() (forward.Member, bool) { return s.self, true }

func (s side) Lives(string) bool { return true }

func (s side) Gone(string) bool { return false }

func (s side) Suspect(string) {}

// serve starts the owner beside a service that is being configured.
func (o *Owner) serve(t testing.TB, served *api.Config) {
	t.Helper()
	listening := httptest.NewUnstartedServer(o)
	listening.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateHijacked {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.conns = append(o.conns, c)
		}
	}
	listening.Start()
	t.Cleanup(listening.Close)
	patience := o.Patience
	if patience == 0 {
		patience = time.Minute
	}
	at := forward.Member{Instance: "owner", Address: listening.URL, Epoch: 2}
	asked, seen := forward.Member{Instance: "asked", Address: "http://asked.example", Epoch: 1}, at
	if o.Round {
		seen = forward.Member{Instance: "asked", Address: listening.URL, Epoch: 1}
	}
	config := forward.Config{
		Secret: peerSecret, Members: side{at, seen}, Now: served.Rest.Now, Logger: slog.New(slog.DiscardHandler),
		Timeout: patience,
	}
	own := *served
	o.own = o.peers(t, config)
	own.Peers = o.own
	var err error
	if o.Server, err = api.New(own); err != nil {
		t.Fatal(err)
	}
	config.Members = side{asked, at}
	config.Observe = func(outcome forward.Outcome, _ time.Duration) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.outcomes = append(o.outcomes, outcome)
	}
	served.Peers = o.peers(t, config)
}

func (o *Owner) peers(t testing.TB, c forward.Config) *forward.Peers {
	t.Helper()
	p, err := forward.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP is the owner's address.
func (o *Owner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := o.own.Accept(w, r, r.RemoteAddr, o.carryOut); err != nil {
		o.Server.ServeHTTP(w, r)
	}
}

// carryOut answers as the owner, or as a test has set.
func (o *Owner) carryOut(act *forward.Act) (forward.Answer, error) {
	o.Acts.Add(1)
	o.mu.Lock()
	o.came = append(o.came, clone(act))
	o.mu.Unlock()
	if meet := o.meet.Load(); meet != nil {
		return (*meet)(act)
	}
	return o.Server.CarryOut(act)
}

func clone(act *forward.Act) *forward.Act {
	same := *act
	same.Header, same.Body = act.Header.Clone(), bytes.Clone(act.Body)
	return &same
}

// Meets has the owner do something else from now on; nil has it answer.
func (o *Owner) Meets(other forward.CarryOut) {
	if other == nil {
		o.meet.Store(nil)
		return
	}
	o.meet.Store(&other)
}

// Dies breaks the connections to the owner. It does not answer.
func (o *Owner) Dies() (forward.Answer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.conns {
		_ = c.Close()
	}
	return forward.Answer{}, errors.New("it is dead")
}

// Last returns the last act that came from the service.
func (o *Owner) Last(t *testing.T) *forward.Act {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.came) == 0 {
		t.Fatal("nothing came to the owner")
	}
	return clone(o.came[len(o.came)-1])
}

// Outcome returns the outcome of the last act.
func (o *Owner) Outcome() forward.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.outcomes[len(o.outcomes)-1]
}
