// Package apitest runs the whole program for the tests of its API and its pages: a service on a real database with a
// clock that tests push forward, its clients, and the scenarios and comparisons of several rooms' tests. Only tests
// import it.
package apitest

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

// AnyVersion is the precondition that any stored version meets.
var AnyVersion = Header{"If-Match", "*"}

// Main runs the tests of a package. It lets garbage pile up: the services of the tests are small and many, and a quarter
// of the time went into collecting it.
func Main(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

// Service is the whole program behind its API, on a real database, with a clock that tests can push forward.
type Service struct {
	T             testing.TB
	Server        *api.Server
	Guard         *auth.Guard
	Store         *store.Store
	Tables        *table.Tables
	Clock         func() time.Time
	ahead         atomic.Int64 // ns that the service's clock is ahead of clock
	Log           *lockedBuffer
	Folder        string
	Pages         *pages.Pages
	TickArenas    func(context.Context) error // looks after the running arenas
	RevealLineUps func(context.Context) error // reveals the line-ups that are due
	Start         func()                      // after stop: the program begins again on its stored data
	Stop          func()
}

// Amount returns the amount of work of a test: with -short, as a rule, or with QUATUOR_LONG.
func Amount(short, usual, long int) int {
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

// Config holds what a test may change about the program.
type Config struct {
	Auth   auth.Config // Registration and Limits count
	Limits api.Limits
	Pages  bool // the pages are served, too
	Bots   bool // the bots play
	Design bool // the page /design is served
	Edit   func(*api.Config)
	Hooks  func(*hooks.Config) // webhooks are sent to; nil for not
	Seed   func() [32]byte     // of games with chance; random if nil
	Clock  func() time.Time    // the system's if nil
	stored []byte              // the database to begin with; empty if nil
	Owner  *Owner              // acts go to another server, as if it owned everything; nil for none
}

// Alone has no other server: for tests in a synctest bubble, where the clock does not move during a network call, and
// for tests of a single server.
func Alone(c *Config) { c.Owner = nil }

// WithPages serves the pages, too.
func WithPages(c *Config) { c.Pages = true }

// Now returns the time of the service.
func (s *Service) Now() time.Time { return s.Clock().Add(time.Duration(s.ahead.Load())) }

// Pass lets time pass for the service.
func (s *Service) Pass(d time.Duration) { s.ahead.Add(int64(d)) }

// New starts the program on an empty database, with open registration unless the configuration decides otherwise.
func New(t testing.TB, change ...func(*Config)) *Service {
	t.Helper()
	s := &Service{T: t, Log: &lockedBuffer{}}
	c := Config{Auth: auth.Config{Registration: auth.RegistrationOpen}, Clock: time.Now}
	if os.Getenv("QUATUOR_ACTS_ELSEWHERE") != "" { // all tests can be run so
		c.Owner = &Owner{}
	}
	for _, edit := range change {
		edit(&c)
	}
	s.Clock, s.Folder = c.Clock, dbtest.Folder(t, newStore)
	if c.stored != nil {
		if err := os.WriteFile(filepath.Join(s.Folder, "quatuor.db"), c.stored, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Start = func() { s.run(t, c) }
	s.Start()
	t.Cleanup(func() { s.Stop() })
	return s
}

// run starts the program.
func (s *Service) run(t testing.TB, c Config) {
	t.Helper()
	a, err := app.New(t.Context(), app.Config{
		Storage: app.Storage{Data: s.Folder}, Logger: slog.New(slog.NewTextHandler(s.Log, nil)),
		Now: s.Now, NewSeed: c.Seed, Design: c.Design,
		Hosts: []string{"example.com", "club.example"}, // the host of httptest's requests, and of tests' own
		AdaptHooks: func(h *hooks.Config) {
			if c.Hooks != nil {
				c.Hooks(h)
			}
		},
		AdaptAuth: func(g *auth.Config) {
			g.Registration = c.Auth.Registration
			g.Limits = c.Auth.Limits
			g.PasswordCost = cheap
		},
		AdaptAPI: func(served *api.Config) {
			served.Limits = c.Limits
			served.Ready = nil // the program is not run, so it would not come out of starting
			s.Pages = served.Pages.(*pages.Pages)
			if !c.Pages {
				served.Pages = nil
			}
			if c.Edit != nil {
				c.Edit(served)
			}
			if c.Owner != nil {
				c.Owner.serve(t, served)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Server = a.Handler
	s.Guard = a.Guard
	s.Store = a.Store
	s.Tables = a.Tables
	s.TickArenas = a.Director.TickArenas
	s.RevealLineUps = a.Director.RevealDue
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { a.RunConsumers(ctx) })
	if c.Hooks != nil {
		running.Go(func() { a.RunHooks(ctx) })
	}
	if c.Bots {
		running.Go(func() { a.RunBots(ctx) })
	}
	s.Stop = func() {
		stop()
		running.Wait()
		a.Close()
		if log := s.Log.String(); strings.Contains(log, "consumer=") {
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

// Person is a client of the API: with a token, or anonymous.
type Person struct {
	Service *Service
	Token   string
	Refresh string
	Account string
	Player  string
}

// Anonymous returns a client without a token.
func (s *Service) Anonymous() Person { return Person{Service: s} }

// Password is the password of all accounts.
const Password = "correct horse battery"

// cheap is the cost of password hashes in tests: hashing is slow on purpose, and few tests are about it.
var cheap = auth.PasswordCost{Memory: 8, Passes: 1, Lanes: 1}

// Register opens an account, a session, and a player open to challenges.
func (s *Service) Register(login string) Person {
	s.T.Helper()
	player := &club.Player{
		ID: "player-of-" + login, Name: "Player " + login, Version: 1, OpenToChallenges: true, ChallengesAtOnce: 20,
	}
	return s.Open(account.Account{Login: login, Role: account.RolePlayer}, player)
}

// WithRole opens an account with a role, without a player, and a session.
func (s *Service) WithRole(login string, role account.Role) Person {
	s.T.Helper()
	return s.Open(account.Account{Login: login, Role: role}, nil)
}

// Open stores an account, with its player unless that is nil, and opens a session.
func (s *Service) Open(a account.Account, player *club.Player) Person {
	s.T.Helper()
	hash, err := s.Guard.HashPassword(s.T.Context(), Password)
	if err != nil {
		s.T.Fatal(err)
	}
	a.ID = "account-of-" + a.Login
	a.PasswordHash = hash
	a.CreatedAt = s.Now().UnixMilli()
	if player != nil {
		player.CreatedAt = a.CreatedAt
		player.AccountID = a.ID
		a.PlayerID = player.ID
	}
	if err := s.Store.People().CreateAccount(s.T.Context(), a, player); err != nil {
		s.T.Fatal(err)
	}
	return s.Session(a)
}

// Session opens another session of an account.
func (s *Service) Session(a account.Account) Person {
	s.T.Helper()
	tokens, err := s.Guard.OpenSession(s.T.Context(), a)
	if err != nil {
		s.T.Fatal(err)
	}
	return Person{s, tokens.Access, tokens.Refresh, a.ID, a.PlayerID}
}

// Again opens another session of the same account.
func (p Person) Again() Person {
	p.Service.T.Helper()
	account, err := p.Service.Store.People().Account(p.Service.T.Context(), p.Account)
	if err != nil {
		p.Service.T.Fatal(err)
	}
	return p.Service.Session(account)
}

// TokenFor makes an API token with these scopes.
func (p Person) TokenFor(scopes ...string) Person {
	p.Service.T.Helper()
	made := p.Post("/me/tokens", map[string]any{"name": "test", "scopes": scopes}).Want(p.Service.T, http.StatusCreated)
	p.Token = made.Text("token")
	return p
}

// Header is a header of a request: its name and its value.
type Header [2]string

// Get requests a path; see [Person.Send].
func (p Person) Get(path string, headers ...Header) *Answer {
	return p.Send(http.MethodGet, path, nil, headers...)
}

// Post sends a body to a path; see [Person.Send].
func (p Person) Post(path string, body any, headers ...Header) *Answer {
	return p.Send(http.MethodPost, path, body, headers...)
}

// Send makes a request below the base path, or at the root if the path begins with two slashes, and holds the answer to
// the contract. body may be nil, raw JSON, or anything that encodes.
func (p Person) Send(method, path string, body any, headers ...Header) *Answer {
	p.Service.T.Helper()
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		path = "/" + rest
	} else {
		path = "/api/v1" + path
	}
	r := httptest.NewRequestWithContext(p.Service.T.Context(), method, path, reader(p.Service.T, body))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	for _, h := range headers {
		r.Header.Set(h[0], h[1])
	}
	return p.Service.Serve(r)
}

// Serve has a request answered, and holds the answer to the contract.
func (s *Service) Serve(r *http.Request) *Answer {
	s.T.Helper()
	w := httptest.NewRecorder()
	s.Server.ServeHTTP(w, r)
	a := &Answer{Status: w.Code, Header: w.Header(), Raw: w.Body.Bytes(), Request: r.Method + " " + r.URL.Path}
	if kind := w.Header().Get("Content-Type"); r.Method != http.MethodHead && strings.Contains(kind, "json") &&
		!strings.Contains(kind, "ndjson") {
		if err := json.Unmarshal(a.Raw, &a.Body); err != nil {
			s.T.Fatalf("%s: the answer is not JSON: %v\n%s", a.Request, err, a.Raw)
		}
	}
	checkAnswer(s.T, r, a)
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

// Answer is an answer of the service.
type Answer struct {
	Request string
	Status  int
	Header  http.Header
	Raw     []byte
	Body    any
}

// Want demands a status.
func (a *Answer) Want(t testing.TB, status int) *Answer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%s: status %d, want %d\n%s", a.Request, a.Status, status, a.Raw)
	}
	return a
}

// Refused demands a problem document with a status and a slug.
func (a *Answer) Refused(t testing.TB, status int, slug string) *Answer {
	t.Helper()
	a.Want(t, status)
	if got := a.Text("type"); got != "/problems/"+slug {
		t.Fatalf("%s: problem %s, want %s\n%s", a.Request, got, slug, a.Raw)
	}
	if kind := a.Header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("%s: Content-Type %s", a.Request, kind)
	}
	return a
}

// Has and lacks look for texts anywhere in the answer.
func (a *Answer) Has(t testing.TB, texts ...string) *Answer {
	t.Helper()
	for _, text := range texts {
		if !bytes.Contains(a.Raw, []byte(text)) {
			t.Errorf("%s: the answer lacks %q\n%s", a.Request, text, a.Raw)
		}
	}
	return a
}

// Lacks demands that none of these texts is in the answer.
func (a *Answer) Lacks(t testing.TB, texts ...string) *Answer {
	t.Helper()
	for _, text := range texts {
		if bytes.Contains(a.Raw, []byte(text)) {
			t.Errorf("%s: the answer must not hold %q\n%s", a.Request, text, a.Raw)
		}
	}
	return a
}

// bornThen matches a year of birth that is a value or begins it. Ids, with their random digits, do not look like it.
var bornThen = regexp.MustCompile(`[:" ]19[0-9]{2}\b`)

// LacksYears demands that no year of birth is in the answer.
func (a *Answer) LacksYears(t testing.TB) *Answer {
	t.Helper()
	a.Lacks(t, "birth")
	if year := bornThen.Find(a.Raw); year != nil {
		t.Errorf("%s: the answer must not hold the year %s\n%s", a.Request, year, a.Raw)
	}
	return a
}

// At follows keys and indices into the body; nil where there is nothing.
func (a *Answer) At(path ...any) any {
	at := a.Body
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

// Text returns the text at a path into the body, "" if there is none.
func (a *Answer) Text(path ...any) string { s, _ := a.At(path...).(string); return s }

// Number returns the number at a path into the body, 0 if there is none.
func (a *Answer) Number(path ...any) float64 { n, _ := a.At(path...).(float64); return n }

// List returns the list at a path into the body, nil if there is none.
func (a *Answer) List(path ...any) []any { l, _ := a.At(path...).([]any); return l }

// VersionOf returns the version of a tournament, as forms of its desk carry it.
func (p Person) VersionOf(id string) string {
	return strings.Trim(p.Get("/tournaments/"+id).Header.Get("ETag"), `"v`)
}

// IfMatch is the precondition that the version of this answer is still the stored one.
func (a *Answer) IfMatch() Header { return Header{"If-Match", a.Header.Get("ETag")} }

// Key is the header that makes a request safe to repeat.
func Key(value string) Header { return Header{"Idempotency-Key", value} }
