package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quatuor/tournament/account"
)

// maxTokens is how many API tokens an account may have.
const maxTokens = 100

// ErrTokenCount reports that an account has as many API tokens as it may have.
var ErrTokenCount = fmt.Errorf("an account may have %d API tokens; delete one first", maxTokens)

// ErrExpiry refuses a time in the past.
var ErrExpiry = errors.New("the time at which it expires must lie in the future")

// NewAPIToken makes an API token and returns its secret, which is shown only now. expires may be the zero time: never.
func (g *Guard) NewAPIToken(ctx context.Context, w Identity, name string, scopes []Scope, expires time.Time) (
	string, account.Credential, error,
) {
	switch {
	case w.Method == ByAPIToken:
		return "", account.Credential{}, ErrSessionOnly
	case !w.Has(scopes...):
		return "", account.Credential{}, fmt.Errorf("%w: a session of this account has the scopes %v", ErrScope, w.Scopes)
	case !expires.IsZero() && !expires.After(g.now()):
		return "", account.Credential{}, ErrExpiry
	}
	secret, c := g.newCredential(account.APIToken, w.AccountID, 0)
	c.Name, c.ExpiresAt = name, 0
	if !expires.IsZero() {
		c.ExpiresAt = expires.UnixMilli()
	}
	for _, s := range scopes {
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

// APITokens returns the account's API tokens that still work.
func (g *Guard) APITokens(ctx context.Context, owner string) ([]account.Credential, error) {
	all, err := g.store.Credentials(ctx, owner, account.APIToken)
	if err != nil {
		return nil, err
	}
	now := g.now().UnixMilli()
	return slices.DeleteFunc(all, func(c account.Credential) bool {
		return c.RevokedAt != 0 || (c.ExpiresAt != 0 && now >= c.ExpiresAt)
	}), nil
}

// EndAPIToken ends one of the identity's API tokens; account.ErrNotFound for any other.
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
