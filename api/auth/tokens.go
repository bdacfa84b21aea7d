package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quatuor/tournament/account"
)

// maxTokens bounds the API tokens of an account.
const maxTokens = 100

// ErrTokenCount reports that an account has as many API tokens as it may have.
var ErrTokenCount = fmt.Errorf("an account may have %d API tokens; delete one first", maxTokens)

// ErrExpiry refuses a time in the past.
var ErrExpiry = errors.New("the time at which it expires must lie in the future")

// ErrTokenLife refuses a token for a single tournament that would last too long.
var ErrTokenLife = fmt.Errorf("%w, and within 366 days for a token for one tournament", ErrExpiry)

// NewToken describes an API token that is to be made.
type NewToken struct {
	Name    string
	Scopes  []Scope
	Expires time.Time // zero: never, or after tournamentTokenLife for a single tournament
	// Tournament confines the token to a tournament, "" for any. The caller has checked [MakeTokens] there.
	Tournament string
}

const (
	tournamentTokenLife    = 30 * 24 * time.Hour
	maxTournamentTokenLife = 366 * 24 * time.Hour
)

// TournamentScopes returns the scopes of tokens for a single tournament.
func TournamentScopes() []Scope { return []Scope{ScopeDisplay, ScopeBoard, ScopeHelper} }

// NewAPIToken makes an API token and returns its secret, which is shown only now.
func (g *Guard) NewAPIToken(ctx context.Context, w Identity, n NewToken) (string, account.Credential, error) {
	if w.Method == ByAPIToken {
		return "", account.Credential{}, ErrSessionOnly
	}
	if err := g.checkToken(w, &n); err != nil {
		return "", account.Credential{}, err
	}
	secret, c := g.newCredential(account.APIToken, w.AccountID, 0)
	c.Name = n.Name
	c.ExpiresAt = 0
	c.Tournament = n.Tournament
	if !n.Expires.IsZero() {
		c.ExpiresAt = n.Expires.UnixMilli()
	}
	for _, s := range n.Scopes {
		c.Scopes = append(c.Scopes, string(s))
	}
	err := g.store.AddToken(ctx, c, maxTokens)
	switch {
	case errors.Is(err, account.ErrFull):
		err = ErrTokenCount
	case errors.Is(err, account.ErrStale):
		err = ErrBadToken // the account has just been closed
	}
	return secret, c, err
}

// checkToken checks the scopes and the life of a token that is to be made, and fills in the life.
func (g *Guard) checkToken(w Identity, n *NewToken) error {
	now := g.now()
	if n.Tournament == "" && !w.Has(n.Scopes...) {
		return fmt.Errorf("%w: a session of this account has the scopes %v", ErrScope, w.Scopes)
	}
	if !n.Expires.IsZero() && !n.Expires.After(now) {
		return ErrExpiry
	}
	if n.Tournament == "" {
		return nil
	}
	if one := TournamentScopes(); slices.ContainsFunc(n.Scopes, func(s Scope) bool { return !slices.Contains(one, s) }) {
		return fmt.Errorf("%w: one for a single tournament has no scopes but %v", ErrScope, one)
	}
	if n.Expires.IsZero() {
		n.Expires = now.Add(tournamentTokenLife)
	}
	if n.Expires.Sub(now) > maxTournamentTokenLife {
		return ErrTokenLife
	}
	return nil
}

// granted returns the scopes of an API token of an account with these: those of them that it was made with, or, for a
// single tournament, its own.
func granted(c account.Credential, scopes []Scope) (has []Scope) {
	if c.Tournament != "" {
		has = append(has, ScopeDisplay)
		scopes = []Scope{ScopeBoard, ScopeHelper}
	}
	for _, s := range scopes {
		if slices.Contains(c.Scopes, string(s)) {
			has = append(has, s)
		}
	}
	return has
}

// APITokens returns the account's API tokens that still work.
func (g *Guard) APITokens(ctx context.Context, owner string) ([]account.Credential, error) {
	all, err := g.store.Credentials(ctx, owner, account.APIToken)
	if err != nil {
		return nil, err
	}
	g.uses.fill(all)
	now := g.now().UnixMilli()
	return slices.DeleteFunc(all, func(c account.Credential) bool {
		return c.RevokedAt != 0 || (c.ExpiresAt != 0 && now >= c.ExpiresAt)
	}), nil
}

// EndAPIToken ends an API token of the identity; account.ErrNotFound for any other.
func (g *Guard) EndAPIToken(ctx context.Context, w Identity, id string) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	have, err := g.APITokens(ctx, w.AccountID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(have, func(c account.Credential) bool { return c.ID == id }) {
		return fmt.Errorf("API token %s: %w", id, account.ErrNotFound)
	}
	return g.revoke(ctx, w.AccountID, id)
}

// useInterval is the precision of the last use of an API token.
const useInterval = 5 * time.Minute

// uses are the last uses of API tokens that are not stored yet. They are stored beside the requests, so that no request
// waits for it.
type uses struct {
	mu     sync.Mutex
	latest map[string]int64 // by id, ms UTC
}

// noteUse notes that an API token was used.
func (g *Guard) noteUse(c account.Credential) {
	now := g.now().UnixMilli()
	if now-c.UsedAt < useInterval.Milliseconds() {
		return
	}
	g.uses.mu.Lock()
	defer g.uses.mu.Unlock()
	if g.uses.latest == nil {
		g.uses.latest = map[string]int64{}
	}
	g.uses.latest[c.ID] = now
}

// fill sets the uses of credentials that are not stored yet.
func (u *uses) fill(all []account.Credential) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range all {
		all[i].UsedAt = max(all[i].UsedAt, u.latest[all[i].ID])
	}
}

// StoreUses stores the last uses of API tokens; those that cannot be stored are kept for the next time.
func (g *Guard) StoreUses(ctx context.Context) error {
	g.uses.mu.Lock()
	some := g.uses.latest
	g.uses.latest = nil
	g.uses.mu.Unlock()
	if len(some) == 0 {
		return nil
	}
	err := g.store.Used(ctx, some)
	if err != nil {
		g.uses.mu.Lock()
		defer g.uses.mu.Unlock()
		if g.uses.latest == nil {
			g.uses.latest = map[string]int64{}
		}
		for id, at := range some {
			g.uses.latest[id] = max(at, g.uses.latest[id])
		}
	}
	return err
}
