package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/hooks"
	"quatuor/api/pages"
	"quatuor/cmd/quatuor/app"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestMain lets garbage pile up: the services of the tests are small and many, and a quarter of the time went into
// collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

// service is the whole program behind its API, on a real database, with a clock that tests can push forward.
type service struct {
	t      testing.TB
	server *api.Server
	guard  *auth.Guard
	db     *store.Store
	tables *table.Tables
	clock  func() time.Time
	ahead  atomic.Int64 // ns that the service's clock is ahead of clock
	log    *lockedBuffer
	folder string
	pages  *pages.Pages
	tick   func(context.Context) error // looks after the running arenas
	reveal func(context.Context) error // reveals the line-ups that are due
	start  func()                      // after stop: the program begins again on what it has stored
	stop   func()
}

// amount is how much a test does: with -short, as a rule, and with QUATUOR_LONG.
func amount(short, usual, long int) int {
	switch {
	case os.Getenv("QUATUOR_LONG") != "":
		return long
	case testing.Short():
		return short
	}
	return usual
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// configuration is what a test may want otherwise.
type configuration struct {
	auth   auth.Config // Registration and Limits count
	limits api.Limits
	pages  bool // the pages are served, too
	bots   bool // the bots play
	design bool // the page /design is served
	edit   func(*api.Config)
	hooks  func(*hooks.Config) // webhooks are sent to; nil for not
	seed   func() [32]byte     // of games with chance; random if nil
	clock  func() time.Time    // the system's if nil
	stored []byte              // the database to begin with; empty if nil
	owner  *owner              // acts go to another server, as if it owned everything; nil for none
}

// alone has no other server: for tests in a synctest bubble, where the clock does not move during a network call, and
// for those of what a single server has.
func alone(c *configuration) { c.owner = nil }

func (s *service) now() time.Time { return s.clock().Add(time.Duration(s.ahead.Load())) }

// pass lets time pass for the service.
func (s *service) pass(d time.Duration) { s.ahead.Add(int64(d)) }

// newService starts the program on an empty database, with open registration unless the configuration says otherwise.
func newService(t testing.TB, change ...func(*configuration)) *service {
	t.Helper()
	s := &service{t: t, log: &lockedBuffer{}}
	c := configuration{auth: auth.Config{Registration: auth.RegistrationOpen}, clock: time.Now}
	if os.Getenv("QUATUOR_ACTS_ELSEWHERE") != "" { // all tests can be run so
		c.owner = &owner{}
	}
	for _, edit := range change {
		edit(&c)
	}
	s.clock, s.folder = c.clock, dbtest.Folder(t, newStore)
	if c.stored != nil {
		if err := os.WriteFile(filepath.Join(s.folder, "quatuor.db"), c.stored, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.start = func() { s.run(t, c) }
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

// run starts the program.
func (s *service) run(t testing.TB, c configuration) {
	t.Helper()
	a, err := app.New(t.Context(), app.Config{
		Storage: app.Storage{Data: s.folder}, Logger: slog.New(slog.NewTextHandler(s.log, nil)),
		Now: s.now, NewSeed: c.seed, Design: c.design,
		Hosts: []string{"example.com", "club.example"}, // the host of httptest's requests, and of tests' own
		AdaptHooks: func(h *hooks.Config) {
			if c.hooks != nil {
				c.hooks(h)
			}
		},
		AdaptAuth: func(g *auth.Config) {
			g.Registration, g.Limits, g.PasswordCost = c.auth.Registration, c.auth.Limits, cheap
		},
		AdaptAPI: func(served *api.Config) {
			served.Limits = c.limits
			served.Ready = nil // the program is not run, so it would not come out of starting
			s.pages = served.Pages.(*pages.Pages)
			if !c.pages {
				served.Pages = nil
			}
			if c.edit != nil {
				c.edit(served)
			}
			if c.owner != nil {
				c.owner.serve(t, served)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.server, s.guard, s.db, s.tables, s.tick = a.Handler, a.Guard, a.Store, a.Tables, a.Director.TickArenas
	s.reveal = a.Director.RevealDue
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { a.RunConsumers(ctx) })
	if c.hooks != nil {
		running.Go(func() { a.RunHooks(ctx) })
	}
	if c.bots {
		running.Go(func() { a.RunBots(ctx) })
	}
	s.stop = func() {
		stop()
		running.Wait()
		a.Close()
		if log := s.log.String(); strings.Contains(log, "consumer=") {
			t.Errorf("what follows from finished games was not carried out: %s", log)
		}
	}
}

// newStore makes a store in a folder.
func newStore(dir string) error {
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err != nil {
		return err
	}
	return db.Close()
}

// person is a client of the API: with a token, or anonymous.
type person struct {
	s       *service
	token   string
	refresh string
	account string
	player  string
}

func (s *service) anonymous() person { return person{s: s} }

const password = "correct horse battery"

// cheap is what a password costs here: hashing is meant to be slow, and few tests are about it.
var cheap = auth.PasswordCost{Memory: 8, Passes: 1, Lanes: 1}

// register opens an account, a session, and a player open to challenges.
func (s *service) register(login string) person {
	s.t.Helper()
	player := &club.Player{
		ID: "player-of-" + login, Name: "Player " + login, Version: 1, OpenToChallenges: true, ChallengesAtOnce: 20,
	}
	return s.open(account.Account{Login: login, Role: account.RolePlayer}, player)
}

// withRole opens an account with a role, without a player, and a session.
func (s *service) withRole(login string, role account.Role) person {
	s.t.Helper()
	return s.open(account.Account{Login: login, Role: role}, nil)
}

func (s *service) open(a account.Account, player *club.Player) person {
	s.t.Helper()
	hash, err := s.guard.HashPassword(s.t.Context(), password)
	if err != nil {
		s.t.Fatal(err)
	}
	a.ID, a.PasswordHash, a.CreatedAt = "account-of-"+a.Login, hash, s.now().UnixMilli()
	if player != nil {
		player.CreatedAt, player.AccountID, a.PlayerID = a.CreatedAt, a.ID, player.ID
	}
	if err := s.db.People().CreateAccount(s.t.Context(), a, player); err != nil {
		s.t.Fatal(err)
	}
	return s.session(a)
}

// session opens another session of an account.
func (s *service) session(a account.Account) person {
	s.t.Helper()
	tokens, err := s.guard.OpenSession(s.t.Context(), a)
	if err != nil {
		s.t.Fatal(err)
	}
	return person{s, tokens.Access, tokens.Refresh, a.ID, a.PlayerID}
}

// again opens another session of the same account.
func (p person) again() person {
	p.s.t.Helper()
	account, err := p.s.db.People().Account(p.s.t.Context(), p.account)
	if err != nil {
		p.s.t.Fatal(err)
	}
	return p.s.session(account)
}

// tokenFor makes an API token with these scopes.
func (p person) tokenFor(scopes ...string) person {
	p.s.t.Helper()
	made := p.post("/me/tokens", map[string]any{"name": "test", "scopes": scopes}).want(p.s.t, http.StatusCreated)
	p.token = made.text("token")
	return p
}

// header sets a header of a request.
type header struct{ name, value string }

func (p person) get(path string, headers ...header) *answer {
	return p.send(http.MethodGet, path, nil, headers...)
}

func (p person) post(path string, body any, headers ...header) *answer {
	return p.send(http.MethodPost, path, body, headers...)
}

// send makes a request below the base path, or at the root if the path begins with two slashes, and holds the answer to
// the contract. body may be nil, raw JSON, or anything that encodes.
func (p person) send(method, path string, body any, headers ...header) *answer {
	p.s.t.Helper()
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		path = "/" + rest
	} else {
		path = "/api/v1" + path
	}
	r := httptest.NewRequestWithContext(p.s.t.Context(), method, path, reader(p.s.t, body))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	return p.s.serve(r)
}

func (s *service) serve(r *http.Request) *answer {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, r)
	a := &answer{status: w.Code, header: w.Header(), raw: w.Body.Bytes(), what: r.Method + " " + r.URL.Path}
	if kind := w.Header().Get("Content-Type"); r.Method != http.MethodHead && strings.Contains(kind, "json") &&
		!strings.Contains(kind, "ndjson") {
		if err := json.Unmarshal(a.raw, &a.body); err != nil {
			s.t.Fatalf("%s: the answer is not JSON: %v\n%s", a.what, err, a.raw)
		}
	}
	checkAnswer(s.t, r, a)
	return a
}

func reader(t testing.TB, body any) io.Reader {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return http.NoBody
	case string:
		return strings.NewReader(b)
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(text)
}

// answer is what came back.
type answer struct {
	what   string
	status int
	header http.Header
	raw    []byte
	body   any
}

// want demands a status.
func (a *answer) want(t testing.TB, status int) *answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("%s: status %d, want %d\n%s", a.what, a.status, status, a.raw)
	}
	return a
}

// refused demands a problem document with a status and a slug.
func (a *answer) refused(t testing.TB, status int, slug string) *answer {
	t.Helper()
	a.want(t, status)
	if got := a.text("type"); got != "/problems/"+slug {
		t.Fatalf("%s: problem %s, want %s\n%s", a.what, got, slug, a.raw)
	}
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("%s: Content-Type %s", a.what, kind)
	}
	return a
}

// has and lacks look for texts anywhere in the answer.
func (a *answer) has(t testing.TB, texts ...string) *answer {
	t.Helper()
	for _, text := range texts {
		if !bytes.Contains(a.raw, []byte(text)) {
			t.Errorf("%s: the answer lacks %q\n%s", a.what, text, a.raw)
		}
	}
	return a
}

func (a *answer) lacks(t testing.TB, texts ...string) *answer {
	t.Helper()
	for _, text := range texts {
		if bytes.Contains(a.raw, []byte(text)) {
			t.Errorf("%s: the answer must not hold %q\n%s", a.what, text, a.raw)
		}
	}
	return a
}

// bornThen matches a year of birth where a value is one or begins with one. Ids, with their random digits, do not look
// like it.
var bornThen = regexp.MustCompile(`[:" ]19[0-9]{2}\b`)

// lacksYears demands that no year of birth is in the answer.
func (a *answer) lacksYears(t testing.TB) *answer {
	t.Helper()
	a.lacks(t, "birth")
	if year := bornThen.Find(a.raw); year != nil {
		t.Errorf("%s: the answer must not hold the year %s\n%s", a.what, year, a.raw)
	}
	return a
}

// at follows keys and indices into the body; nil where there is nothing.
func (a *answer) at(path ...any) any {
	at := a.body
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, _ := at.(map[string]any)
			at = object[key]
		case int:
			list, _ := at.([]any)
			if key >= len(list) {
				return nil
			}
			at = list[key]
		}
	}
	return at
}

func (a *answer) text(path ...any) string { s, _ := a.at(path...).(string); return s }

func (a *answer) number(path ...any) float64 { n, _ := a.at(path...).(float64); return n }

func (a *answer) list(path ...any) []any { l, _ := a.at(path...).([]any); return l }

// versionOf returns the version of a tournament, as forms of its desk carry it.
func (p person) versionOf(id string) string {
	return strings.Trim(p.get("/tournaments/"+id).header.Get("ETag"), `"v`)
}

func (a *answer) etag() header { return header{"If-Match", a.header.Get("ETag")} }
