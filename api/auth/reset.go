package auth

import (
	"context"
	"errors"
	"time"

	"quatuor/tournament/account"
)

// resetLife is the validity of a link for a new password.
const resetLife = 15 * time.Minute

// NewReset returns the code of a link that lets the owner of an account set a new password once, and when it expires.
// It ends earlier codes of the account. Admins may do it for all but themselves, organisers for plain players if the
// club's settings allow it; for others it is ErrAdminReset. The caller has checked [ResetPasswords]. It requires a
// session: ErrSessionOnly for an API token.
func (g *Guard) NewReset(ctx context.Context, w Identity, accountID string) (string, time.Time, error) {
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
	may, err := g.mayReset(ctx, w.Role, owner)
	if err != nil {
		return "", time.Time{}, err
	}
	if !may || w.Role == account.RoleAdmin && !w.Can(w.Level(), ManageAccounts) {
		return "", time.Time{}, ErrAdminReset
	}
	secret, c := g.newCredential(account.PasswordReset, owner.ID, resetLife)
	c.Name = w.AccountID // the maker
	return secret, time.UnixMilli(c.ExpiresAt), g.store.AddReset(ctx, c)
}

// ResetOwner returns the account of a code of NewReset or of an e-mail; ErrResetCode if the code is not good, a
// *LimitError after too many of these. It uses nothing up.
func (g *Guard) ResetOwner(ctx context.Context, code, address string) (account.Account, error) {
	owner, _, err := g.reset(ctx, code, address)
	return owner, err
}

// reset returns the account of a code, and the code's maker; see ResetOwner.
func (g *Guard) reset(ctx context.Context, code, address string) (owner, maker account.Account, err error) {
	if owner, maker, err = g.resetOf(ctx, code); errors.Is(err, ErrResetCode) {
		err = g.UnknownCode(ctx, address, err)
	}
	return owner, maker, err
}

func (g *Guard) resetOf(ctx context.Context, code string) (owner, maker account.Account, err error) {
	hash, ok := HashSecret(account.PasswordReset, code)
	if !ok {
		return owner, maker, ErrResetCode
	}
	c, err := g.store.CredentialByHash(ctx, account.PasswordReset, hash)
	if errors.Is(err, account.ErrNotFound) || err == nil &&
		(c.UsedAt != 0 || c.RevokedAt != 0 || g.now().UnixMilli() >= c.ExpiresAt) {
		return owner, maker, ErrResetCode
	}
	if err == nil {
		owner, err = g.store.Account(ctx, c.AccountID)
	}
	if err == nil {
		maker, err = g.store.Account(ctx, c.Name)
	}
	if err != nil {
		return owner, maker, err
	}
	may := maker.ID == owner.ID // sent to their own e-mail address
	if !may {
		may, err = g.mayReset(ctx, maker.Role, owner)
	}
	if err == nil && (!may || owner.DisabledAt != 0 || maker.DisabledAt != 0) { // not any more
		err = ErrResetCode
	}
	return owner, maker, err
}

// mayReset reports whether the holder of a role may reset the password of an account under the current settings.
func (g *Guard) mayReset(ctx context.Context, maker account.Role, owner account.Account) (bool, error) {
	switch {
	case maker == account.RoleAdmin:
		return true, nil
	case maker != account.RoleOrganiser, owner.Role != account.RolePlayer, !g.resets(ctx):
		return false, nil
	}
	runs, err := g.store.RunsTournament(ctx, owner.ID)
	return !runs, err
}

// MayReset reports whether an identity may reset the password of another account.
func (g *Guard) MayReset(ctx context.Context, w Identity, owner account.Account) (bool, error) {
	if !w.Can(w.Level(), ResetPasswords) || owner.ID == w.AccountID || owner.DisabledAt != 0 {
		return false, nil
	}
	return g.mayReset(ctx, w.Role, owner)
}

// ResetSeen clears the note to an account's owner about the last reset of the password.
func (g *Guard) ResetSeen(ctx context.Context, w Identity) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	from, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return err
	}
	to := from
	to.ResetBy, to.ResetAt = "", 0
	return g.store.UpdateAccount(ctx, from, to)
}

// ResetPassword uses a code of NewReset up for a new password, and ends all sessions of its account. Of several calls
// at the same time only the first succeeds. Errors: ErrResetCode, an *InvalidField, a *LimitError.
func (g *Guard) ResetPassword(ctx context.Context, code, password, address string) (account.Account, error) {
	owner, maker, err := g.reset(ctx, code, address)
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
		Kinds: []account.CredentialKind{account.RefreshToken, account.PageSession, account.PasswordReset},
		At:    g.now().UnixMilli(),
	}
	owner, err = g.store.ResetPassword(ctx, hash, hashed, maker.Login, end)
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
