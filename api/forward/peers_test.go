package forward

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/auth"
)

// club is the instances that a test knows of.
type club struct {
	mu       sync.Mutex
	owner    Member
	suspects []string
	dead     atomic.Bool // the owner is suspected
	gone     atomic.Bool // the owner has no heartbeat any more
	looked   chan struct{}
}

// seat is an instance's view of the club.
type seat struct {
	*club
	self Member
}

func (s seat) Owner(string) (Member, bool) { return s.owner, s.owner.Instance != "" }
func (s seat) Self() (Member, bool)        { return s.self, s.self.Epoch != 0 }

func (s seat) Lives(string) bool {
	select {
	case s.looked <- struct{}{}:
	default:
	}
	return !s.dead.Load()
}

func (s seat) Gone(string) bool { return s.gone.Load() }

func (s seat) Suspect(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suspects = append(s.suspects, instance)
}

func (c *club) suspected() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.suspects)
}

// town is a pair of instances: the first receives requests; the second, the owner, answers as the test sets.
type town struct {
	*club
	asked, owner *Peers
	clock        atomic.Int64 // of the service, ms
	server       *httptest.Server
	outcomes     []Outcome
	done         atomic.Int64          // acts that the owner has carried out
	other        atomic.Pointer[reply] // nil: as it should
}

// reply is an owner's handling of an act, in place of simply carrying it out.
type reply func(act *Act, carryOut CarryOut) (Answer, error)

func (w *town) now() time.Time { return time.UnixMilli(w.clock.Load()) }

const secret = "a secret that instances share, long enough"

func newTown(t testing.TB, patience time.Duration) *town {
	t.Helper()
	w := &town{club: &club{looked: make(chan struct{}, 1)}}
	w.clock.Store(1_700_000_000_000)
	w.server = httptest.NewServer(w)
	t.Cleanup(w.server.Close)
	w.club.owner = Member{"owner", w.server.URL, 7}
	config := Config{Secret: secret, Now: w.now, Logger: slog.New(slog.DiscardHandler), Timeout: patience}
	config.Members = seat{w.club, w.club.owner}
	w.owner = peers(t, config)
	config.Members = seat{w.club, Member{"asked", "http://asked.example", 3}}
	config.Observe = func(o Outcome, _ time.Duration) { w.outcomes = append(w.outcomes, o) }
	w.asked = peers(t, config)
	return w
}

func peers(t testing.TB, c Config) *Peers {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP is the owner's address.
func (w *town) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	if err := w.owner.Accept(to, r, hostOf(r.RemoteAddr), w.carryOut); err != nil {
		http.Error(to, err.Error(), http.StatusNotFound)
	}
}

func hostOf(address string) string {
	host, _, _ := strings.Cut(address, ":")
	return host
}

// carryOut is the owner: it echoes the act, or does what a test has set.
func (w *town) carryOut(act *Act) (Answer, error) {
	if other := w.other.Load(); other != nil {
		return (*other)(act, w.obey)
	}
	return w.obey(act)
}

func (w *town) obey(act *Act) (Answer, error) {
	w.done.Add(1)
	text := fmt.Appendf(nil, "%s %s %s for %s at %d", act.Method, act.URI, act.Body, act.Identity.Login, act.At)
	return Answer{http.StatusFound, http.Header{"Location": {"/there"}, "Set-Cookie": {"no business of others"}}, text},
		nil
}

// answers has the owner do something else from now on.
func (w *town) answers(other reply) { w.other.Store(&other) }

// cut breaks the connections to the owner, as its death would.
func (w *town) cut() {
	w.owner.mu.Lock()
	taken := slices.Collect(maps.Keys(w.owner.taken))
	w.owner.mu.Unlock()
	for _, g := range taken {
		_ = g.Conn.Close()
	}
}

func (w *town) act() *Act {
	return &Act{
		Method: http.MethodPost, URI: "/api/v1/games/g%2F1/moves?x=1", Body: []byte(`{"move":"c1"}`),
		Header: http.Header{
			"Accept": {"application/json"}, "Cookie": {"quatuor=secret"}, "Authorization": {"Bearer secret"},
		},
		Address: "192.0.2.7", Identity: auth.Identity{AccountID: "a", Login: "ada", Scopes: []auth.Scope{auth.ScopePlay}},
		At: w.clock.Load() - 20,
	}
}

// onGame is the kind of most acts.
var onGame = Kind{OnGame: true}

// send sends an act to the owner.
func (w *town) send(t testing.TB, act *Act, kind Kind) (Answer, Outcome) {
	t.Helper()
	owner, elsewhere := w.asked.Owner("g")
	if !elsewhere {
		t.Fatal("the owner is not another one")
	}
	return w.asked.Send(t.Context(), owner, act, kind)
}

// patient is longer than any answer takes on a busy machine.
const patient = time.Minute

func TestAnswersComeThrough(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	w := newTown(t, patient)
	for range 3 { // the same connection serves them all
		gone, leave := context.WithCancel(t.Context())
		leave() // the client has hung up
		owner, _ := w.asked.Owner("g")
		answer, outcome := w.asked.Send(gone, owner, w.act(), onGame)
		want := fmt.Sprintf(`POST /api/v1/games/g%%2F1/moves?x=1 {"move":"c1"} for ada at %d`, w.clock.Load()-20)
		if outcome != Answered || answer.Status != http.StatusFound || string(answer.Body) != want ||
			answer.Header.Get("Location") != "/there" || len(answer.Header) != 1 {
			t.Fatalf("outcome %d: %+v %s", outcome, answer, answer.Body)
		}
	}
	if w.done.Load() != 3 || len(w.outcomes) != 3 || len(w.suspected()) != 0 {
		t.Errorf("%d acts, outcomes %v, suspects %v", w.done.Load(), w.outcomes, w.suspected())
	}
}

// TestPeersWithoutAnAddressGetNothing: an instance without an address, the sender itself, and an unknown instance.
func TestPeersWithoutAnAddressGetNothing(t *testing.T) {
	w := newTown(t, patient)
	for _, owner := range []Member{{}, {"owner", "", 7}, {"asked", w.server.URL, 3}} {
		w.club.owner = owner
		if _, elsewhere := w.asked.Owner("g"); elsewhere {
			t.Errorf("acts go to %+v", owner)
		}
	}
}

// TestAnOwnerThatDoesNotAnswer lets the owner fail in every way. An act that it may have carried out is never reported
// not to have been; after each failure it is left alone. What may be done twice is then done here.
func TestAnOwnerThatDoesNotAnswer(t *testing.T) {
	for name, fail := range map[string]func(w *town, end <-chan struct{}){
		"frozen":   func(_ *town, end <-chan struct{}) { <-end },
		"killed":   func(w *town, end <-chan struct{}) { w.cut(); <-end },
		"panicked": nil,
	} {
		for _, acts := range []int64{0, 1} {
			for _, kind := range []Kind{{OnGame: true}, {OnGame: true, Repeatable: true}} {
				t.Run(fmt.Sprintf("%s after %d acts, repeatable %v", name, acts, kind.Repeatable), func(t *testing.T) {
					w := newTown(t, patient)
					w.sendAnswered(t) // so that a connection exists
					end := make(chan struct{})
					defer close(end)
					w.answers(func(act *Act, carryOut CarryOut) (Answer, error) {
						if acts > 0 {
							_, _ = carryOut(act)
						}
						if fail != nil {
							fail(w, end)
						}
						return Answer{}, errors.New("panicked")
					})
					w.asked.config.Timeout = 200 * time.Millisecond
					want := map[bool]Outcome{false: Unknown, true: Again}[kind.Repeatable]
					if _, outcome := w.send(t, w.act(), kind); outcome != want || w.done.Load() != 1+acts {
						t.Errorf("outcome %d after %d acts, want %d after %d", outcome, w.done.Load(), want, 1+acts)
					}
					if len(w.suspected()) == 0 {
						t.Error("it is not suspected")
					}
					w.answers(func(*Act, CarryOut) (Answer, error) {
						t.Error("the owner was not left alone")
						return Answer{}, nil
					})
					if _, outcome := w.send(t, w.act(), kind); outcome != NotSent {
						t.Errorf("afterwards the outcome is %d", outcome)
					}
				})
			}
		}
	}
}

// sendAnswered sends an act that is answered.
func (w *town) sendAnswered(t testing.TB) {
	t.Helper()
	if _, outcome := w.send(t, w.act(), onGame); outcome != Answered {
		t.Fatalf("outcome %d", outcome)
	}
}

// TestALateAnswerHoldsUpNoOther: acts after an overdue answer go by another connection, and acts beside it are
// answered.
func TestALateAnswerHoldsUpNoOther(t *testing.T) {
	w := newTown(t, patient)
	begun, end := make(chan struct{}, 2), make(chan struct{})
	w.answers(func(act *Act, carryOut CarryOut) (Answer, error) {
		if string(act.Body) == "slow" {
			begun <- struct{}{}
			<-end
		}
		return carryOut(act)
	})
	var waiting sync.WaitGroup
	slow := func(patience time.Duration, want Outcome) {
		w.asked.config.Timeout = patience
		act := w.act()
		act.Body = []byte("slow")
		owner, _ := w.asked.Owner("g")
		waiting.Go(func() {
			if _, outcome := w.asked.send(t.Context(), owner.member, act, onGame); outcome != want {
				t.Errorf("outcome %d, want %d", outcome, want)
			}
		})
		<-begun
	}
	slow(patient, Answered)
	w.sendAnswered(t) // beside it
	slow(50*time.Millisecond, Unknown)
	for !w.asked.backingOff("owner") { // until it was given up
		runtime.Gosched()
	}
	w.asked.config.Timeout = patient
	w.asked.succeeded("owner")
	w.sendAnswered(t)
	w.owner.mu.Lock()
	if n := len(w.owner.taken); n != 2 {
		t.Errorf("there are %d connections, want 2", n)
	}
	w.owner.mu.Unlock()
	close(end)
	waiting.Wait()
}

// TestAConnectionThatBroke is noticed before the next act, which is sent over a new connection.
func TestAConnectionThatBroke(t *testing.T) {
	w := newTown(t, patient)
	for range 3 {
		w.sendAnswered(t)
		w.cut()
		for w.connections() > 0 {
			runtime.Gosched()
		}
	}
	w.sendAnswered(t)
	if n := w.connections(); n != 1 {
		t.Errorf("%d connections are kept", n)
	}
}

// TestALineThatHasEnded: what it no longer takes was certainly not sent.
func TestALineThatHasEnded(t *testing.T) {
	w := newTown(t, patient)
	w.sendAnswered(t)
	key := connKey{w.club.owner, true}
	l, err := w.asked.conn(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	w.cut()
	for w.connections() > 0 {
		runtime.Gosched()
	}
	m := &Message{To: "owner", From: "asked", Epoch: 7, Moment: w.clock.Load(), Act: *w.act()}
	if _, outcome := w.asked.call(t.Context(), key, l, m); outcome != NotSent {
		t.Errorf("outcome %d", outcome)
	}
}

// TestConnectingWhileItEnds: an instance that ends while it connects keeps no connection, and hangs nowhere.
func TestConnectingWhileItEnds(t *testing.T) {
	w := newTown(t, patient)
	w.asked.Close()
	if _, outcome := w.send(t, w.act(), onGame); outcome != NotSent || w.connections() != 0 {
		t.Errorf("outcome %d, %d connections", outcome, w.connections())
	}
}

// connections returns how many the receiving instance keeps.
func (w *town) connections() int {
	w.asked.mu.Lock()
	defer w.asked.mu.Unlock()
	return len(w.asked.conns)
}

// TestManyAtOnce sends acts from many goroutines, with small and large bodies: each gets its own answer.
func TestManyAtOnce(t *testing.T) {
	w := newTown(t, patient)
	w.asked.config.Observe = func(Outcome, time.Duration) {}
	w.answers(func(act *Act, _ CarryOut) (Answer, error) { return Answer{Status: http.StatusOK, Body: act.Body}, nil })
	for _, kind := range []Kind{{}, onGame} { // so that connections exist
		if _, outcome := w.send(t, w.act(), kind); outcome != Answered {
			t.Fatalf("outcome %d", outcome)
		}
	}
	var all sync.WaitGroup
	owner, _ := w.asked.Owner("g")
	for n := range 2 * maxInFlight {
		all.Go(func() {
			act := w.act()
			act.Body = []byte(strings.Repeat(fmt.Sprintln(n), 1+n%7*3000))
			answer, outcome := w.asked.Send(t.Context(), owner, act, Kind{OnGame: n%5 > 0})
			if outcome != Answered || !bytes.Equal(answer.Body, act.Body) {
				t.Errorf("%d: outcome %d, %d bytes", n, outcome, len(answer.Body))
			}
		})
	}
	all.Wait()
}

// TestNothingWasSent: no connection, or headers that are too long.
func TestNothingWasSent(t *testing.T) {
	w := newTown(t, patient)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.club.owner.Address = "http://" + closed.Addr().String()
	closed.Close()
	if _, outcome := w.send(t, w.act(), onGame); outcome != NotSent || len(w.suspected()) != 1 {
		t.Errorf("without a connection the outcome is %d; suspects %v", outcome, w.suspected())
	}
	w = newTown(t, patient)
	act := w.act()
	act.Header.Set("Accept", strings.Repeat("x", maxHeader))
	if _, outcome := w.send(t, act, onGame); outcome != NotSent || len(w.suspected()) != 0 {
		t.Errorf("with long headers the outcome is %d; suspects %v", outcome, w.suspected())
	}
	w.sendAnswered(t)
}

// TestTheOwnerRefuses: the owner has restarted, or its clock is far from the sender's, or it ends; it refuses, and
// nothing was done.
func TestTheOwnerRefuses(t *testing.T) {
	for name, change := range map[string]func(*town){
		"another start":    func(w *town) { w.club.owner.Epoch++ },
		"another instance": func(w *town) { w.club.owner.Instance = "other" },
		"a clock ahead": func(w *town) {
			w.owner.config.Now = func() time.Time { return w.now().Add(window + time.Second) }
		},
		"a clock behind": func(w *town) {
			w.owner.config.Now = func() time.Time { return w.now().Add(-window - time.Second) }
		},
		"not known yet": func(w *town) { w.owner.config.Members = seat{w.club, Member{"owner", "", 0}} },
		"this one":      func(w *town) { w.owner.config.Members = seat{w.club, Member{"asked", "", 7}} },
		"ending":        func(w *town) { w.sendAnswered(t); w.done.Store(0); _ = w.owner.Drain(t.Context()) },
		"ended":         func(w *town) { _ = w.owner.Drain(t.Context()) },
	} {
		w := newTown(t, patient)
		change(w)
		if _, outcome := w.send(t, w.act(), onGame); outcome != NotSent || w.done.Load() != 0 {
			t.Errorf("%s: outcome %d after %d acts", name, outcome, w.done.Load())
		}
	}
}

// TestDrainWaits: acts that another instance has sent are answered before this instance ends.
func TestDrainWaits(t *testing.T) {
	w := newTown(t, patient)
	begun, end := make(chan struct{}), make(chan struct{})
	w.answers(func(act *Act, carryOut CarryOut) (Answer, error) {
		close(begun)
		<-end
		return carryOut(act)
	})
	var waiting sync.WaitGroup
	waiting.Go(func() { w.sendAnswered(t) })
	<-begun
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := w.owner.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it did not wait: %v", err)
	}
	close(end)
	if err := w.owner.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	waiting.Wait()
}

// TestTheOwnerHasAnotherSecret: nothing is sent to it, and it is left alone.
func TestTheOwnerHasAnotherSecret(t *testing.T) {
	w := newTown(t, patient)
	other := w.owner.config
	other.Secret = secret + " of another club"
	w.owner = peers(t, other)
	before := time.Now()
	if _, outcome := w.send(t, w.act(), onGame); outcome != NotSent || w.done.Load() != 0 || len(w.suspected()) > 0 {
		t.Errorf("outcome %d after %d acts, suspects %v", outcome, w.done.Load(), w.suspected())
	}
	if rest := w.asked.backoffs["owner"].until.Sub(before); rest < badPeerBackoff {
		t.Errorf("it is left alone for %v", rest)
	}
}

// TestATournamentTakesItsTime: an act without an end is waited for as long as its owner lives.
func TestATournamentTakesItsTime(t *testing.T) {
	w := newTown(t, time.Millisecond)
	w.asked.checkEvery = 20 * time.Millisecond
	w.answers(func(act *Act, carryOut CarryOut) (Answer, error) {
		<-w.looked // it is looked whether the owner lives, which takes longer than patience
		return carryOut(act)
	})
	if _, outcome := w.send(t, w.act(), Kind{}); outcome != Answered {
		t.Errorf("outcome %d", outcome)
	}
	end := make(chan struct{})
	defer close(end)
	w.answers(func(*Act, CarryOut) (Answer, error) { <-end; return Answer{}, nil })
	w.dead.Store(true)
	if _, outcome := w.send(t, w.act(), Kind{}); outcome != Unknown {
		t.Errorf("with a dead owner the outcome is %d", outcome)
	}
	w.asked.succeeded("owner")
	w.asked.checkEvery = time.Second
	w.answers(func(*Act, CarryOut) (Answer, error) { w.gone.Store(true); <-end; return Answer{}, nil })
	begun := time.Now() // what has no heartbeat any more is not waited for
	if _, outcome := w.send(t, w.act(), Kind{}); outcome != Unknown {
		t.Errorf("with an owner that is gone the outcome is %d", outcome)
	} else if took := time.Since(begun); took > maxMissed*w.asked.checkEvery {
		t.Errorf("it was waited for for %v", took)
	}
}
