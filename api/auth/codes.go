package auth

import (
	"context"
	"errors"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Codes prove a right without a login. Each is looked up before anything is counted: a code that is good is answered
// however many bad codes came from its address, which all phones of a hall may share. Only the others count, all kinds
// of them together, at every door and every instance. All codes are too long to be guessed:
//
//	code of                                   random bits
//	slip, board card (package slip)           80
//	claim of a player, set-up                 80
//	invitation, password reset                256
//	open game that is not listed              128
//
// With a thousand codes of 80 bits in use and a thousand guesses a second, a code is found in 10^10 years. They are
// found by an index of their hashes, so that the time it takes does not leak how much of a code was right.

// UnknownCode counts a code that is not good for its address, and returns its refusal; a *LimitError after too many.
func (g *Guard) UnknownCode(ctx context.Context, address string, refusal error) error {
	if _, _, err := g.count(ctx, try{counter: g.codes, key: AddressKey(address)}); err != nil {
		return err
	}
	return refusal
}

// invitation returns nil if an invitation can be used, by its hash; ErrInvitation, counted, if not.
func (g *Guard) invitation(ctx context.Context, hash, address string) error {
	c, err := g.store.CredentialByHash(ctx, account.Invitation, hash)
	if errors.Is(err, account.ErrNotFound) ||
		err == nil && (c.Uses == 0 || c.RevokedAt != 0 || c.ExpiresAt != 0 && g.now().UnixMilli() >= c.ExpiresAt) {
		return g.UnknownCode(ctx, address, ErrInvitation)
	}
	return err
}

// claimable returns nil if a player can be claimed with a code, by its hash; ErrClaimCode, counted, if not.
func (g *Guard) claimable(ctx context.Context, hash, address string) error {
	_, err := g.store.PlayerByClaim(ctx, hash)
	if errors.Is(err, club.ErrNotFound) {
		return g.UnknownCode(ctx, address, ErrClaimCode)
	}
	return err
}
