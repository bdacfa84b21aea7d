package auth

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/tournament/account"
)

// TestHoldsEndWithTheRight ends proofs through a guard while three others' contexts are held: the contexts of ended
// proofs end at once, the rest go on.
func TestHoldsEndWithTheRight(t *testing.T) {
	for name, c := range endings {
		t.Run(name, func(t *testing.T) {
			g, _, owner := newGuard(t, nil)
			p := prove(t, g, withPassword(t, g, owner))
			held := p.hold(t, g)
			if err := c.end(t, g, p); err != nil {
				t.Fatal(err)
			}
			left := held()
			if left != c.left {
				t.Errorf("held are %q, want %q", left, c.left)
			}
		})
	}
}

// TestWhatEndsIsPublishedToOtherInstances ends proofs on an instance, which publishes it: another instance forgets its
// fresh copies, and ends the contexts it holds, without any time passing.
func TestWhatEndsIsPublishedToOtherInstances(t *testing.T) {
	for name, c := range endings {
		t.Run(name, func(t *testing.T) {
			var other *Guard
			var told int
			g, clock, owner := newGuard(t, func(c *Config) {
				c.Ended = func(id string) { told++; other.ChangedElsewhere(id) }
			})
			other = another(g, clock)
			p := prove(t, g, withPassword(t, g, owner))
			held := p.hold(t, other)
			if err := c.end(t, g, p); err != nil {
				t.Fatal(err)
			}
			left := held()
			if good := p.good(t, other); left != c.left || good != c.left || told == 0 {
				t.Errorf("told %d times; the other holds %q and takes %q, want %q", told, left, good, c.left)
			}
		})
	}
}

// hold holds a context for each proof; the function that it returns lists those that are not ended yet.
func (p proofs) hold(t *testing.T, g *Guard) (left func() string) {
	t.Helper()
	held := map[string]func() error{}
	for proof, who := range p.whos(t, g) {
		ctx, release, err := g.Hold(t.Context(), who)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(release)
		held[proof] = ctx.Err
	}
	return func() (left string) {
		for _, proof := range []string{"access ", "api ", "cookie"} {
			if held[proof]() == nil {
				left += proof
			}
		}
		return left
	}
}

// whos are the identities of the proofs.
func (p proofs) whos(t *testing.T, g *Guard) map[string]Identity {
	t.Helper()
	access, err := bearer(t, g, p.tokens.Access)
	token, also := bearer(t, g, p.api)
	if err != nil || also != nil {
		t.Fatal(err, also)
	}
	return map[string]Identity{"access ": access, "api ": token, "cookie": visit(t, g, p.cookies)}
}

// TestAHoldAfterTheEndIsRefused: a stream that was requested before a logout begins after it.
func TestAHoldAfterTheEndIsRefused(t *testing.T) {
	for name, c := range endings {
		g, _, owner := newGuard(t, nil)
		p := prove(t, g, withPassword(t, g, owner))
		whos := p.whos(t, g)
		if err := c.end(t, g, p); err != nil {
			t.Fatal(err)
		}
		left := ""
		for _, proof := range []string{"access ", "api ", "cookie"} {
			_, release, err := g.Hold(t.Context(), whos[proof])
			if err == nil {
				release()
				left += proof
			} else if !errors.Is(err, ErrBadToken) {
				t.Error(err)
			}
		}
		if left != c.left {
			t.Errorf("%s: held are %q, want %q", name, left, c.left)
		}
		if len(g.holds.byAccount) > 0 {
			t.Errorf("%s: holds are left over: %v", name, g.holds.byAccount)
		}
	}
}

func TestARoleEndsItsHolds(t *testing.T) {
	g, _, owner := newGuard(t, nil)
	who, err := bearer(t, g, open(t, g, owner).Access)
	if err != nil {
		t.Fatal(err)
	}
	ctx, release, err := g.Hold(t.Context(), who)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	other := owner
	other.Role = account.RoleOrganiser
	if err := g.store.UpdateAccount(t.Context(), owner, other); err != nil {
		t.Fatal(err)
	}
	g.AccountChanged(owner.ID)
	if ctx.Err() == nil {
		t.Error("a hold goes on with another role")
	}
	if _, _, err := g.Hold(t.Context(), who); !errors.Is(err, ErrBadToken) {
		t.Errorf("a hold with the old role: %v", err)
	}
}

func TestHoldsExpire(t *testing.T) {
	g, _, _ := newGuard(t, nil)
	ctx, release, err := g.Hold(t.Context(), Identity{})
	if err != nil || ctx != t.Context() {
		t.Errorf("anonymous: %v", err)
	}
	release()
}

// TestHoldsLookAgain lets time pass: a hold ends with its access token, and soon after another instance has ended the
// session, however long it was held.
func TestHoldsLookAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _, owner := newGuard(t, func(c *Config) { c.Now = time.Now })
		other := NewGuard(Config{Store: g.store, Now: time.Now, Issuer: "https://club.example"})
		begun := time.Now()
		hold := func(token string) <-chan struct{} {
			who, err := bearer(t, g, token)
			if err != nil {
				t.Fatal(err)
			}
			ctx, release, err := g.Hold(t.Context(), who)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(release)
			return ctx.Done()
		}
		lasting, elsewhere := hold(open(t, g, owner).Access), open(t, g, owner).Access
		short := hold(elsewhere)
		time.Sleep(time.Minute)
		who, err := bearer(t, other, elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.EndSession(t.Context(), who); err != nil {
			t.Fatal(err)
		}
		<-short
		if took := time.Since(begun) - time.Minute; took > lookAgain+rememberFor {
			t.Errorf("a session ended elsewhere was held for another %v", took)
		}
		<-lasting
		if took := time.Since(begun); took != AccessLife {
			t.Errorf("an access token's hold ended after %v", took)
		}
	})
}
