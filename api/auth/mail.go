package auth

import "context"

// MayMail counts an e-mail that a form sends, for the identity or, if anonymous, for its address; a *LimitError after
// too many.
func (g *Guard) MayMail(ctx context.Context, w Identity, address string) error {
	key := "account " + w.AccountID
	if w.Anonymous() {
		key = AddressKey(address)
	}
	_, _, err := g.count(ctx, try{counter: g.mail, key: key})
	return err
}

// ConfirmPassword returns nil if a password is that of the identity; ErrBadLogin if it is not, ErrSessionOnly for an
// API token. Wrong guesses are counted by session.
func (g *Guard) ConfirmPassword(ctx context.Context, w Identity, password string) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	guess, _, err := g.count(ctx, try{counter: g.loginPair, key: w.Session})
	if err != nil {
		return err
	}
	owner, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return err
	}
	ok, _, err := g.cost.check(ctx, owner.PasswordHash, password)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrBadLogin
	}
	guess.back(ctx)
	return nil
}
