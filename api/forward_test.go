package api_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/forward"
	"quatuor/tournament/account"
)

const peerSecret = "the secret of the instances of a test"

// owner is another server on the same tables and the same database. Acts that arrive at the service go to it.
type owner struct {
	patience time.Duration // 0 for longer than any answer takes on a busy machine
	round    bool          // it takes the service for the owner

	server *api.Server
	acts   atomic.Int64                                                 // that have come
	meet   atomic.Pointer[func(w http.ResponseWriter, r *http.Request)] // what it does instead of answering; nil for nothing else

	mu       sync.Mutex
	wires    []*http.Request // what came, with its body
	outcomes []forward.Outcome
}

// side is one server's view of the two.
type side struct{ self, owner forward.Member }

func (s side) Owner(string) (forward.Member, bool) { return s.owner, true }
func (s side) Self() (forward.Member, bool)        { return s.self, true }
func (s side) Lives(string) bool                   { return true }
func (s side) Suspect(string)                      {}

// serve starts the owner beside a service that is being configured.
func (o *owner) serve(t *testing.T, served *api.Config) {
	t.Helper()
	listening := httptest.NewServer(o)
	t.Cleanup(listening.Close)
	patience := o.patience
	if patience == 0 {
		patience = time.Minute
	}
	at := forward.Member{Instance: "owner", Address: listening.URL, Epoch: 2}
	asked, seen := forward.Member{Instance: "asked", Address: "http://asked.example", Epoch: 1}, at
	if o.round {
		seen = forward.Member{Instance: "asked", Address: listening.URL, Epoch: 1}
	}
	config := forward.Config{
		Secret: peerSecret, Members: side{at, seen}, Now: served.Rest.Now, Logger: slog.New(slog.DiscardHandler), Patience: patience,
	}
	own := *served
	own.Peers = o.peers(t, config)
	var err error
	if o.server, err = api.New(own); err != nil {
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

func (o *owner) peers(t *testing.T, c forward.Config) *forward.Peers {
	t.Helper()
	p, err := forward.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP answers as the owner, or as a test has said.
func (o *owner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.acts.Add(1)
	body, _ := io.ReadAll(r.Body)
	seen := r.Clone(r.Context())
	seen.Body, r.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
	o.mu.Lock()
	o.wires = append(o.wires, seen)
	o.mu.Unlock()
	if meet := o.meet.Load(); meet != nil {
		(*meet)(w, r)
		return
	}
	o.server.ServeHTTP(w, r)
}

// meets has the owner do something else from now on; nil has it answer.
func (o *owner) meets(other func(w http.ResponseWriter, r *http.Request)) {
	if other == nil {
		o.meet.Store(nil)
		return
	}
	o.meet.Store(&other)
}

// last returns the last request that came from the service.
func (o *owner) last(t *testing.T) *http.Request {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.wires) == 0 {
		t.Fatal("nothing came to the owner")
	}
	return o.wires[len(o.wires)-1]
}

// outcome returns what became of the last act.
func (o *owner) outcome() forward.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.outcomes[len(o.outcomes)-1]
}

// replay lets a recorded request arrive at the owner once more.
func (o *owner) replay(r *http.Request) *httptest.ResponseRecorder {
	body, _ := io.ReadAll(r.Body)
	again := httptest.NewRequest(r.Method, r.RequestURI, bytes.NewReader(body))
	again.Header = r.Header.Clone()
	w := httptest.NewRecorder()
	o.server.ServeHTTP(w, again)
	return w
}

func elsewhere(o *owner) func(*configuration) { return func(c *configuration) { c.owner = o } }

// TestActsGoToTheOwner makes a move and refused ones through a server that does not own the game.
func TestActsGoToTheOwner(t *testing.T) {
	o := &owner{}
	s := newService(t, elsewhere(o))
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	moves := "/games/" + id + "/moves"
	ada.get("/games/"+id).want(t, http.StatusOK)
	if o.acts.Load() != 0 {
		t.Error("what creates or reads a game was sent on")
	}
	ada.post(moves, move(1, 1, "c1-c5")).want(t, http.StatusOK)
	came := o.last(t)
	if o.acts.Load() != 1 || came.Header.Get("Authorization") != "" || came.Header.Get("Cookie") != "" {
		t.Errorf("%d acts came, the last with %v", o.acts.Load(), came.Header)
	}
	ada.post(moves, move(1, 2, "c1-c5")).refused(t, http.StatusConflict, "not-awaited")
	bob.post(moves, move(2, 2, "c3-c5")).refused(t, http.StatusUnprocessableEntity, "illegal-move").has(t, `"legal"`)
	bob.post(moves, move(1, 2, "c3-c5")).refused(t, http.StatusForbidden, "not-your-seat")
	if o.acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.acts.Load())
	}
	// What the first server refuses by itself goes nowhere.
	s.anonymous().post(moves, move(1, 1, "c1-c5")).refused(t, http.StatusUnauthorized, "unauthorized")
	bob.post(moves, `{"seat":2}`).refused(t, http.StatusBadRequest, "malformed")
	bob.tokenFor("read").post(moves, move(2, 2, "a1-a5")).refused(t, http.StatusForbidden, "insufficient-scope")
	if o.acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.acts.Load())
	}
}

// TestAnAnswerIsTheOwners asks for tournaments, whose answers have headers.
func TestAnAnswerIsTheOwners(t *testing.T) {
	o := &owner{}
	s := newService(t, elsewhere(o))
	olga := s.withRole("olga", account.RoleOrganiser)
	made := olga.post("/tournaments", swiss("Autumn")).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	changed := olga.send(http.MethodPatch, path, map[string]any{"name": "Winter"}, made.etag()).want(t, http.StatusOK)
	if tag := changed.header.Get("ETag"); tag == "" || tag == made.header.Get("ETag") {
		t.Errorf("the tag is %q after %q", tag, made.header.Get("ETag"))
	}
	olga.send(http.MethodPatch, path, map[string]any{"name": "Spring"}, made.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	olga.send(http.MethodPatch, path, map[string]any{"name": "Spring"}).want(t, http.StatusPreconditionRequired)
	olga.send(http.MethodDelete, path, nil, changed.etag()).want(t, http.StatusNoContent)
	if o.acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.acts.Load())
	}
}

func swiss(name string) map[string]any {
	return map[string]any{"name": name, "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3"}
}

// TestAnOwnerThatDoesNotAnswer lets the owner fail before and after it has acted. A move is answered as if nothing had been, and
// is stored once. Time that an arbiter adds may have been added; it is never added twice.
func TestAnOwnerThatDoesNotAnswer(t *testing.T) {
	freeze := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	kill := func(w http.ResponseWriter, _ *http.Request) { breakOff(w) }
	forge := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"turn":99}`)
	}
	for _, tt := range []struct {
		name string
		fail func(w http.ResponseWriter, r *http.Request)
		acts int
	}{
		{"frozen", freeze, 0},
		{"frozen when it had acted", freeze, 1},
		{"killed", kill, 0},
		{"killed when it had acted", kill, 1},
		{"forged", forge, 0},
		{"forged when it had acted", forge, 1},
	} {
		start := func(t *testing.T) (o *owner, ada, root person, game string) {
			t.Parallel()
			o = &owner{patience: 300 * time.Millisecond}
			s := newService(t, elsewhere(o))
			ada = s.register("ada")
			game = "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
			o.meets(func(w http.ResponseWriter, r *http.Request) {
				if tt.acts > 0 {
					o.server.ServeHTTP(httptest.NewRecorder(), r)
				}
				tt.fail(w, r)
			})
			return o, ada, s.withRole("root", account.RoleAdmin), game
		}
		t.Run(tt.name+": a move", func(t *testing.T) {
			o, ada, _, game := start(t)
			if a := ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK); a.number("turn") != 2 || o.outcome() != forward.Again {
				t.Errorf("turn %v, outcome %d", a.number("turn"), o.outcome())
			}
			after := ada.get(game).want(t, http.StatusOK)
			if moves := bytes.Count(after.raw, []byte(`"kind":"move"`)); moves != 1 || after.number("turn") != 2 {
				t.Errorf("%d moves are stored: %s", moves, after.raw)
			}
		})
		t.Run(tt.name+": an arbiter's act", func(t *testing.T) {
			o, _, root, game := start(t)
			a := root.post(game+"/clock", because("They were late.", "seat", 1, "add_ms", 60_000))
			if a.refused(t, http.StatusServiceUnavailable, "outcome-unknown"); a.header.Get("Retry-After") == "" || o.outcome() != forward.Unknown {
				t.Errorf("outcome %d, with the header %v", o.outcome(), a.header)
			}
			after := root.get(game).want(t, http.StatusOK)
			if got := bytes.Count(after.raw, []byte(`"60000"`)); got != tt.acts {
				t.Errorf("time was added %d times, want %d: %s", got, tt.acts, after.raw)
			}
		})
	}
}

// TestAKeyIsUsedOnce lets the owner fail with an act that has an Idempotency-Key: it is carried out once, wherever.
func TestAKeyIsUsedOnce(t *testing.T) {
	added := because("They were late.", "seat", 1, "add_ms", 60_000)
	start := func(t *testing.T, edit func(*api.Config)) (o *owner, root person, clock string) {
		o = &owner{}
		s := newService(t, elsewhere(o), func(c *configuration) { c.edit = edit })
		ada, bob := s.register("ada"), s.register("bob")
		return o, s.withRole("root", account.RoleAdmin), "/games/" + duel(t, ada, bob, "quixo/duel", "300+3").text("id") + "/clock"
	}
	count := func(t *testing.T, root person, clock string, want int) {
		t.Helper()
		game := root.get(strings.TrimSuffix(clock, "/clock")).want(t, http.StatusOK)
		if got := bytes.Count(game.raw, []byte(`"60000"`)); got != want {
			t.Errorf("time was added %d times, want %d\n%s", got, want, game.raw)
		}
	}
	t.Run("the owner had answered", func(t *testing.T) {
		o, root, clock := start(t, nil)
		o.meets(func(w http.ResponseWriter, r *http.Request) {
			o.server.ServeHTTP(httptest.NewRecorder(), r)
			breakOff(w)
		})
		if a := root.post(clock, added, key("once")).want(t, http.StatusOK); a.header.Get("Idempotent-Replayed") != "true" {
			t.Error("the owner's answer was not found")
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner had not begun", func(t *testing.T) {
		o, root, clock := start(t, nil)
		o.meets(func(w http.ResponseWriter, _ *http.Request) { breakOff(w) })
		root.post(clock, added, key("once")).want(t, http.StatusOK)
		o.meets(nil)
		late := o.replay(o.last(t)) // the owner begins now
		if late.Code != http.StatusOK || late.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("the owner answers %d %s", late.Code, late.Body)
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner is at it", func(t *testing.T) {
		slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
		o, root, clock := start(t, func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow })
		var working sync.WaitGroup
		o.meets(func(w http.ResponseWriter, r *http.Request) {
			working.Go(func() { o.server.ServeHTTP(httptest.NewRecorder(), r) })
			<-slow.begun
			breakOff(w)
		})
		root.post(clock, added, key("once")).refused(t, http.StatusConflict, "request-in-progress")
		close(slow.goOn)
		working.Wait()
		if a := root.post(clock, added, key("once")).want(t, http.StatusOK); a.header.Get("Idempotent-Replayed") != "true" {
			t.Error("the owner's answer was not found")
		}
		count(t, root, clock, 1)
	})
}

// TestAMoveWithAKeyIsNotHeldUp lets the owner stop between a move and its answer: the move is answered by the other server, though
// the owner still holds its key.
func TestAMoveWithAKeyIsNotHeldUp(t *testing.T) {
	slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
	o := &owner{patience: time.Minute}
	s := newService(t, elsewhere(o), func(c *configuration) {
		c.edit = func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow }
	})
	ada := s.register("ada")
	game := "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
	var working sync.WaitGroup
	defer working.Wait()
	defer close(slow.goOn)
	o.meets(func(w http.ResponseWriter, r *http.Request) {
		working.Go(func() { o.server.ServeHTTP(httptest.NewRecorder(), r) })
		<-slow.begun
		breakOff(w)
	})
	if a := ada.post(game+"/moves", move(1, 1, "c1-c5"), key("move")).want(t, http.StatusOK); a.number("turn") != 2 {
		t.Errorf("%s", a.raw)
	}
}

// breakOff ends the connection of a request.
func breakOff(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// TestNoOneElseSpeaksForAnInstance sends requests with the headers of instances from outside: to a service that has a secret, and
// to one that has none. None is taken for anything, not even for an ordinary request.
func TestNoOneElseSpeaksForAnInstance(t *testing.T) {
	o := &owner{}
	with, without := newService(t, elsewhere(o)), newService(t, func(c *configuration) { c.owner = nil })
	for name, s := range map[string]*service{"with a secret": with, "without one": without} {
		ada := s.register("ada")
		game := "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
		for _, headers := range [][]header{
			{{"Quatuor-Forwarded", "AAAA"}},
			{{"Quatuor-Forwarded-Signature", ""}},
			{{"quatuor-forwarded-for", "ada"}},
			{{"Quatuor-Forwarded", "AAAA"}, {"Quatuor-Forwarded-Signature", "AAAA"}},
			{{"Quatuor-Forwarded", strings.Repeat("A", 60_000)}, {"Quatuor-Forwarded-Signature", strings.Repeat("A", 60_000)}},
		} {
			for _, p := range []person{ada, s.anonymous()} {
				for _, a := range []*answer{
					p.post(game+"/moves", move(1, 1, "c1-c5"), headers...), p.get("/games", headers...), p.get("//healthz", headers...),
				} {
					a.want(t, http.StatusUnauthorized).has(t, "/problems/unauthorized", "this did not come from another instance")
				}
			}
		}
		if a := ada.get(game).want(t, http.StatusOK); a.number("turn") != 1 {
			t.Errorf("%s: a move was made: %s", name, a.raw)
		}
	}
	if n := o.acts.Load(); n != 0 {
		t.Errorf("%d requests went on", n)
	}
}

// TestARecordingIsWorthless lets a request between instances arrive once more: as it was, at another address, and at the one
// that sent it. An owner that is not meant says so to none but the instances.
func TestARecordingIsWorthless(t *testing.T) {
	o := &owner{}
	s := newService(t, elsewhere(o))
	ada, bob := s.register("ada"), s.register("bob")
	game := "/games/" + duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	other := "/games/" + duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK)
	recorded := func() *http.Request {
		r := o.last(t).Clone(t.Context())
		text, _ := io.ReadAll(r.Body)
		o.last(t).Body, r.Body = io.NopCloser(bytes.NewReader(text)), io.NopCloser(bytes.NewReader(text))
		return r
	}
	var refusals []string
	for name, change := range map[string]func(*http.Request){
		"as it was":           func(*http.Request) {},
		"at another game":     func(r *http.Request) { r.RequestURI = "/api/v1" + other + "/moves" },
		"with another move":   func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"seat":1,"turn":1,"move":"a1-a5"}`)) },
		"as another reads it": func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+bob.token) },
	} {
		r := recorded()
		change(r)
		w := o.replay(r)
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		refusals = append(refusals, w.Body.String())
	}
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, recorded()) // which is not the instance that is meant
	if w.Code != http.StatusUnauthorized {
		t.Errorf("where it came from: %d %s", w.Code, w.Body)
	}
	same := func(text string) string { return ownWords.ReplaceAllString(text, "") }
	for _, text := range append(refusals, w.Body.String()) {
		if same(text) != same(refusals[0]) {
			t.Errorf("refusals differ: %s and %s", text, refusals[0])
		}
	}
	if a := ada.get(other).want(t, http.StatusOK); a.number("turn") != 1 {
		t.Errorf("a move was made: %s", a.raw)
	}
}

// ownWords are what a refusal says of the request alone.
var ownWords = regexp.MustCompile(`"(request_id|instance)":"[^"]*",?`)

// TestNothingGoesRound has both servers take the other for the owner: the one that is sent an act carries it out.
func TestNothingGoesRound(t *testing.T) {
	o := &owner{round: true}
	s := newService(t, elsewhere(o))
	ada := s.register("ada")
	game := "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
	ada.post(game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK)
	if o.acts.Load() != 1 {
		t.Errorf("%d acts came, want 1", o.acts.Load())
	}
}

// TestFormsGoToTheOwner plays by the forms of pages. What the owner answers is what a browser gets: the way back, the page with
// what was wrong in the reader's language, a word to a script.
func TestFormsGoToTheOwner(t *testing.T) {
	o := &owner{}
	s := newService(t, elsewhere(o), withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	form := func(p person, path, body string, more ...header) *answer {
		return p.send(http.MethodPost, "//"+path, body, append(more, header{"Content-Type", "application/x-www-form-urlencoded"})...)
	}
	a := form(ada, "games/"+id+"/move", "seat=1&turn=1&move=c1-c5").want(t, http.StatusSeeOther)
	if to := a.header.Get("Location"); !strings.HasPrefix(to, "/games/"+id) || o.acts.Load() != 1 {
		t.Errorf("it leads to %q; %d acts came", to, o.acts.Load())
	}
	wrong := form(bob, "games/"+id+"/move", "seat=2&turn=2&move=c3-c5", header{"Accept-Language", "fr"}, header{"Accept", "text/html"})
	wrong.want(t, http.StatusConflict).has(t, `role="alert"`, `lang="fr"`)
	if policy := wrong.header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self'") || o.acts.Load() != 2 {
		t.Errorf("the policy is %q; %d acts came", policy, o.acts.Load())
	}
	form(bob, "games/"+id+"/move", "seat=2&turn=2&move=a1-e1", header{"Accept", "application/json"}).want(t, http.StatusNoContent)
	form(bob, "games/"+id+"/resign", "seat=2").want(t, http.StatusSeeOther)
	form(s.anonymous(), "games/"+id+"/resign", "seat=1").want(t, http.StatusSeeOther).lacks(t, "said")
	if o.acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.acts.Load())
	}
}

// TestAFormThatMayHaveBeenCarriedOut says so, in the reader's language. A move is simply made.
func TestAFormThatMayHaveBeenCarriedOut(t *testing.T) {
	for language, said := range map[string]string{
		"en": "may or may not have been done", "fr": "peut-être été exécutée", "de": "wurde vielleicht ausgeführt",
	} {
		o := &owner{}
		s := newService(t, elsewhere(o), withRealPages)
		ada := s.register("ada")
		id := duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
		o.meets(func(w http.ResponseWriter, _ *http.Request) { breakOff(w) })
		form := func(act, body string) *answer {
			return ada.send(http.MethodPost, "//games/"+id+"/"+act, body, header{"Content-Type", "application/x-www-form-urlencoded"},
				header{"Accept", "text/html"}, header{"Accept-Language", language})
		}
		form("draw", "seat=1").want(t, http.StatusServiceUnavailable).has(t, said, `lang="`+language+`"`)
		form("move", "seat=1&turn=1&move=c1-c5").want(t, http.StatusSeeOther)
	}
}

// TestFormsThatActOnGamesAreThere: every form that is sent on by its route has that route.
func TestFormsThatActOnGamesAreThere(t *testing.T) {
	routes := newService(t, withRealPages).server.Routes()
	for _, path := range api.PageActs() {
		if !slices.Contains(routes, "POST "+path) {
			t.Errorf("there is no form at %s", path)
		}
	}
}
