package auth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"sync"
	"time"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// setup is the single-use code that sets up an installation without an admin. It is valid until the program ends or the
// first admin exists. With several instances each has its own, and all accept any of them: they are stored, as hashes.
type setup struct {
	mu   sync.Mutex
	code string // "" before the first SetupCode, and after its use
	hash string
	done bool // an admin exists, and always will: the store is not read again
}

// SetupCode returns the code that lets its holder make the first admin's account; "" once an admin exists. It is shown
// to the operator alone, where the program was started.
func (g *Guard) SetupCode(ctx context.Context) (string, error) {
	if needed, err := g.NeedsSetup(ctx); err != nil || !needed {
		return "", err
	}
	g.setup.mu.Lock()
	defer g.setup.mu.Unlock()
	if g.setup.code == "" {
		code, hash := NewClaimCode()
		if g.attempts != nil {
			if err := g.storeSetup(ctx, hash); err != nil {
				return "", err
			}
		}
		g.setup.code, g.setup.hash = code, hash
	}
	return g.setup.code, nil
}

// setupLife is the validity of an instance's code at the other instances.
const setupLife = 7 * 24 * time.Hour

func (g *Guard) storeSetup(ctx context.Context, hash string) error {
	now := g.now()
	return g.store.AddCredential(ctx, account.Credential{
		ID: newID(), Kind: account.SetupCode, Hash: hash, CreatedAt: now.UnixMilli(),
		ExpiresAt: now.Add(setupLife).UnixMilli(),
	})
}

// isSetup reports whether a code is that of this instance or of another.
func (g *Guard) isSetup(ctx context.Context, code string) (bool, error) {
	g.setup.mu.Lock()
	own := g.setup.hash
	g.setup.mu.Unlock()
	hash := HashClaimCode(code)
	if own != "" && subtle.ConstantTimeCompare([]byte(hash), []byte(own)) == 1 {
		return true, nil
	}
	if g.attempts == nil {
		return false, nil
	}
	c, err := g.store.CredentialByHash(ctx, account.SetupCode, hash)
	if errors.Is(err, account.ErrNotFound) {
		return false, nil
	}
	return err == nil && c.RevokedAt == 0 && g.now().UnixMilli() < c.ExpiresAt, err
}

// NeedsSetup reports whether an admin is missing: an open account with that role. Until then accounts are opened by the
// set-up only. Other accounts, which an older database may have, do not end it.
func (g *Guard) NeedsSetup(ctx context.Context) (bool, error) {
	g.setup.mu.Lock()
	done := g.setup.done
	g.setup.mu.Unlock()
	if done {
		return false, nil
	}
	has, err := g.store.HasAdmin(ctx)
	if err != nil || !has {
		return err == nil, err
	}
	g.setup.end()
	return false, nil
}

func (s *setup) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	s.code = ""
	s.hash = ""
}

// Empty reports whether no account exists, so that logging in is impossible before the set-up.
func (g *Guard) Empty(ctx context.Context) (bool, error) {
	if due, err := g.NeedsSetup(ctx); err != nil || !due {
		return false, err
	}
	n, err := g.store.CountAccounts(ctx)
	return n == 0, err
}

// CheckSetup returns nil if a code is that of SetupCode: account.ErrSetUp if an admin exists already, ErrSetupCode for
// another code, a *LimitError after too many of these.
func (g *Guard) CheckSetup(ctx context.Context, code, address string) error {
	needed, err := g.NeedsSetup(ctx)
	if err != nil {
		return err
	}
	if !needed {
		return account.ErrSetUp
	}
	if good, err := g.isSetup(ctx, code); err != nil || good {
		return err
	}
	// The codes go with the set-up, which may have been done at another instance since the question above.
	if needed, err := g.NeedsSetup(ctx); err != nil || !needed {
		return cmp.Or(err, account.ErrSetUp)
	}
	return g.UnknownCode(ctx, address, ErrSetupCode)
}

// SetUp makes the first admin's account and stores the club's settings, for the holder of the code. Of several calls at
// the same time only the first succeeds. Errors: those of CheckSetup, an *InvalidField.
func (g *Guard) SetUp(ctx context.Context, code string, n NewAccount, s club.Settings) (account.Account, error) {
	if err := g.CheckSetup(ctx, code, n.Address); err != nil {
		return account.Account{}, err
	}
	first, player, err := g.prepare(ctx, n, account.RoleAdmin)
	if err != nil {
		return account.Account{}, err
	}
	if err := g.store.SetUp(ctx, s, first, player); err != nil {
		return account.Account{}, err
	}
	g.setup.end()
	return first, nil
}

// Claim assigns the player with a claim code to the identity's account. The caller has checked [ClaimPlayer]. Errors:
// account.ErrHasPlayer, ErrClaimCode, a *LimitError after too many of these.
func (g *Guard) Claim(ctx context.Context, w Identity, code string) (club.Player, error) {
	if w.PlayerID != "" {
		return club.Player{}, account.ErrHasPlayer
	}
	hash := HashClaimCode(code)
	if err := g.claimable(ctx, hash, w.Address); err != nil {
		return club.Player{}, err
	}
	player, err := g.store.Claim(ctx, hash, w.AccountID)
	if errors.Is(err, club.ErrNotFound) { // another account was faster
		err = ErrClaimCode
	}
	if err != nil {
		return player, err
	}
	g.AccountChanged(w.AccountID)
	return player, nil
}
