package auth

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"quatuor/api/internal/limit"
	"quatuor/tournament/account"
)

const (
	// keyLife is the time that a key signs before its successor takes over.
	keyLife = 30 * 24 * time.Hour
	// keysFresh is the cache's TTL for keys.
	keysFresh = time.Minute
)

// unknownKeys limits look-ups of unknown keys, so that invented keys do not load the store. A key that another instance
// has just made is found at once, or a second later during a flood of invented keys.
var unknownKeys = limit.Rate{Interval: time.Second, Burst: 10}

// PublicKey is a key that access tokens can be checked with, as RFC 8037 spells it.
type PublicKey struct {
	ID string
	X  string // the point, base64url
}

// keyRing holds the signing keys: the newest signs, retired keys verify until their tokens have expired.
type keyRing struct {
	store Keys
	now   func() time.Time

	mu     sync.Mutex
	keys   map[string]account.Key
	signer account.Key
	loaded time.Time
	asked  *limit.Limiter // for keys that are not known
}

// sign returns the key to sign with now, a new key where the newest has served its time.
func (r *keyRing) sign(ctx context.Context) (account.Key, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if now.Sub(r.loaded) > keysFresh {
		if err := r.load(ctx); err != nil {
			return account.Key{}, err
		}
	}
	if r.signer.ID == "" || now.UnixMilli()-r.signer.CreatedAt >= keyLife.Milliseconds() {
		if err := r.rotate(ctx); err != nil {
			return account.Key{}, err
		}
	}
	return r.signer, nil
}

func (r *keyRing) load(ctx context.Context) error {
	keys, err := r.store.Keys(ctx)
	if err != nil {
		return fmt.Errorf("signing keys: %w", err)
	}
	r.keys = make(map[string]account.Key, len(keys))
	r.signer = account.Key{}
	for _, k := range keys {
		if len(k.Private) != ed25519.SeedSize {
			return fmt.Errorf("signing key %s has %d bytes, not %d", k.ID, len(k.Private), ed25519.SeedSize)
		}
		r.keys[k.ID] = k
		if k.RetiredAt == 0 && k.CreatedAt >= r.signer.CreatedAt {
			r.signer = k
		}
	}
	r.loaded = r.now()
	return nil
}

// rotate makes a new key and retires the previous.
func (r *keyRing) rotate(ctx context.Context) error {
	old := r.signer
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed)
	next := account.Key{ID: uuid.Must(uuid.NewV7()).String(), Private: seed, CreatedAt: r.now().UnixMilli()}
	if err := r.store.AddKey(ctx, next); err != nil {
		return fmt.Errorf("new signing key: %w", err)
	}
	if old.ID != "" {
		if err := r.store.RetireKey(ctx, old.ID, r.now().UnixMilli()); err != nil {
			return fmt.Errorf("retiring a signing key: %w", err)
		}
	}
	return r.load(ctx)
}

// verify returns the key that a token names, if tokens signed with it can still be good.
func (r *keyRing) verify(ctx context.Context, id string) (ed25519.PublicKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	_, known := r.keys[id]
	if now.Sub(r.loaded) > keysFresh || !known && r.asked.TakeAt("", now).OK {
		if err := r.load(ctx); err != nil {
			return nil, err
		}
	}
	k, known := r.keys[id]
	if !known || !verifies(k, now) {
		return nil, ErrBadToken
	}
	return public(k), nil
}

// public returns the keys that can still be needed to check a token, oldest first.
func (r *keyRing) public(ctx context.Context) ([]PublicKey, error) {
	if _, err := r.sign(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var keys []account.Key
	for _, k := range r.keys {
		if verifies(k, r.now()) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b account.Key) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	out := make([]PublicKey, len(keys))
	for i, k := range keys {
		out[i] = PublicKey{ID: k.ID, X: base64.RawURLEncoding.EncodeToString(public(k))}
	}
	return out, nil
}

// verifies reports whether tokens that a key signed can be good. Another instance may have signed with it for as long
// as its keys were fresh.
func verifies(k account.Key, now time.Time) bool {
	return k.RetiredAt == 0 || now.UnixMilli() <= k.RetiredAt+(keysFresh+AccessLife+leeway).Milliseconds()
}

func public(k account.Key) ed25519.PublicKey {
	return ed25519.NewKeyFromSeed(k.Private).Public().(ed25519.PublicKey)
}
