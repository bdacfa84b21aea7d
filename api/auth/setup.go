package auth

import (
	"context"
	"crypto/subtle"
	"sync"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// setup is the one-time code with which an installation without accounts is set up. It lives as long as the program does
// and there is no account.
type setup struct {
	mu   sync.Mutex
	code string // "" before it was asked for, and once it was used
	hash string
	done bool // there is an account: it never asks the store again
}

// SetupCode returns the code with which the first account can be made; "" where there is an account. It is for the operator
// alone, who sees it where the program was started.
func (g *Guard) SetupCode(ctx context.Context) (string, error) {
	if needed, err := g.NeedsSetup(ctx); err != nil || !needed {
		return "", err
	}
	g.setup.mu.Lock()
	defer g.setup.mu.Unlock()
	if g.setup.code == "" {
		g.setup.code, g.setup.hash = NewClaimCode()
	}
	return g.setup.code, nil
}

// NeedsSetup reports whether there is no account yet.
func (g *Guard) NeedsSetup(ctx context.Context) (bool, error) {
	g.setup.mu.Lock()
	done := g.setup.done
	g.setup.mu.Unlock()
	if done {
		return false, nil
	}
	n, err := g.store.CountAccounts(ctx)
	if err != nil || n == 0 {
		return err == nil, err
	}
	g.setup.end()
	return false, nil
}

func (s *setup) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.code, s.hash = true, "", ""
}

// CheckSetup returns nil if a code is the one of SetupCode: account.ErrSetUp where there is an account already,
// ErrSetupCode for another code, a *LimitError after too many of these.
func (g *Guard) CheckSetup(ctx context.Context, code, address string) error {
	needed, err := g.NeedsSetup(ctx)
	if err != nil {
		return err
	}
	if !needed {
		return account.ErrSetUp
	}
	from := AddressKey(address)
	if v := g.codes.Take(from); !v.OK {
		return &LimitError{v}
	}
	g.setup.mu.Lock()
	hash := g.setup.hash
	g.setup.mu.Unlock()
	if hash == "" || subtle.ConstantTimeCompare([]byte(HashClaimCode(code)), []byte(hash)) != 1 {
		return ErrSetupCode
	}
	g.codes.Refund(from)
	return nil
}

// SetUp makes the first account, an admin's, and stores the club's settings, for who has the code. Of several at the same
// time one succeeds. Errors: those of CheckSetup, an *InvalidField.
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
