package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/tournament/account"
)

// guarded is a guard with the default limits, on fake time, and an account with the password present.
func guarded(t *testing.T) (*Guard, account.Account) {
	t.Helper()
	g, _, owner := newGuard(t, func(c *Config) { c.Now, c.Limits = time.Now, DefaultLimits() })
	return g, withPassword(t, g, owner)
}

func at(address string) Origin { return Origin{Address: address} }

// TestGuessingFromOneAddressLocksNoOneElseOut guesses from the same address for ten minutes, every second.
func TestGuessingFromOneAddressLocksNoOneElseOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, owner := guarded(t)
		judged := 0
		for second := range 600 {
			_, err := g.CheckLogin(t.Context(), "ada", "guess", at("198.51.100.7"))
			switch {
			case errors.Is(err, ErrBadLogin):
				judged++
			case !errors.Is(err, ErrTooMany):
				t.Fatal(err)
			}
			if second%100 == 99 { // from an address that is new to the account each time
				begun := time.Now()
				got, err := g.CheckLogin(t.Context(), "ada", present, at(fmt.Sprint("203.0.113.", second)))
				if err != nil || got.ID != owner.ID || time.Since(begun) > slower[len(slower)-1] {
					t.Errorf("after %d s: %v, %v", second, err, time.Since(begun))
				}
			}
			time.Sleep(time.Second)
		}
		if limits := DefaultLimits().LoginPair; judged > limits.Burst+int(11*time.Minute/limits.Interval) {
			t.Errorf("%d guesses were judged", judged)
		}
		if _, err := g.CheckLogin(t.Context(), "ada", present, at("198.51.100.7")); !errors.Is(err, ErrTooMany) {
			t.Errorf("from the address of the guesses: %v", err)
		}
	})
}

// attack guesses from many addresses again and again until stop, and counts the guesses that were judged.
func attack(ctx context.Context, t *testing.T, g *Guard, addresses int) (judged *atomic.Int64, done *sync.WaitGroup) {
	t.Helper()
	judged, done = new(atomic.Int64), new(sync.WaitGroup)
	for i := range addresses {
		done.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, err := g.CheckLogin(ctx, "ada", "guess", at(fmt.Sprintf("2001:db8:%x::%x", i, n)))
				if errors.Is(err, ErrBadLogin) {
					judged.Add(1)
				}
				time.Sleep(500 * time.Millisecond)
			}
		})
	}
	return judged, done
}

// TestGuessingFromManyAddressesIsSlow guesses from 100 networks for two minutes: no more is judged than the waiting
// allows, and logins from an address or browser used before pass at once.
func TestGuessingFromManyAddressesIsSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("tries thousands of passwords")
	}
	synctest.Test(t, func(t *testing.T) {
		g, _ := guarded(t)
		home := at("203.0.113.9")
		browser := g.OriginOf(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), "203.0.113.77")
		for _, from := range []Origin{home, browser} {
			if _, err := g.CheckLogin(t.Context(), "ada", present, from); err != nil {
				t.Fatal(err)
			}
		}
		const lasts = 2 * time.Minute
		ctx, stop := context.WithTimeout(t.Context(), lasts)
		defer stop()
		judged, done := attack(ctx, t, g, 100)
		time.Sleep(lasts / 2)
		browser.Address = "192.0.2.200" // at another address
		for name, from := range map[string]Origin{"a known address": home, "a known browser": browser} {
			begun := time.Now()
			if _, err := g.CheckLogin(t.Context(), "ada", present, from); err != nil || time.Since(begun) > 0 {
				t.Errorf("%s: %v after %v", name, err, time.Since(begun))
			}
		}
		done.Wait()
		pause := slower[len(slower)-1]
		if most := int64(lasts/pause)*maxWaiting + 50; judged.Load() > most || judged.Load() < most/2 {
			t.Errorf("%d guesses were judged, want about %d", judged.Load(), most)
		}
		if len(g.waiting.byLogin) > 0 || g.waiting.all != 0 {
			t.Errorf("%d are still waiting", g.waiting.all)
		}
	})
}

// TestABrowserIsKnownToItsOwnAccountAlone: a cookie known to an account does not help to guess another's password, and
// a made-up cookie helps no attacker.
func TestABrowserIsKnownToItsOwnAccountAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ada := guarded(t)
		eve := account.Account{ID: "account-2", Login: "eve", PasswordHash: ada.PasswordHash}
		if err := g.store.CreateAccount(t.Context(), eve, nil); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		browser := g.OriginOf(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), "198.51.100.7")
		if _, err := g.CheckLogin(t.Context(), "eve", present, browser); err != nil {
			t.Fatal(err)
		}
		if err := g.SignIn(t.Context(), w, eve, browser); err != nil {
			t.Fatal(err)
		}
		next := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		for _, c := range w.Result().Cookies() {
			if !c.HttpOnly || c.MaxAge <= 0 {
				t.Errorf("the cookie is %s", c)
			}
			next.AddCookie(c)
		}
		if again := g.OriginOf(next, "198.51.100.7"); again != browser {
			t.Fatalf("the browser comes back as %v, it was %v", again, browser)
		}
		for name, from := range map[string]Origin{
			"another's": browser,
			"made up":   {Address: "198.51.100.8", Device: "AAAAAAAAAAAAAAAAAAAAAAAAAA"},
		} {
			judged := 0
			for range 30 {
				if _, err := g.CheckLogin(t.Context(), "ada", "guess", from); errors.Is(err, ErrBadLogin) {
					judged++
				}
			}
			if judged > DefaultLimits().LoginPair.Burst+3 { // held up, the rate allows some more
				t.Errorf("with %s browser %d guesses were judged", name, judged)
			}
		}
		// A known browser guesses no faster than an address.
		judged := 0
		for range 30 {
			if _, err := g.CheckLogin(t.Context(), "eve", "guess", browser); errors.Is(err, ErrBadLogin) {
				judged++
			}
		}
		if judged > DefaultLimits().LoginPair.Burst {
			t.Errorf("with its own browser %d guesses were judged", judged)
		}
	})
}

// TestWhatIsFamiliarIsForgotten: after a quarter of a year, and with a new password.
func TestWhatIsFamiliarIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, owner := guarded(t)
		home := at("203.0.113.9")
		known := func() bool {
			a, err := g.newAttempt(t.Context(), "ada", home)
			if err != nil {
				t.Fatal(err)
			}
			return a.familiar(a.address)
		}
		login := func() {
			if _, err := g.CheckLogin(t.Context(), "ada", present, home); err != nil {
				t.Fatal(err)
			}
		}
		if known() {
			t.Error("an address is known that was never used")
		}
		login()
		restarted := NewGuard(Config{Store: g.store, Now: time.Now, Limits: DefaultLimits()})
		if a, err := restarted.newAttempt(t.Context(), "ada", home); err != nil || !a.familiar(a.address) {
			t.Errorf("after a restart the address is new: %v", err)
		}
		time.Sleep(familiarFor / 2)
		login()
		time.Sleep(familiarFor / 2)
		if !known() {
			t.Error("an address in use was forgotten")
		}
		time.Sleep(familiarFor/2 + time.Hour)
		if known() {
			t.Error("an address that was not used for long is still known")
		}
		login()
		p := prove(t, g, owner)
		if err := endings["new password"].end(t, g, p); err != nil {
			t.Fatal(err)
		}
		if known() {
			t.Error("an address is known after the password was changed")
		}
	})
}

// TestASessionChangesItsPasswordWhileOthersGuess: from its own address, too.
func TestASessionChangesItsPasswordWhileOthersGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, owner := guarded(t)
		p := prove(t, g, owner)
		for range 100 {
			_, _ = g.CheckLogin(t.Context(), "ada", "guess", at("198.51.100.7"))
		}
		who, err := bearer(t, g, p.tokens.Access)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := g.ChangePassword(t.Context(), who, NewPassword{Present: "guess", Next: "another horse"}); !errors.Is(err,
			ErrBadLogin) {
			t.Errorf("with a wrong password: %v", err)
		}
		if err := g.ChangePassword(t.Context(), who, NewPassword{Present: present, Next: "another horse"}); err != nil ||
			time.Since(begun) > 0 {
			t.Errorf("with the right one: %v after %v", err, time.Since(begun))
		}
		// A stolen session guesses no faster than an address does.
		judged := 0
		for range 50 {
			if errors.Is(g.ChangePassword(t.Context(), who, NewPassword{Present: "guess", Next: "a third horse"}), ErrBadLogin) {
				judged++
			}
		}
		if judged > DefaultLimits().LoginPair.Burst {
			t.Errorf("a session made %d guesses", judged)
		}
	})
}

// TestCancelledLoginsWaitNoMore: an attempt that is held up leaves with its client, and no password is checked for it.
func TestCancelledLoginsWaitNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := guarded(t)
		for i := range 30 {
			_, _ = g.CheckLogin(t.Context(), "ada", "guess", at(fmt.Sprint("198.51.100.", i)))
		}
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error)
		go func() {
			_, err := g.CheckLogin(ctx, "ada", present, at("203.0.113.1"))
			answers <- err
		}()
		synctest.Wait() // the attempt is held up
		if g.waiting.all != 1 {
			t.Errorf("%d are waiting, want 1", g.waiting.all)
		}
		cancel()
		if err := <-answers; !errors.Is(err, context.Canceled) || g.waiting.all != 0 {
			t.Errorf("%v, and %d are waiting", err, g.waiting.all)
		}
	})
}

func TestAddressKeys(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::9%eth0": "2001:db8:1:2::/64", "2001:db8:1:2::/64": "2001:db8:1:2::/64", "": "", "@": "@",
	} {
		if got := AddressKey(text); got != want {
			t.Errorf("%q is limited as %q, want %q", text, got, want)
		}
	}
}
