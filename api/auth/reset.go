package auth

import (
	"context"
	"errors"
	"time"

	"quatuor/tournament/account"
)

// resetLife is how long a link for a new password can be used.
const resetLife = 15 * time.Minute

// NewReset returns the code of a link with which the owner of an account can set a new password once, and when it expires.
// Organisers may make it for players, admins for all but themselves. Earlier ones of the account end. It takes a session:
// ErrSessionOnly for an API token.
func (g *Guard) NewReset(ctx context.Context, w Identity, accountID string) (string, time.Time, error) {
	if err := w.Demand(w.Level(), ResetPasswords); err != nil {
		return "", time.Time{}, err
	}
	switch {
	case w.Method == ByAPIToken:
		return "", time.Time{}, ErrSessionOnly
	case w.AccountID == accountID:
		return "", time.Time{}, ErrOwnReset
	}
	owner, err := g.store.Account(ctx, accountID)
	if err != nil {
		return "", time.Time{}, err
	}
	if owner.Role != account.RolePlayer {
		if err := w.Demand(w.Level(), ManageAccounts); err != nil {
			return "", time.Time{}, err
		}
	}
	secret, c := g.newCredential(account.PasswordReset, owner.ID, resetLife)
	c.Name = w.AccountID // who made it
	return secret, time.UnixMilli(c.ExpiresAt), g.store.AddReset(ctx, c)
}

// ResetOwner returns the account for which a code of NewReset is good; ErrResetCode for all others, a *LimitError after too
// many of these. It uses nothing up.
func (g *Guard) ResetOwner(ctx context.Context, code, address string) (account.Account, error) {
	owner, err := g.resetOwner(ctx, code)
	if errors.Is(err, ErrResetCode) {
		err = g.UnknownCode(ctx, address, err)
	}
	return owner, err
}

func (g *Guard) resetOwner(ctx context.Context, code string) (account.Account, error) {
	hash, ok := HashSecret(account.PasswordReset, code)
	if !ok {
		return account.Account{}, ErrResetCode
	}
	c, err := g.store.CredentialByHash(ctx, account.PasswordReset, hash)
	if errors.Is(err, account.ErrNotFound) || err == nil && (c.UsedAt != 0 || c.RevokedAt != 0 || g.now().UnixMilli() >= c.ExpiresAt) {
		return account.Account{}, ErrResetCode
	}
	if err != nil {
		return account.Account{}, err
	}
	owner, err := g.store.Account(ctx, c.AccountID)
	if err != nil {
		return account.Account{}, err
	}
	maker, err := g.store.Account(ctx, c.Name)
	switch {
	case err != nil:
		return account.Account{}, err
	case owner.DisabledAt != 0, maker.DisabledAt != 0, !mayReset(maker.Role, owner.Role): // not any more
		return account.Account{}, ErrResetCode
	}
	return owner, nil
}

// mayReset reports whether who has a role may have the password of an account with another set anew.
func mayReset(maker, owner account.Role) bool {
	return maker == account.RoleAdmin || maker == account.RoleOrganiser && owner == account.RolePlayer
}

// ResetPassword uses a code of NewReset up for a new password, and ends all sessions of its account. Of several at the same
// time one succeeds. Errors: ErrResetCode, an *InvalidField, a *LimitError.
func (g *Guard) ResetPassword(ctx context.Context, code, password, address string) (account.Account, error) {
	owner, err := g.ResetOwner(ctx, code, address)
	if err != nil {
		return account.Account{}, err
	}
	if err := g.checkChoice(ctx, owner.Login, password); err != nil {
		return account.Account{}, err
	}
	hashed, err := g.HashPassword(ctx, password)
	if err != nil {
		return account.Account{}, err
	}
	hash, _ := HashSecret(account.PasswordReset, code)
	end := account.Ending{
		Kinds: []account.CredentialKind{account.RefreshToken, account.PageSession, account.PasswordReset}, At: g.now().UnixMilli(),
	}
	owner, err = g.store.ResetPassword(ctx, hash, hashed, end)
	if errors.Is(err, account.ErrNotFound) || errors.Is(err, account.ErrStale) {
		return account.Account{}, ErrResetCode
	}
	if err != nil {
		return account.Account{}, err
	}
	g.AccountChanged(owner.ID)
	return owner, nil
}

// SetPassword sets an account's password, whatever it was, and ends its sessions: for the command line.
func (g *Guard) SetPassword(ctx context.Context, login, password string) error {
	owner, err := g.store.AccountByLogin(ctx, login)
	if err != nil {
		return err
	}
	if err := g.checkChoice(ctx, owner.Login, password); err != nil {
		return err
	}
	to := owner
	if to.PasswordHash, err = g.HashPassword(ctx, password); err != nil {
		return err
	}
	kinds := []account.CredentialKind{account.RefreshToken, account.PageSession, account.PasswordReset}
	return g.store.ChangePassword(ctx, owner, to, account.Ending{Kinds: kinds, At: g.now().UnixMilli()})
}
