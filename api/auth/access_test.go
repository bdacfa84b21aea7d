package auth

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

func bearer(t *testing.T, g *Guard, token string) (Identity, error) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	return g.Authenticate(r)
}

// jws puts a token together from its parts; sign returns the signature of the first two.
func jws(header, claims map[string]any, sign func([]byte) []byte) string {
	part := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	signed := part(header) + "." + part(claims)
	return signed + "." + base64.RawURLEncoding.EncodeToString(sign([]byte(signed)))
}

// genuine returns what the guard's own tokens are made of.
func genuine(t *testing.T, g *Guard, clock *testClock) (ed25519.PrivateKey, map[string]any, map[string]any) {
	t.Helper()
	key, err := g.keys.sign(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	token := account.Credential{
		ID: "token-1", Hash: "token-1", Kind: account.RefreshToken, AccountID: "account-1", Family: "family-1",
	}
	if err := g.store.AddCredential(context.Background(), token); err != nil {
		t.Fatal(err)
	}
	now := clock.now().Unix()
	return ed25519.NewKeyFromSeed(key.Private), map[string]any{"alg": "EdDSA", "typ": "JWT", "kid": key.ID},
		map[string]any{
			"iss": "https://club.example", "aud": "quatuor-api", "sub": "account-1", "sid": "family-1", "iat": now,
			"exp": now + 900,
		}
}

func TestForgedTokensAreRefused(t *testing.T) {
	g, clock, owner := newGuard(t, nil)
	private, header, claims := genuine(t, g, clock)
	sign := func(text []byte) []byte { return ed25519.Sign(private, text) }
	if who, err := bearer(t, g, jws(header, claims, sign)); err != nil || who.AccountID != "account-1" {
		t.Fatalf("a token made of the right parts is refused: %v, %v", who, err)
	}
	_, strangers, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.now().Unix()
	change := func(from map[string]any, key string, value any) map[string]any {
		out := maps.Clone(from)
		out[key] = value
		if value == nil {
			delete(out, key)
		}
		return out
	}
	byHMAC := func(text []byte) []byte {
		mac := hmac.New(sha256.New, private.Public().(ed25519.PublicKey))
		mac.Write(text)
		return mac.Sum(nil)
	}
	nothing := func([]byte) []byte { return nil }
	good := jws(header, claims, sign)
	parts := strings.Split(good, ".")
	other := strings.Split(jws(header, change(claims, "sub", "account-2"), sign), ".")
	for name, token := range map[string]string{
		"no algorithm":               jws(change(header, "alg", "none"), claims, nothing),
		"None in other letters":      jws(change(header, "alg", "NonE"), claims, nothing),
		"public key as HMAC secret":  jws(change(header, "alg", "HS256"), claims, byHMAC),
		"another algorithm's name":   jws(change(header, "alg", "ES256"), claims, sign),
		"an unheard-of algorithm":    jws(change(header, "alg", "XX99"), claims, sign),
		"a stranger's key":           jws(header, claims, func(b []byte) []byte { return ed25519.Sign(strangers, b) }),
		"an unknown key id":          jws(change(header, "kid", "unknown"), claims, sign),
		"no key id":                  jws(change(header, "kid", nil), claims, sign),
		"a number as key id":         jws(change(header, "kid", 7), claims, sign),
		"another issuer":             jws(header, change(claims, "iss", "https://evil.example"), sign),
		"no issuer":                  jws(header, change(claims, "iss", nil), sign),
		"another audience":           jws(header, change(claims, "aud", "others"), sign),
		"no audience":                jws(header, change(claims, "aud", nil), sign),
		"expired":                    jws(header, change(claims, "exp", now-6), sign),
		"without expiry":             jws(header, change(claims, "exp", nil), sign),
		"issued in the future":       jws(header, change(claims, "iat", now+60), sign),
		"not valid yet":              jws(header, change(claims, "nbf", now+60), sign),
		"without subject":            jws(header, change(claims, "sub", nil), sign),
		"without session":            jws(header, change(claims, "sid", nil), sign),
		"an account that is not":     jws(header, change(claims, "sub", "account-9"), sign),
		"another's claims":           parts[0] + "." + other[1] + "." + parts[2],
		"no signature":               parts[0] + "." + parts[1] + ".",
		"two parts":                  parts[0] + "." + parts[1],
		"a bit of the signature":     parts[0] + "." + parts[1] + "." + flipped(parts[2]),
		"padding":                    good + "=",
		"spaces":                     parts[0] + " ." + parts[1] + "." + parts[2],
		"a refresh token":            open(t, g, owner).Refresh,
		"nothing but dots":           "..",
		"a very long one":            strings.Repeat("a", 100_000),
		"an API token of no account": "qt_" + strings.Repeat("a", 59),
	} {
		if who, err := bearer(t, g, token); !errors.Is(err, ErrBadToken) || !who.Anonymous() {
			t.Errorf("%s: %v, %v", name, who, err)
		}
	}
}

func flipped(text string) string {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	raw[10] ^= 1
	return base64.RawURLEncoding.EncodeToString(raw)
}

func TestOtherAuthorizationHeadersAreRefused(t *testing.T) {
	g, _, owner := newGuard(t, nil)
	token := open(t, g, owner).Access
	for _, headers := range [][]string{
		{""},
		{"Bearer"},
		{"Bearer "},
		{"Basic YWRhOnBhc3N3b3Jk"},
		{token},
		{"Token " + token},
		{"Bearer " + token, "Bearer " + token},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header["Authorization"] = headers
		if who, err := g.Authenticate(r); !errors.Is(err, ErrBadToken) {
			t.Errorf("%.40q: %v, %v", headers, who, err)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if who, err := g.Authenticate(r); err != nil || !who.Anonymous() {
		t.Errorf("without a header: %v, %v", who, err)
	}
}

func TestAVerifiedTokenIsRememberedNoLongerThanItIsGood(t *testing.T) {
	g, clock, owner := newGuard(t, nil)
	token := open(t, g, owner).Access
	for range 2 {
		if _, err := bearer(t, g, token); err != nil {
			t.Fatal(err)
		}
	}
	if g.verified.Len() != 1 {
		t.Errorf("%d tokens are remembered", g.verified.Len())
	}
	clock.at = clock.at.Add(AccessLife + leeway + time.Second)
	if _, err := bearer(t, g, token); !errors.Is(err, ErrBadToken) {
		t.Errorf("expired and remembered: %v", err)
	}
}

func TestKeysRotate(t *testing.T) {
	g, clock, owner := newGuard(t, nil)
	old := open(t, g, owner).Access
	before, err := g.PublicKeys(t.Context())
	if err != nil || len(before) != 1 {
		t.Fatalf("%v, %v", before, err)
	}
	clock.at = clock.at.Add(keyLife - 5*time.Minute)
	kept := open(t, g, owner).Access
	clock.at = clock.at.Add(5 * time.Minute)
	fresh := open(t, g, owner).Access
	keys, err := g.PublicKeys(t.Context())
	if err != nil || len(keys) != 2 || !slices.Contains(keys, before[0]) {
		t.Fatalf("%v, %v", keys, err)
	}
	for name, token := range map[string]string{"signed before the change": kept, "signed after it": fresh} {
		if _, err := bearer(t, g, token); err != nil {
			t.Errorf("a token %s: %v", name, err)
		}
	}
	if _, err := bearer(t, g, old); !errors.Is(err, ErrBadToken) {
		t.Errorf("an expired token: %v", err)
	}
	clock.at = clock.at.Add(keysFresh + AccessLife + leeway + time.Minute)
	if keys, err = g.PublicKeys(t.Context()); err != nil || len(keys) != 1 || keys[0] == before[0] {
		t.Errorf("the old key is of no use any more: %v, %v", keys, err)
	}
	// Another instance on the same database accepts the signatures of this one.
	token := open(t, g, owner).Access
	other := NewGuard(Config{Store: g.store, Now: clock.now, Issuer: "https://club.example"})
	if _, err := bearer(t, other, token); err != nil {
		t.Errorf("on another instance: %v", err)
	}
}

// failing is a store that is away.
type failing struct{ Store }

var errAway = errors.New("the database is away")

func (failing) Keys(context.Context) ([]account.Key, error) { return nil, errAway }

func TestAStoreThatFailsIsNotTheTokensFault(t *testing.T) {
	g, clock, owner := newGuard(t, nil)
	token := open(t, g, owner).Access
	other := NewGuard(Config{Store: failing{g.store}, Now: clock.now, Issuer: "https://club.example"})
	if _, err := bearer(t, other, token); !errors.Is(err, errAway) || errors.Is(err, ErrBadToken) {
		t.Errorf("%v", err)
	}
}
