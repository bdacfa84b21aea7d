package auth

import (
	"context"
	"errors"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Claim assigns the player with a claim code to the identity's account. Errors: those of Demand, account.ErrHasPlayer,
// ErrClaimCode, a *LimitError after too many of these.
func (g *Guard) Claim(ctx context.Context, w Identity, code, address string) (club.Player, error) {
	if err := w.Demand(w.Level(), ClaimPlayer); err != nil {
		return club.Player{}, err
	}
	if w.PlayerID != "" {
		return club.Player{}, account.ErrHasPlayer
	}
	hash := HashClaimCode(code)
	if err := g.claimable(ctx, hash, address); err != nil {
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
