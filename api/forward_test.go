package api_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/tournament/account"
)

const peerSecret = "the secret of the instances of a test"

// owner is another server on the same tables and the same database. Acts that arrive at the service go to it.
type owner struct {
	patience time.Duration // 0 for longer than any answer takes on a busy machine
	round    bool          // it takes the service for the owner

	server *api.Server
	own    *forward.Peers
	acts   atomic.Int64                     // that have come
	meet   atomic.Pointer[forward.CarryOut] // what it does instead of answering; nil for nothing else

	mu       sync.Mutex
	conns    []net.Conn     // from the service
	came     []*forward.Act // as they came
	outcomes []forward.Outcome
}

// side is one server's view of the two.
type side struct{ self, owner forward.Member }

func (s side) Owner(string) (forward.Member, bool) { return s.owner, true }
func (s side) Self() (forward.Member, bool)        { return s.self, true }
func (s side) Lives(string) bool                   { return true }
func (s side) Gone(string) bool                    { return false }
func (s side) Suspect(string)                      {}

// serve starts the owner beside a service that is being configured.
func (o *owner) serve(t testing.TB, served *api.Config) {
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
		Secret: peerSecret, Members: side{at, seen}, Now: served.Rest.Now, Logger: slog.New(slog.DiscardHandler), Timeout: patience,
	}
	own := *served
	o.own = o.peers(t, config)
	own.Peers = o.own
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

func (o *owner) peers(t testing.TB, c forward.Config) *forward.Peers {
	t.Helper()
	p, err := forward.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP is the owner's address.
func (o *owner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := o.own.Accept(w, r, r.RemoteAddr, o.carryOut); err != nil {
		o.server.ServeHTTP(w, r)
	}
}

// carryOut answers as the owner, or as a test has set.
func (o *owner) carryOut(act *forward.Act) (forward.Answer, error) {
	o.acts.Add(1)
	o.mu.Lock()
	o.came = append(o.came, clone(act))
	o.mu.Unlock()
	if meet := o.meet.Load(); meet != nil {
		return (*meet)(act)
	}
	return o.server.CarryOut(act)
}

func clone(act *forward.Act) *forward.Act {
	same := *act
	same.Header, same.Body = act.Header.Clone(), bytes.Clone(act.Body)
	return &same
}

// meets has the owner do something else from now on; nil has it answer.
func (o *owner) meets(other forward.CarryOut) {
	if other == nil {
		o.meet.Store(nil)
		return
	}
	o.meet.Store(&other)
}

// dies breaks the connections to the owner. It does not answer.
func (o *owner) dies() (forward.Answer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.conns {
		_ = c.Close()
	}
	return forward.Answer{}, errors.New("it is dead")
}

// last returns the last act that came from the service.
func (o *owner) last(t *testing.T) *forward.Act {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.came) == 0 {
		t.Fatal("nothing came to the owner")
	}
	return clone(o.came[len(o.came)-1])
}

// outcome returns what became of the last act.
func (o *owner) outcome() forward.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.outcomes[len(o.outcomes)-1]
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
	if o.acts.Load() != 1 || came.Identity.Login != "ada" || came.Header.Get("Authorization") != "" || came.Header.Get("Cookie") != "" {
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

// TestAnAnswerIsTheOwners requests tournaments: their answers have headers.
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

// TestAnOwnerThatDoesNotAnswer lets the owner fail before and after it has acted. A move is answered as if nothing had
// been, and is stored once. Time that an arbiter adds may have been added; it is never added twice.
func TestAnOwnerThatDoesNotAnswer(t *testing.T) {
	freeze := func(_ *owner, end <-chan struct{}) (forward.Answer, error) {
		<-end
		return forward.Answer{}, nil
	}
	kill := func(o *owner, _ <-chan struct{}) (forward.Answer, error) { return o.dies() }
	for _, tt := range []struct {
		name string
		fail func(*owner, <-chan struct{}) (forward.Answer, error)
		acts int
	}{
		{"frozen", freeze, 0},
		{"frozen when it had acted", freeze, 1},
		{"killed", kill, 0},
		{"killed when it had acted", kill, 1},
	} {
		start := func(t *testing.T) (o *owner, ada, root person, game string) {
			t.Parallel()
			o = &owner{patience: 300 * time.Millisecond}
			s := newService(t, elsewhere(o))
			ada = s.register("ada")
			game = "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
			end := make(chan struct{})
			t.Cleanup(func() { close(end) })
			o.meets(func(act *forward.Act) (forward.Answer, error) {
				if tt.acts > 0 {
					_, _ = o.server.CarryOut(act)
				}
				return tt.fail(o, end)
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
		o.meets(func(act *forward.Act) (forward.Answer, error) {
			_, _ = o.server.CarryOut(act)
			return o.dies()
		})
		if a := root.post(clock, added, key("once")).want(t, http.StatusOK); a.header.Get("Idempotent-Replayed") != "true" {
			t.Error("the owner's answer was not found")
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner had not begun", func(t *testing.T) {
		o, root, clock := start(t, nil)
		o.meets(func(*forward.Act) (forward.Answer, error) { return o.dies() })
		root.post(clock, added, key("once")).want(t, http.StatusOK)
		o.meets(nil)
		late, err := o.server.CarryOut(o.last(t)) // the owner begins now
		if err != nil || late.Status != http.StatusOK || late.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the owner answers %d %s, %v", late.Status, late.Body, err)
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner is at it", func(t *testing.T) {
		slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
		o, root, clock := start(t, func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow })
		var working sync.WaitGroup
		o.meets(func(act *forward.Act) (forward.Answer, error) {
			working.Go(func() { _, _ = o.server.CarryOut(act) })
			<-slow.begun
			return o.dies()
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

// TestAMoveWithAKeyIsNotHeldUp lets the owner stop between a move and its answer: the move is answered by the other
// server, though the owner still holds its key.
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
	o.meets(func(act *forward.Act) (forward.Answer, error) {
		working.Go(func() { _, _ = o.server.CarryOut(act) })
		<-slow.begun
		return o.dies()
	})
	if a := ada.post(game+"/moves", move(1, 1, "c1-c5"), key("move")).want(t, http.StatusOK); a.number("turn") != 2 {
		t.Errorf("%s", a.raw)
	}
}

// TestNoOneElseSpeaksForAnInstance requests a connection from outside: at a service that has a secret, and at one that
// has none.
func TestNoOneElseSpeaksForAnInstance(t *testing.T) {
	o := &owner{}
	with, without := newService(t, elsewhere(o)), newService(t, func(c *configuration) { c.owner = nil })
	for name, s := range map[string]*service{"with a secret": with, "without one": without} {
		ada := s.register("ada")
		game := "/games/" + duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
		for _, headers := range [][]header{nil, {{"Connection", "Upgrade"}}, {{"Connection", "Upgrade"}, {"Upgrade", "websocket"}}} {
			for _, p := range []person{ada, s.anonymous()} {
				p.get("//instances", headers...).want(t, http.StatusNotFound)
				if a := p.post("//instances", move(1, 1, "c1-c5"), headers...); a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed {
					t.Errorf("%s: a POST is answered with %d", name, a.status)
				}
			}
		}
		if a := ada.get(game).want(t, http.StatusOK); a.number("turn") != 1 {
			t.Errorf("%s: a move was made: %s", name, a.raw)
		}
	}
}

// TestAFloodKeepsNoInstanceOut: requests for connections between instances do not share the limit of an address, which
// may be a proxy's on an instance's machine.
func TestAFloodKeepsNoInstanceOut(t *testing.T) {
	s := newService(t, elsewhere(&owner{}), func(c *configuration) { c.limits = api.Limits{Address: api.Rate{Interval: time.Minute, Burst: 2}} })
	for range 3 {
		s.anonymous().get("/variants")
	}
	s.anonymous().get("/variants").want(t, http.StatusTooManyRequests)
	s.anonymous().get("//instances").want(t, http.StatusNotFound) // it would get further with an instance's proof
}

// TestAnOddAct: whatever an instance sends is answered, and brings none down.
func TestAnOddAct(t *testing.T) {
	o := &owner{}
	newService(t, elsewhere(o))
	for _, act := range []forward.Act{
		{},
		{Method: "PO ST", URI: "/"},
		{Method: http.MethodPost, URI: "%"},
		{Method: http.MethodPost, URI: "no path"},
		{Method: http.MethodPost, URI: "/api/v1/games/none/moves", Body: []byte("{")},
		{Method: http.MethodPost, URI: "/api/v1/games/none/moves", At: -1 << 63, Expires: 1},
	} {
		answer, err := o.server.CarryOut(&act)
		if err == nil && answer.Status < http.StatusBadRequest {
			t.Errorf("%+v is answered with %d %s", act, answer.Status, answer.Body)
		}
	}
}

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

// TestFormsGoToTheOwner plays by the forms of pages. What the owner answers is what a browser gets: the way back, the
// page with what was wrong in the reader's language, a word to a script.
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

// TestAFormThatMayHaveBeenCarriedOut is answered with a page that explains it, in the reader's language. A move is
// simply made.
func TestAFormThatMayHaveBeenCarriedOut(t *testing.T) {
	for _, in := range languages() {
		o := &owner{}
		s := newService(t, elsewhere(o), withRealPages)
		ada := s.register("ada")
		id := duel(t, ada, s.register("bob"), "quixo/duel", "300+3").text("id")
		o.meets(func(*forward.Act) (forward.Answer, error) { return o.dies() })
		form := func(act, body string) *answer {
			return ada.send(http.MethodPost, "//games/"+id+"/"+act, body, header{"Content-Type", "application/x-www-form-urlencoded"},
				header{"Accept", "text/html"}, inLanguage(in))
		}
		form("draw", "seat=1").want(t, http.StatusServiceUnavailable).has(t, `lang="`+in.Language()+`"`).says(t, textOf(t, in, "error.late_why"))
		form("move", "seat=1&turn=1&move=c1-c5").want(t, http.StatusSeeOther)
	}
}

// TestFormsNameWhatTheyActOn: every form about a game or a tournament is sent on to its owner, but for what is done
// after a game, or about its tournament.
func TestFormsNameWhatTheyActOn(t *testing.T) {
	s := newService(t, withRealPages)
	forms := 0
	for _, route := range s.server.Routes() {
		path, isPost := strings.CutPrefix(route, "POST ")
		if !isPost || strings.HasPrefix(path, contract.BasePath) {
			continue
		}
		want := command.Nothing
		switch {
		case path == "/games/:id/rematch", path == "/games/:id/call":
		case strings.HasPrefix(path, "/games/:id/"), strings.HasPrefix(path, "/play/:id/"):
			want = command.AGame
		case strings.HasPrefix(path, "/tournaments/:id/"):
			want = command.ATournament
		}
		if got := s.server.TargetOf(path); got != want {
			t.Errorf("%s acts on %v, want %v", path, got, want)
		}
		forms++
	}
	if forms < 60 {
		t.Errorf("there are %d forms", forms)
	}
}
