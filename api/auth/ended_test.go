package auth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// another returns a guard on the same store, as another instance or the next start of the program has.
func another(g *Guard, clock *testClock) *Guard {
	return NewGuard(Config{Store: g.store, Now: clock.now, Issuer: "https://club.example"})
}

const present = "correct horse battery"

// withPassword returns an account with the password present.
func withPassword(t *testing.T, g *Guard, owner account.Account) account.Account {
	t.Helper()
	was := owner
	var err error
	if owner.PasswordHash, err = g.HashPassword(t.Context(), present); err != nil {
		t.Fatal(err)
	}
	if err := g.store.UpdateAccount(t.Context(), was, owner); err != nil {
		t.Fatal(err)
	}
	return owner
}

// proofs has a proof of each kind that an account can have.
type proofs struct {
	account account.Account
	tokens  Tokens
	api     string
	cookies []*http.Cookie
}

func prove(t *testing.T, g *Guard, owner account.Account) proofs {
	t.Helper()
	p := proofs{account: owner, tokens: open(t, g, owner)}
	who, err := bearer(t, g, p.tokens.Access)
	if err != nil {
		t.Fatal(err)
	}
	if p.api, _, err = g.NewAPIToken(t.Context(), who, NewToken{Name: "script", Scopes: []Scope{ScopeRead}}); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := g.SignIn(t.Context(), w, owner, Origin{}); err != nil {
		t.Fatal(err)
	}
	p.cookies = w.Result().Cookies()
	return p
}

// good lists which of the proofs a guard accepts.
func (p proofs) good(t *testing.T, g *Guard) (all string) {
	t.Helper()
	for _, secret := range []struct{ name, text string }{{"access ", p.tokens.Access}, {"api ", p.api}} {
		switch _, err := bearer(t, g, secret.text); {
		case err == nil:
			all += secret.name
		case !errors.Is(err, ErrBadToken):
			t.Fatal(err)
		}
	}
	if !visit(t, g, p.cookies).Anonymous() {
		all += "cookie"
	}
	return all
}

// endings are the ways to end proofs, and the proofs left afterwards.
var endings = map[string]struct {
	end  func(t *testing.T, g *Guard, p proofs) error
	left string
}{
	"logout": {func(t *testing.T, g *Guard, p proofs) error {
		who, err := bearer(t, g, p.tokens.Access)
		return errors.Join(err, g.EndSession(t.Context(), who))
	}, "api cookie"},
	"logout of the pages": {func(t *testing.T, g *Guard, p proofs) error {
		return g.SignOut(t.Context(), httptest.NewRecorder(), visit(t, g, p.cookies))
	}, "access api "},
	"as many new sessions as can be open": {func(t *testing.T, g *Guard, p proofs) error {
		for range maxSessions - 1 {
			open(t, g, p.account)
		}
		if left := p.good(t, g); left != "api cookie" {
			t.Errorf("%s is good with all sessions but one", left)
		}
		open(t, g, p.account)
		return nil
	}, "api "},
	"deleted token": {func(t *testing.T, g *Guard, p proofs) error {
		token, err := bearer(t, g, p.api)
		if err != nil {
			return err
		}
		who, err := bearer(t, g, p.tokens.Access)
		return errors.Join(err, g.EndAPIToken(t.Context(), who, token.Session))
	}, "access cookie"},
	"closed account": {func(t *testing.T, g *Guard, p proofs) error {
		shut := p.account
		shut.DisabledAt = 1
		defer g.AccountChanged(shut.ID)
		return g.store.UpdateAccount(t.Context(), p.account, shut)
	}, ""},
	"closed account, opened again": {func(t *testing.T, g *Guard, p proofs) error {
		shut := p.account
		shut.DisabledAt = 1
		defer g.AccountChanged(shut.ID)
		return errors.Join(g.store.UpdateAccount(t.Context(), p.account, shut),
			g.store.UpdateAccount(t.Context(), shut, p.account))
	}, ""},
	"reused refresh token": {func(t *testing.T, g *Guard, p proofs) error {
		_, err := g.Refresh(t.Context(), p.tokens.Refresh)
		if _, again := g.Refresh(t.Context(), p.tokens.Refresh); !errors.Is(again, account.ErrReused) {
			t.Errorf("a reused token: %v", again)
		}
		return err
	}, "api cookie"},
	"new password": {func(t *testing.T, g *Guard, p proofs) error {
		who := visit(t, g, p.cookies)
		return g.ChangePassword(t.Context(), who, NewPassword{Present: present, Next: "another horse battery"})
	}, "api cookie"},
	"new password, tokens ended": {func(t *testing.T, g *Guard, p proofs) error {
		who, err := bearer(t, g, p.tokens.Access)
		return errors.Join(err,
			g.ChangePassword(t.Context(), who, NewPassword{Present: present, Next: "another horse battery", EndTokens: true}))
	}, "access "},
}

// TestWhatHasEndedStaysEnded ends proofs on an instance: it counts there at once, after a restart at once, and on
// another instance with fresh copies within a few seconds.
func TestWhatHasEndedStaysEnded(t *testing.T) {
	for name, c := range endings {
		t.Run(name, func(t *testing.T) {
			g, clock, owner := newGuard(t, nil)
			p := prove(t, g, withPassword(t, g, owner))
			other := another(g, clock)
			for _, guard := range []*Guard{g, other} {
				if got := p.good(t, guard); got != "access api cookie" {
					t.Fatalf("before, these are good: %s", got)
				}
			}
			if err := c.end(t, g, p); err != nil {
				t.Fatal(err)
			}
			if got := p.good(t, g); got != c.left {
				t.Errorf("here: good are %q, want %q", got, c.left)
			}
			if got := p.good(t, another(g, clock)); got != c.left {
				t.Errorf("after a restart: good are %q, want %q", got, c.left)
			}
			clock.at = clock.at.Add(rememberFor + time.Millisecond)
			if got := p.good(t, other); got != c.left {
				t.Errorf("on another instance: good are %q, want %q", got, c.left)
			}
		})
	}
}

// asked counts the reads of sessions from a store.
type asked struct {
	Store
	sessions int
}

func (a *asked) SessionLives(ctx context.Context, family string) (bool, error) {
	a.sessions++
	return a.Store.SessionLives(ctx, family)
}

// TestASessionIsNotReadWithEveryRequest sends a hundred requests within the TTL of a cached account.
func TestASessionIsNotReadWithEveryRequest(t *testing.T) {
	count := &asked{}
	g, clock, owner := newGuard(t, func(c *Config) { count.Store, c.Store = c.Store, count })
	token := open(t, g, owner).Access
	for range 100 {
		if _, err := bearer(t, g, token); err != nil {
			t.Fatal(err)
		}
	}
	if count.sessions != 1 {
		t.Errorf("the session was read %d times", count.sessions)
	}
	clock.at = clock.at.Add(rememberFor)
	if _, err := bearer(t, g, token); err != nil || count.sessions != 2 {
		t.Errorf("a little later: %v, read %d times", err, count.sessions)
	}
}

// TestAPasswordChangedWhileLoggingIn: a login with the old password gets no session after its change.
func TestAPasswordChangedWhileLoggingIn(t *testing.T) {
	g, _, owner := newGuard(t, nil)
	owner = withPassword(t, g, owner)
	shown, err := g.CheckLogin(t.Context(), "ada", present, Origin{Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	p := prove(t, g, owner)
	if err := endings["new password"].end(t, g, p); err != nil {
		t.Fatal(err)
	}
	if _, err := g.OpenSession(t.Context(), shown); !errors.Is(err, ErrBadLogin) {
		t.Errorf("a session of tokens: %v", err)
	}
	w := httptest.NewRecorder()
	if err := g.SignIn(t.Context(), w, shown, Origin{}); !errors.Is(err, ErrBadLogin) || len(w.Result().Cookies()) > 0 {
		t.Errorf("a session of the pages: %v, with %v", err, w.Result().Cookies())
	}
}
