package auth

import (
	"context"
	"errors"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

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
