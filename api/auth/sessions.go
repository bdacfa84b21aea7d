package auth

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"quatuor/api/internal/limit"
	"quatuor/tournament/club"
)

// sessionLife is how long a session lasts without being used.
const sessionLife = 30 * 24 * time.Hour

// Tokens are what a client gets for logging in or refreshing.
type Tokens struct {
	Access  string
	Expires time.Duration // of the access token
	Refresh string
}

// LimitError is ErrTooMany with what the client should know.
type LimitError struct{ Verdict limit.Verdict }

// Error gives the message for people.
func (e *LimitError) Error() string { return ErrTooMany.Error() }

// Unwrap gives ErrTooMany.
func (e *LimitError) Unwrap() error { return ErrTooMany }

// CheckLogin gives the account with this login and password. ErrBadLogin says that there is none, never which of the
// two is wrong; a *LimitError that this login or address has failed too often lately.
func (g *Guard) CheckLogin(ctx context.Context, login, password, address string) (club.Account, error) {
	login = strings.ToLower(login)
	for _, l := range []struct {
		limiter *limit.Limiter
		key     string
	}{{g.loginAddress, address}, {g.loginAccount, login}} {
		if v := l.limiter.Take(l.key); !v.OK {
			return club.Account{}, &LimitError{v}
		}
	}
	account, err := g.checkPassword(ctx, login, password)
	if err == nil {
		g.loginAddress.Refund(address)
		g.loginAccount.Refund(login)
	}
	return account, err
}

func (g *Guard) checkPassword(ctx context.Context, login, password string) (club.Account, error) {
	account, err := g.store.AccountByLogin(ctx, login)
	known := err == nil
	if err != nil && !errors.Is(err, club.ErrNotFound) {
		return club.Account{}, err
	}
	hash := account.PasswordHash
	if !known {
		hash = dummyHash()
	}
	ok, stale, err := checkPassword(ctx, hash, password)
	switch {
	case err != nil:
		return club.Account{}, err
	case !ok || !known || account.DisabledAt != 0:
		return club.Account{}, ErrBadLogin
	}
	if stale {
		err = g.setPassword(ctx, &account, password)
		if errors.Is(err, club.ErrStale) {
			return g.checkPassword(ctx, login, password) // another login made it anew, or it has been changed
		}
	}
	return account, err
}

// setPassword gives an account a new password; club.ErrStale if it has got one since the account was read.
func (g *Guard) setPassword(ctx context.Context, account *club.Account, password string) error {
	hash, err := HashPassword(ctx, password)
	if err != nil {
		return err
	}
	was := *account
	account.PasswordHash = hash
	return g.store.UpdateAccount(ctx, was, *account)
}

// OpenSession starts a session of tokens.
func (g *Guard) OpenSession(ctx context.Context, a club.Account) (Tokens, error) {
	family := newID()
	refresh, c := g.newCredential(club.RefreshToken, a.ID, sessionLife)
	c.Family = family
	if err := g.store.AddCredential(ctx, c); err != nil {
		return Tokens{}, err
	}
	return g.tokens(ctx, a.ID, family, refresh)
}

func (g *Guard) tokens(ctx context.Context, account, family, refresh string) (Tokens, error) {
	access, err := g.signAccess(ctx, account, family)
	return Tokens{Access: access, Expires: AccessLife, Refresh: refresh}, err
}

// Refresh exchanges a refresh token for new tokens. ErrBadToken if it is not good; club.ErrReused if it was used
// before, which ends its session.
func (g *Guard) Refresh(ctx context.Context, token string) (Tokens, error) {
	hash, ok := HashSecret(club.RefreshToken, token)
	if !ok {
		return Tokens{}, ErrBadToken
	}
	old, err := g.store.CredentialByHash(ctx, club.RefreshToken, hash)
	if errors.Is(err, club.ErrNotFound) {
		return Tokens{}, ErrBadToken
	}
	if err != nil {
		return Tokens{}, err
	}
	at := g.now()
	now := at.UnixMilli()
	if old.UsedAt == 0 && (old.RevokedAt != 0 || now >= old.ExpiresAt) {
		return Tokens{}, ErrBadToken
	}
	if _, err := g.account(ctx, old.AccountID, at); err != nil {
		return Tokens{}, err
	}
	secret, next := g.newCredential(club.RefreshToken, old.AccountID, sessionLife)
	next.Family = old.Family
	if err := g.store.Rotate(ctx, hash, next, now); err != nil {
		if errors.Is(err, club.ErrReused) {
			g.forgetSession(old.Family)
		}
		return Tokens{}, err
	}
	return g.tokens(ctx, old.AccountID, old.Family, secret)
}

// EndSession ends the session that a request belongs to; ErrSessionOnly for an API token, which has none.
func (g *Guard) EndSession(ctx context.Context, w Who) error {
	switch w.Means {
	case ByAccessToken:
		g.forgetSession(w.Session)
		return g.store.RevokeFamily(ctx, w.Session, g.now().UnixMilli())
	case ByCookie:
		return g.revoke(ctx, w.AccountID, w.Session)
	case ByAPIToken:
		return ErrSessionOnly
	}
	return ErrNeeded
}

// forgetSession refuses the access tokens of a session that have not expired yet.
func (g *Guard) forgetSession(family string) {
	g.ended.Keep(g.ended.Epoch(), family, struct{}{}, g.now().Add(AccessLife+leeway))
}

// revoke ends one credential. Which hash it is remembered under is not known here, so all are forgotten.
func (g *Guard) revoke(ctx context.Context, accountID, id string) error {
	defer g.credentials.Clear()
	return g.store.RevokeCredential(ctx, accountID, id, g.now().UnixMilli())
}

// ChangePassword sets a new password and ends all other sessions of the account. ErrBadLogin if the present password
// is wrong; an *Unfit if the new one cannot be taken; ErrSessionOnly for an API token.
func (g *Guard) ChangePassword(ctx context.Context, w Who, present, next, address string) error {
	if w.Means == ByAPIToken {
		return ErrSessionOnly
	}
	if err := checkChoice(w.Login, next); err != nil {
		return err
	}
	account, err := g.CheckLogin(ctx, w.Login, present, address)
	if err != nil {
		return err
	}
	err = g.setPassword(ctx, &account, next)
	if errors.Is(err, club.ErrStale) {
		return ErrBadLogin // it has been changed meanwhile: what was given is not the present one any more
	}
	if err != nil {
		return err
	}
	return g.endOthers(ctx, w)
}

func (g *Guard) endOthers(ctx context.Context, w Who) error {
	now := g.now().UnixMilli()
	tokens, err := g.store.Credentials(ctx, w.AccountID, club.RefreshToken)
	if err != nil {
		return err
	}
	for _, c := range tokens {
		if c.RevokedAt != 0 || c.Family == w.Session {
			continue
		}
		g.forgetSession(c.Family)
		if err := g.store.RevokeFamily(ctx, c.Family, now); err != nil {
			return err
		}
	}
	pages, err := g.store.Credentials(ctx, w.AccountID, club.PageSession)
	if err != nil {
		return err
	}
	for _, c := range pages {
		if c.RevokedAt != 0 || c.ID == w.Session {
			continue
		}
		if err := g.revoke(ctx, w.AccountID, c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) newCredential(kind club.CredentialKind, account string, life time.Duration) (string, club.Credential) {
	secret, hash := NewSecret(kind)
	now := g.now()
	return secret, club.Credential{
		ID: newID(), Kind: kind, Hash: hash, AccountID: account,
		CreatedAt: now.UnixMilli(), ExpiresAt: now.Add(life).UnixMilli(),
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
