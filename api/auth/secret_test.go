package auth

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

func TestSecrets(t *testing.T) {
	for kind, prefix := range prefixes {
		secret, hash := NewSecret(kind)
		if !strings.HasPrefix(secret, prefix) || len(hash) != 64 || strings.Contains(hash, secret[3:]) {
			t.Errorf("%s: %s with the hash %s", kind, secret, hash)
		}
		if got, ok := HashSecret(kind, secret); !ok || got != hash {
			t.Errorf("%s: the hash is %s, then %s", kind, hash, got)
		}
		for other := range prefixes {
			if _, ok := HashSecret(other, secret); ok != (other == kind) {
				t.Errorf("a %s is taken for a %s: %v", kind, other, ok)
			}
		}
		for i := range secret {
			mistyped := secret[:i] + "7" + secret[i+1:]
			if _, ok := HashSecret(kind, mistyped); ok && mistyped != secret {
				t.Errorf("%s: a mistyped letter %d is not noticed", kind, i)
			}
		}
	}
	if _, ok := HashSecret(account.APIToken, "qt_"); ok {
		t.Error("a prefix alone is taken for a token")
	}
}

func TestClaimCodes(t *testing.T) {
	code, hash := NewClaimCode()
	if len(code) != 19 || HashClaimCode(code) != hash || HashClaimCode(strings.ToLower(code)) != hash ||
		HashClaimCode(strings.ReplaceAll(code, "-", " ")) != hash || HashClaimCode(code[1:]) == hash {
		t.Errorf("%s with the hash %s", code, hash)
	}
	if other, _ := NewClaimCode(); other == code {
		t.Error("two codes are the same")
	}
}

// visit sends the cookies that a browser would have.
func visit(t *testing.T, g *Guard, cookies []*http.Cookie) Identity {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	for _, c := range cookies {
		if c.MaxAge >= 0 {
			r.AddCookie(c)
		}
	}
	who, err := g.Authenticate(r)
	if err != nil {
		t.Fatal(err)
	}
	return who
}

func TestSessionsOfPages(t *testing.T) {
	for _, secure := range []bool{true, false} {
		g, clock, owner := newGuard(t, func(c *Config) { c.Secure = secure })
		w := httptest.NewRecorder()
		if err := g.SignIn(t.Context(), w, owner, Origin{}); err != nil {
			t.Fatal(err)
		}
		cookies := w.Result().Cookies()
		c := cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != secure || c.Path != "/" || c.Domain != "" ||
			strings.HasPrefix(c.Name, "__Host-") != secure {
			t.Errorf("the cookie is %s", c)
		}
		who := visit(t, g, cookies)
		if who.AccountID != owner.ID || who.Method != ByCookie || !who.Has(ScopeRead, ScopePlay) || who.Has(ScopeAdmin) {
			t.Errorf("%+v", who)
		}
		if got := visit(t, g, []*http.Cookie{{Name: c.Name, Value: "qs_nonsense"}}); !got.Anonymous() {
			t.Errorf("with a cookie of nonsense: %+v", got)
		}
		out := httptest.NewRecorder()
		if err := g.SignOut(t.Context(), out, who); err != nil {
			t.Fatal(err)
		}
		if gone := out.Result().Cookies(); len(gone) != 1 || gone[0].MaxAge >= 0 {
			t.Errorf("the cookie is not taken back: %v", gone)
		}
		if got := visit(t, g, cookies); !got.Anonymous() {
			t.Errorf("signed out: %+v", got)
		}
		again := httptest.NewRecorder()
		if err := g.SignIn(t.Context(), again, owner, Origin{}); err != nil {
			t.Fatal(err)
		}
		clock.at = clock.at.Add(31 * 24 * time.Hour)
		if got := visit(t, g, again.Result().Cookies()); !got.Anonymous() {
			t.Errorf("a month later: %+v", got)
		}
	}
}
