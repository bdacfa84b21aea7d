package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/tournament/account"
)

func elsewhere(o *apitest.Owner) func(*apitest.Config) {
	return func(c *apitest.Config) { c.Owner = o }
}

// TestActsGoToTheOwner makes a move and refused moves through a server that does not own the game.
func TestActsGoToTheOwner(t *testing.T) {
	o := &apitest.Owner{}
	s := apitest.New(t, elsewhere(o))
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	moves := "/games/" + id + "/moves"
	ada.Get("/games/"+id).Want(t, http.StatusOK)
	if o.Acts.Load() != 0 {
		t.Error("what creates or reads a game was sent on")
	}
	ada.Post(moves, apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
	came := o.Last(t)
	if o.Acts.Load() != 1 || came.Identity.Login != "ada" || came.Header.Get("Authorization") != "" || came.Header.Get("Cookie") != "" {
		t.Errorf("%d acts came, the last with %v", o.Acts.Load(), came.Header)
	}
	ada.Post(moves, apitest.Move(1, 2, "c1-c5")).Refused(t, http.StatusConflict, "not-awaited")
	bob.Post(moves, apitest.Move(2, 2, "c3-c5")).Refused(t, http.StatusUnprocessableEntity, "illegal-move").
		Has(t, `"legal"`)
	bob.Post(moves, apitest.Move(1, 2, "c3-c5")).Refused(t, http.StatusForbidden, "not-your-seat")
	if o.Acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.Acts.Load())
	}
	// What the first server refuses by itself goes nowhere.
	s.Anonymous().Post(moves, apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusUnauthorized, "unauthorized")
	bob.Post(moves, `{"seat":2}`).Refused(t, http.StatusBadRequest, "malformed")
	bob.TokenFor("read").Post(moves, apitest.Move(2, 2, "a1-a5")).Refused(t, http.StatusForbidden, "insufficient-scope")
	if o.Acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.Acts.Load())
	}
}

// TestAnAnswerIsTheOwners requests tournaments: their answers have headers.
func TestAnAnswerIsTheOwners(t *testing.T) {
	o := &apitest.Owner{}
	s := apitest.New(t, elsewhere(o))
	olga := s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post("/tournaments", swiss("Autumn")).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	changed := olga.Send(http.MethodPatch, path, map[string]any{"name": "Winter"}, made.IfMatch()).Want(t, http.StatusOK)
	if tag := changed.Header.Get("ETag"); tag == "" || tag == made.Header.Get("ETag") {
		t.Errorf("the tag is %q after %q", tag, made.Header.Get("ETag"))
	}
	olga.Send(http.MethodPatch, path, map[string]any{"name": "Spring"}, made.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	olga.Send(http.MethodPatch, path, map[string]any{"name": "Spring"}).Want(t, http.StatusPreconditionRequired)
	olga.Send(http.MethodDelete, path, nil, changed.IfMatch()).Want(t, http.StatusNoContent)
	if o.Acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.Acts.Load())
	}
}

func swiss(name string) map[string]any {
	return map[string]any{"name": name, "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3"}
}

// TestAnOwnerThatDoesNotAnswer lets the owner fail before and after it has acted. A move is answered as if nothing had
// been, and is stored once. Time that an arbiter adds may have been added; it is never added twice.
func TestAnOwnerThatDoesNotAnswer(t *testing.T) {
	freeze := func(_ *apitest.Owner, end <-chan struct{}) (forward.Answer, error) {
		<-end
		return forward.Answer{}, nil
	}
	kill := func(o *apitest.Owner, _ <-chan struct{}) (forward.Answer, error) { return o.Dies() }
	for _, tt := range []struct {
		name string
		fail func(*apitest.Owner, <-chan struct{}) (forward.Answer, error)
		acts int
	}{
		{"frozen", freeze, 0},
		{"frozen when it had acted", freeze, 1},
		{"killed", kill, 0},
		{"killed when it had acted", kill, 1},
	} {
		start := func(t *testing.T) (o *apitest.Owner, ada, root apitest.Person, game string) {
			t.Parallel()
			o = &apitest.Owner{Patience: 300 * time.Millisecond}
			s := apitest.New(t, elsewhere(o))
			ada = s.Register("ada")
			game = "/games/" + apitest.Duel(t, ada, s.Register("bob"), "quixo/duel", "300+3").Text("id")
			end := make(chan struct{})
			t.Cleanup(func() { close(end) })
			o.Meets(func(act *forward.Act) (forward.Answer, error) {
				if tt.acts > 0 {
					_, _ = o.Server.CarryOut(act)
				}
				return tt.fail(o, end)
			})
			return o, ada, s.WithRole("root", account.RoleAdmin), game
		}
		t.Run(tt.name+": a move", func(t *testing.T) {
			o, ada, _, game := start(t)
			if a := ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK); a.Number("turn") != 2 || o.Outcome() != forward.Again {
				t.Errorf("turn %v, outcome %d", a.Number("turn"), o.Outcome())
			}
			after := ada.Get(game).Want(t, http.StatusOK)
			if moves := bytes.Count(after.Raw, []byte(`"kind":"move"`)); moves != 1 || after.Number("turn") != 2 {
				t.Errorf("%d moves are stored: %s", moves, after.Raw)
			}
		})
		t.Run(tt.name+": an arbiter's act", func(t *testing.T) {
			o, _, root, game := start(t)
			a := root.Post(game+"/clock", apitest.Because("They were late.", "seat", 1, "add_ms", 60_000))
			if a.Refused(t, http.StatusServiceUnavailable, "outcome-unknown"); a.Header.Get("Retry-After") == "" || o.Outcome() != forward.Unknown {
				t.Errorf("outcome %d, with the header %v", o.Outcome(), a.Header)
			}
			after := root.Get(game).Want(t, http.StatusOK)
			if got := bytes.Count(after.Raw, []byte(`"60000"`)); got != tt.acts {
				t.Errorf("time was added %d times, want %d: %s", got, tt.acts, after.Raw)
			}
		})
	}
}

// TestAKeyIsUsedOnce lets the owner fail with an act that has an Idempotency-Key: it is carried out once, wherever.
func TestAKeyIsUsedOnce(t *testing.T) {
	added := apitest.Because("They were late.", "seat", 1, "add_ms", 60_000)
	start := func(t *testing.T, edit func(*api.Config)) (o *apitest.Owner, root apitest.Person, clock string) {
		o = &apitest.Owner{}
		s := apitest.New(t, elsewhere(o), func(c *apitest.Config) { c.Edit = edit })
		ada, bob := s.Register("ada"), s.Register("bob")
		return o, s.WithRole("root", account.RoleAdmin), "/games/" + apitest.Duel(t, ada, bob, "quixo/duel", "300+3").
			Text("id") + "/clock"
	}
	count := func(t *testing.T, root apitest.Person, clock string, want int) {
		t.Helper()
		game := root.Get(strings.TrimSuffix(clock, "/clock")).Want(t, http.StatusOK)
		if got := bytes.Count(game.Raw, []byte(`"60000"`)); got != want {
			t.Errorf("time was added %d times, want %d\n%s", got, want, game.Raw)
		}
	}
	t.Run("the owner had answered", func(t *testing.T) {
		o, root, clock := start(t, nil)
		o.Meets(func(act *forward.Act) (forward.Answer, error) {
			_, _ = o.Server.CarryOut(act)
			return o.Dies()
		})
		if a := root.Post(clock, added, apitest.Key("once")).
			Want(t, http.StatusOK); a.Header.Get("Idempotent-Replayed") != "true" {
			t.Error("the owner's answer was not found")
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner had not begun", func(t *testing.T) {
		o, root, clock := start(t, nil)
		o.Meets(func(*forward.Act) (forward.Answer, error) { return o.Dies() })
		root.Post(clock, added, apitest.Key("once")).Want(t, http.StatusOK)
		o.Meets(nil)
		late, err := o.Server.CarryOut(o.Last(t)) // the owner begins now
		if err != nil || late.Status != http.StatusOK || late.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the owner answers %d %s, %v", late.Status, late.Body, err)
		}
		count(t, root, clock, 1)
	})
	t.Run("the owner is at it", func(t *testing.T) {
		slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
		o, root, clock := start(t, func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow })
		var working sync.WaitGroup
		o.Meets(func(act *forward.Act) (forward.Answer, error) {
			working.Go(func() { _, _ = o.Server.CarryOut(act) })
			<-slow.begun
			return o.Dies()
		})
		root.Post(clock, added, apitest.Key("once")).Refused(t, http.StatusConflict, "request-in-progress")
		close(slow.goOn)
		working.Wait()
		if a := root.Post(clock, added, apitest.Key("once")).
			Want(t, http.StatusOK); a.Header.Get("Idempotent-Replayed") != "true" {
			t.Error("the owner's answer was not found")
		}
		count(t, root, clock, 1)
	})
}

// TestAMoveWithAKeyIsNotHeldUp lets the owner stop between a move and its answer: the move is answered by the other
// server, though the owner still holds its key.
func TestAMoveWithAKeyIsNotHeldUp(t *testing.T) {
	slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
	o := &apitest.Owner{Patience: time.Minute}
	s := apitest.New(t, elsewhere(o), func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow }
	})
	ada := s.Register("ada")
	game := "/games/" + apitest.Duel(t, ada, s.Register("bob"), "quixo/duel", "300+3").Text("id")
	var working sync.WaitGroup
	defer working.Wait()
	defer close(slow.goOn)
	o.Meets(func(act *forward.Act) (forward.Answer, error) {
		working.Go(func() { _, _ = o.Server.CarryOut(act) })
		<-slow.begun
		return o.Dies()
	})
	if a := ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5"), apitest.Key("move")).
		Want(t, http.StatusOK); a.Number("turn") != 2 {
		t.Errorf("%s", a.Raw)
	}
}

// TestNoOneElseSpeaksForAnInstance requests a connection from outside: at a service that has a secret, and at another
// that has none.
func TestNoOneElseSpeaksForAnInstance(t *testing.T) {
	o := &apitest.Owner{}
	with, without := apitest.New(t, elsewhere(o)), apitest.New(t, func(c *apitest.Config) { c.Owner = nil })
	for name, s := range map[string]*apitest.Service{"with a secret": with, "without one": without} {
		ada := s.Register("ada")
		game := "/games/" + apitest.Duel(t, ada, s.Register("bob"), "quixo/duel", "300+3").Text("id")
		for _, headers := range [][]apitest.Header{
			nil,
			{{"Connection", "Upgrade"}},
			{{"Connection", "Upgrade"}, {"Upgrade", "websocket"}},
		} {
			for _, p := range []apitest.Person{ada, s.Anonymous()} {
				p.Get("//instances", headers...).Want(t, http.StatusNotFound)
				if a := p.Post("//instances", apitest.Move(1, 1, "c1-c5"), headers...); a.Status != http.StatusNotFound && a.Status != http.StatusMethodNotAllowed {
					t.Errorf("%s: a POST is answered with %d", name, a.Status)
				}
			}
		}
		if a := ada.Get(game).Want(t, http.StatusOK); a.Number("turn") != 1 {
			t.Errorf("%s: a move was made: %s", name, a.Raw)
		}
	}
}

// TestAFloodKeepsNoInstanceOut: requests for connections between instances do not share the limit of an address, which
// may be a proxy's on an instance's machine.
func TestAFloodKeepsNoInstanceOut(t *testing.T) {
	s := apitest.New(t, elsewhere(&apitest.Owner{}),
		func(c *apitest.Config) { c.Limits = api.Limits{Address: api.Rate{Interval: time.Minute, Burst: 2}} })
	for range 3 {
		s.Anonymous().Get("/variants")
	}
	s.Anonymous().Get("/variants").Want(t, http.StatusTooManyRequests)
	s.Anonymous().Get("//instances").Want(t, http.StatusNotFound) // it would get further with an instance's proof
}

// TestAnOddAct: whatever an instance sends is answered, and brings none down.
func TestAnOddAct(t *testing.T) {
	o := &apitest.Owner{}
	apitest.New(t, elsewhere(o))
	for _, act := range []forward.Act{
		{},
		{Method: "PO ST", URI: "/"},
		{Method: http.MethodPost, URI: "%"},
		{Method: http.MethodPost, URI: "no path"},
		{Method: http.MethodPost, URI: "/api/v1/games/none/moves", Body: []byte("{")},
		{Method: http.MethodPost, URI: "/api/v1/games/none/moves", At: -1 << 63, Expires: 1},
	} {
		answer, err := o.Server.CarryOut(&act)
		if err == nil && answer.Status < http.StatusBadRequest {
			t.Errorf("%+v is answered with %d %s", act, answer.Status, answer.Body)
		}
	}
}

// TestNothingGoesRound has both servers take the other for the owner: the server that receives an act carries it out.
func TestNothingGoesRound(t *testing.T) {
	o := &apitest.Owner{Round: true}
	s := apitest.New(t, elsewhere(o))
	ada := s.Register("ada")
	game := "/games/" + apitest.Duel(t, ada, s.Register("bob"), "quixo/duel", "300+3").Text("id")
	ada.Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
	if o.Acts.Load() != 1 {
		t.Errorf("%d acts came, want 1", o.Acts.Load())
	}
}

// TestFormsGoToTheOwner plays by the forms of pages. A browser gets what the owner answers: the way back, the page with
// what was wrong in the reader's language, a word to a script.
func TestFormsGoToTheOwner(t *testing.T) {
	o := &apitest.Owner{}
	s := apitest.New(t, elsewhere(o), apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	form := func(p apitest.Person, path, body string, more ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPost, "//"+path, body,
			append(more, apitest.Header{"Content-Type", "application/x-www-form-urlencoded"})...)
	}
	a := form(ada, "games/"+id+"/move", "seat=1&turn=1&move=c1-c5").Want(t, http.StatusSeeOther)
	if to := a.Header.Get("Location"); !strings.HasPrefix(to, "/games/"+id) || o.Acts.Load() != 1 {
		t.Errorf("it leads to %q; %d acts came", to, o.Acts.Load())
	}
	wrong := form(bob, "games/"+id+"/move", "seat=2&turn=2&move=c3-c5", apitest.Header{"Accept-Language", "fr"}, apitest.Header{"Accept", "text/html"})
	wrong.Want(t, http.StatusConflict).Has(t, `role="alert"`, `lang="fr"`)
	if policy := wrong.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self'") ||
		o.Acts.Load() != 2 {
		t.Errorf("the policy is %q; %d acts came", policy, o.Acts.Load())
	}
	form(bob, "games/"+id+"/move", "seat=2&turn=2&move=a1-e1", apitest.Header{"Accept", "application/json"}).
		Want(t, http.StatusNoContent)
	form(bob, "games/"+id+"/resign", "seat=2").Want(t, http.StatusSeeOther)
	form(s.Anonymous(), "games/"+id+"/resign", "seat=1").Want(t, http.StatusSeeOther).Lacks(t, "said")
	if o.Acts.Load() != 4 {
		t.Errorf("%d acts came, want 4", o.Acts.Load())
	}
}

// TestAFormThatMayHaveBeenCarriedOut is answered with a page that explains it, in the reader's language. A move is
// simply made.
func TestAFormThatMayHaveBeenCarriedOut(t *testing.T) {
	for _, in := range apitest.Languages() {
		o := &apitest.Owner{}
		s := apitest.New(t, elsewhere(o), apitest.WithPages)
		ada := s.Register("ada")
		id := apitest.Duel(t, ada, s.Register("bob"), "quixo/duel", "300+3").Text("id")
		o.Meets(func(*forward.Act) (forward.Answer, error) { return o.Dies() })
		form := func(act, body string) *apitest.Answer {
			return ada.Send(http.MethodPost, "//games/"+id+"/"+act, body,
				apitest.Header{"Content-Type", "application/x-www-form-urlencoded"},
				apitest.Header{"Accept", "text/html"}, apitest.InLanguage(in))
		}
		form("draw", "seat=1").Want(t, http.StatusServiceUnavailable).Has(t, `lang="`+in.Language()+`"`).Says(t, apitest.TextOf(t, in, "error.late_why"))
		form("move", "seat=1&turn=1&move=c1-c5").Want(t, http.StatusSeeOther)
	}
}

// TestFormsNameWhatTheyActOn: every form about a game or a tournament is sent on to its owner, but for what is done
// after a game, or about its tournament.
func TestFormsNameWhatTheyActOn(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	forms := 0
	for _, route := range s.Server.Routes() {
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
		if got := s.Server.TargetOf(path); got != want {
			t.Errorf("%s acts on %v, want %v", path, got, want)
		}
		forms++
	}
	if forms < 60 {
		t.Errorf("there are %d forms", forms)
	}
}
