package forward

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
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
	dead     atomic.Bool // the owner lives no more
	looked   chan struct{}
}

// seat is one instance's view of them.
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

// town is two instances: one that is asked, and the owner, which answers as a test says.
type town struct {
	*club
	asked, owner *Peers
	clock        atomic.Int64 // of the service, ms
	server       *httptest.Server
	outcomes     []Outcome
	done         atomic.Int64                                                                        // acts that the owner has carried out
	answer       atomic.Pointer[func(http.ResponseWriter, *http.Request, func(http.ResponseWriter))] // nil: as it should
}

func (w *town) now() time.Time { return time.UnixMilli(w.clock.Load()) }

func newTown(t testing.TB, patience time.Duration) *town {
	t.Helper()
	w := &town{club: &club{looked: make(chan struct{}, 1)}}
	w.clock.Store(1_700_000_000_000)
	w.server = httptest.NewServer(w)
	t.Cleanup(w.server.Close)
	w.club.owner = Member{"owner", w.server.URL, 7}
	config := Config{Secret: secret, Now: w.now, Logger: slog.New(slog.DiscardHandler), Patience: patience}
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

// ServeHTTP is the owner: it verifies an act, says what it was, and signs.
func (w *town) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	act := func(to http.ResponseWriter) {
		received, verdict := w.owner.Receive(r, body)
		header := to.Header()
		header.Set("Content-Type", "text/plain")
		switch verdict {
		case Genuine:
			w.done.Add(1)
			text := fmt.Appendf(nil, "%s %s %s for %s at %d", received.Act.Method, received.Act.URI, received.Act.Body,
				received.Act.Identity.Login, received.Act.At)
			header.Set("Location", "/there")
			w.owner.SignAnswer(received, http.StatusFound, header, text)
			to.WriteHeader(http.StatusFound)
			_, _ = to.Write(text)
		case Refused:
			w.owner.SignRefusal(received, http.StatusUnauthorized, header, nil)
			to.WriteHeader(http.StatusUnauthorized)
		default:
			to.WriteHeader(http.StatusUnauthorized)
		}
	}
	if other := w.answer.Load(); other != nil {
		(*other)(to, r, act)
		return
	}
	act(to)
}

// answers has the owner answer otherwise from now on.
func (w *town) answers(other func(to http.ResponseWriter, r *http.Request, act func(http.ResponseWriter))) {
	w.answer.Store(&other)
}

func (w *town) act() *Act {
	return &Act{
		Method: http.MethodPost, URI: "/api/v1/games/g%2F1/moves?x=1", Body: []byte(`{"move":"c1"}`), OnGame: true,
		Header:  http.Header{"Accept": {"application/json"}, "Cookie": {"quatuor=secret"}, "Authorization": {"Bearer secret"}},
		Address: "192.0.2.7", Identity: auth.Identity{AccountID: "a", Login: "ada", Scopes: []auth.Scope{auth.ScopePlay}},
		At: w.clock.Load() - 20,
	}
}

// send sends an act to the owner.
func (w *town) send(t testing.TB, act *Act) (Answer, Outcome) {
	t.Helper()
	owner, elsewhere := w.asked.Owner("g")
	if !elsewhere {
		t.Fatal("the owner is not another one")
	}
	return w.asked.Send(t.Context(), owner, act)
}

// patient is longer than any answer takes on a busy machine.
const patient = time.Minute

func TestAnswersComeThrough(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	w := newTown(t, patient)
	for range 3 { // one connection serves them all
		gone, leave := context.WithCancel(t.Context())
		leave() // the client has hung up
		owner, _ := w.asked.Owner("g")
		answer, outcome := w.asked.Send(gone, owner, w.act())
		want := fmt.Sprintf(`POST /api/v1/games/g%%2F1/moves?x=1 {"move":"c1"} for ada at %d`, w.clock.Load()-20)
		if outcome != Answered || answer.Status != http.StatusFound || string(answer.Body) != want || answer.Header.Get("Location") != "/there" {
			t.Fatalf("outcome %d: %+v %s", outcome, answer, answer.Body)
		}
	}
	if w.done.Load() != 3 || len(w.outcomes) != 3 || len(w.suspected()) != 0 {
		t.Errorf("%d acts, outcomes %v, suspects %v", w.done.Load(), w.outcomes, w.suspected())
	}
}

// TestWhoIsSentNothing: an instance without an address, this one itself, and one that is not known.
func TestWhoIsSentNothing(t *testing.T) {
	w := newTown(t, patient)
	for _, owner := range []Member{{}, {"owner", "", 7}, {"asked", w.server.URL, 3}} {
		w.club.owner = owner
		if _, elsewhere := w.asked.Owner("g"); elsewhere {
			t.Errorf("acts go to %+v", owner)
		}
	}
}

// breakOff ends the connection of a request.
func breakOff(t testing.TB, to http.ResponseWriter) {
	conn, _, err := http.NewResponseController(to).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_ = conn.Close()
}

// TestAnOwnerThatDoesNotAnswer lets the owner fail in every way. An act that it may have carried out is never said not to have
// been; after each failure it is left alone.
func TestAnOwnerThatDoesNotAnswer(t *testing.T) {
	type reply = func(to http.ResponseWriter, r *http.Request, act func(http.ResponseWriter))
	for _, tt := range []struct {
		name      string
		answer    reply
		outcome   Outcome
		done      int64
		suspected bool
	}{
		{"frozen before it acts", func(_ http.ResponseWriter, r *http.Request, _ func(http.ResponseWriter)) { <-r.Context().Done() }, Unknown, 0, true},
		{"frozen after it has acted", func(_ http.ResponseWriter, r *http.Request, act func(http.ResponseWriter)) {
			act(httptest.NewRecorder())
			<-r.Context().Done()
		}, Unknown, 1, true},
		{"killed before it acts", func(to http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) { breakOff(t, to) }, Unknown, 0, true},
		{"killed after it has acted", func(to http.ResponseWriter, _ *http.Request, act func(http.ResponseWriter)) {
			act(httptest.NewRecorder())
			breakOff(t, to)
		}, Unknown, 1, true},
		{"an answer that is cut", func(to http.ResponseWriter, _ *http.Request, act func(http.ResponseWriter)) {
			whole := httptest.NewRecorder()
			act(whole)
			conn, _, err := http.NewResponseController(to).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(conn, "HTTP/1.1 302 Found\r\n%s: %s\r\nContent-Type: text/plain\r\nLocation: /there\r\nContent-Length: %d\r\n\r\n%s",
				headerAnswer, whole.Header().Get(headerAnswer), whole.Body.Len(), whole.Body.String()[:5])
			_ = conn.Close()
		}, Unknown, 1, true},
		{"an answer that is cut and closed", func(to http.ResponseWriter, _ *http.Request, act func(http.ResponseWriter)) {
			whole := httptest.NewRecorder()
			act(whole)
			to.Header().Set(headerAnswer, whole.Header().Get(headerAnswer))
			to.WriteHeader(whole.Code)
			_, _ = to.Write(whole.Body.Bytes()[:5])
		}, Unknown, 1, false},
		{"an answer without a signature", func(to http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) {
			_, _ = io.WriteString(to, "done")
		}, Unknown, 0, false},
		{"an answer to another request", func(to http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) {
			to.Header().Set("Content-Type", "text/plain")
			w := newTown(t, patient)
			w.owner.SignAnswer(Received{nonce: "another"}, http.StatusOK, to.Header(), []byte("done"))
			_, _ = io.WriteString(to, "done")
		}, Unknown, 0, false},
		{"an answer with another body", changed(func(a *httptest.ResponseRecorder) { a.Body.WriteString("!") }), Unknown, 1, false},
		{"an answer with another status", changed(func(a *httptest.ResponseRecorder) { a.Code = http.StatusOK }), Unknown, 1, false},
		{"an answer with another header", changed(func(a *httptest.ResponseRecorder) { a.Header().Set("Location", "//evil") }), Unknown, 1, false},
		{"an answer with one header more", changed(func(a *httptest.ResponseRecorder) { a.Header().Set("Link", "</evil>") }), Unknown, 1, false},
		{"a redirection elsewhere", func(to http.ResponseWriter, r *http.Request, _ func(http.ResponseWriter)) {
			if r.URL.Path == "/elsewhere" {
				t.Error("a redirection was followed")
			}
			http.Redirect(to, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, Unknown, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newTown(t, patient)
			if _, outcome := w.send(t, w.act()); outcome != Answered { // so that there is a connection
				t.Fatalf("outcome %d", outcome)
			}
			w.asked.config.Patience = 200 * time.Millisecond
			w.answers(tt.answer)
			_, outcome := w.send(t, w.act())
			if outcome != tt.outcome || w.done.Load() != 1+tt.done {
				t.Errorf("outcome %d after %d acts, want %d after %d", outcome, w.done.Load(), tt.outcome, 1+tt.done)
			}
			if got := len(w.suspected()) > 0; got != tt.suspected {
				t.Errorf("suspected: %v", w.suspected())
			}
			w.answers(func(http.ResponseWriter, *http.Request, func(http.ResponseWriter)) {
				t.Error("the owner was not left alone")
			})
			if _, outcome := w.send(t, w.act()); outcome != NotSent {
				t.Errorf("afterwards the outcome is %d", outcome)
			}
		})
	}
}

// changed lets the owner act, and changes its answer on the way.
func changed(how func(*httptest.ResponseRecorder)) func(http.ResponseWriter, *http.Request, func(http.ResponseWriter)) {
	return func(to http.ResponseWriter, _ *http.Request, act func(http.ResponseWriter)) {
		whole := httptest.NewRecorder()
		act(whole)
		how(whole)
		for name, values := range whole.Header() {
			to.Header()[name] = values
		}
		to.WriteHeader(whole.Code)
		_, _ = to.Write(whole.Body.Bytes())
	}
}

// TestWhatIsSafeIsDoneHere: the same failure, of an act that may be done twice.
func TestWhatIsSafeIsDoneHere(t *testing.T) {
	w := newTown(t, patient)
	w.answers(func(to http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) { breakOff(t, to) })
	act := w.act()
	act.Repeatable = true
	if _, outcome := w.send(t, act); outcome != Again {
		t.Errorf("outcome %d", outcome)
	}
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
	if _, outcome := w.send(t, w.act()); outcome != NotSent || len(w.suspected()) != 1 {
		t.Errorf("without a connection the outcome is %d; suspects %v", outcome, w.suspected())
	}
	w = newTown(t, patient)
	act := w.act()
	act.Header.Set("Accept", strings.Repeat("x", maxSealed))
	if _, outcome := w.send(t, act); outcome != NotSent || len(w.suspected()) != 0 {
		t.Errorf("with long headers the outcome is %d; suspects %v", outcome, w.suspected())
	}
	if _, outcome := w.send(t, w.act()); outcome != Answered {
		t.Errorf("afterwards the outcome is %d", outcome)
	}
}

// TestTheOwnerRefuses: the owner has begun anew, or its clock is far from this one; it says so, and nothing was done.
func TestTheOwnerRefuses(t *testing.T) {
	for name, change := range map[string]func(*town){
		"another start":    func(w *town) { w.club.owner.Epoch++ },
		"another instance": func(w *town) { w.club.owner.Instance = "other" },
		"a clock ahead":    func(w *town) { w.owner.config.Now = func() time.Time { return w.now().Add(window + time.Second) } },
		"a clock behind":   func(w *town) { w.owner.config.Now = func() time.Time { return w.now().Add(-window - time.Second) } },
		"not known yet":    func(w *town) { w.owner.config.Members = seat{w.club, Member{"owner", "", 0}} },
	} {
		w := newTown(t, patient)
		change(w)
		if _, outcome := w.send(t, w.act()); outcome != NotSent || w.done.Load() != 0 {
			t.Errorf("%s: outcome %d after %d acts", name, outcome, w.done.Load())
		}
	}
}

// TestTheOwnerHasAnotherSecret: it cannot say that nothing was done, so that is not believed; then it is left alone.
func TestTheOwnerHasAnotherSecret(t *testing.T) {
	w := newTown(t, patient)
	other := w.owner.config
	other.Secret = secret + " of another club"
	w.owner = peers(t, other)
	if _, outcome := w.send(t, w.act()); outcome != Unknown || w.done.Load() != 0 {
		t.Errorf("outcome %d after %d acts", outcome, w.done.Load())
	}
	if _, outcome := w.send(t, w.act()); outcome != NotSent {
		t.Errorf("afterwards the outcome is %d", outcome)
	}
}

// TestATournamentTakesItsTime: an act without an end is waited for as long as its owner lives.
func TestATournamentTakesItsTime(t *testing.T) {
	w := newTown(t, time.Millisecond)
	act := w.act()
	act.OnGame = false
	w.asked.look = 20 * time.Millisecond
	w.answers(func(to http.ResponseWriter, _ *http.Request, answer func(http.ResponseWriter)) {
		<-w.looked // it is looked whether the owner lives, which takes longer than patience
		answer(to)
	})
	if _, outcome := w.send(t, act); outcome != Answered {
		t.Errorf("outcome %d", outcome)
	}
	w.answers(func(_ http.ResponseWriter, r *http.Request, _ func(http.ResponseWriter)) { <-r.Context().Done() })
	w.dead.Store(true)
	if _, outcome := w.send(t, act); outcome != Unknown {
		t.Errorf("with a dead owner the outcome is %d", outcome)
	}
}

// TestPauses: an instance that fails is left alone for longer each time, then one act tries it.
func TestPauses(t *testing.T) {
	w := newTown(t, patient)
	last := time.Duration(0)
	for i := range 12 {
		before := time.Now()
		w.asked.failed("owner", 0)
		length := w.asked.pause["owner"].until.Sub(before)
		if length < last-time.Second || length < shortestPause || length > longestPause+time.Minute {
			t.Errorf("pause %d is %v after %v", i, length, last)
		}
		last = length
		if !w.asked.resting("owner") {
			t.Error("it is not left alone")
		}
	}
	w.asked.pause["owner"].until = time.Now()
	if w.asked.resting("owner") || !w.asked.resting("owner") {
		t.Error("not one act alone tries it")
	}
	w.asked.fine("owner")
	if w.asked.resting("owner") {
		t.Error("it is left alone though it has answered")
	}
	for i := range 2 * maxPauses {
		w.asked.failed(fmt.Sprint(i), 0)
	}
	if n := len(w.asked.pause); n > maxPauses {
		t.Errorf("%d instances are remembered", n)
	}
}
