package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// NewInvitation is the data of an invitation to make.
type NewInvitation struct {
	Life time.Duration
	Uses int          // number of accounts that can be opened with it; 0 means 1
	Role account.Role // of these accounts; "" for a player's
}

// MaxUses bounds the accounts that can be opened with an invitation.
const MaxUses = 1000

// maxInvitations bounds the invitations that are listed.
const maxInvitations = 200

// Invite returns the code of an invitation to open accounts, and when it expires. The caller has checked [Invite];
// another role than a player's takes [InviteStaff].
func (g *Guard) Invite(ctx context.Context, w Identity, n NewInvitation) (string, time.Time, error) {
	if n.Role == account.RolePlayer {
		n.Role = ""
	}
	if n.Role != "" {
		if err := w.Demand(w.Level(), InviteStaff); err != nil {
			return "", time.Time{}, err
		}
	}
	secret, c := g.newCredential(account.Invitation, w.AccountID, n.Life)
	c.Role, c.Uses = n.Role, min(max(n.Uses, 1), MaxUses)
	err := g.store.AddCredential(ctx, c)
	if errors.Is(err, account.ErrStale) {
		err = ErrBadToken // the account has just been closed
	}
	return secret, time.UnixMilli(c.ExpiresAt), err
}

// Invitations returns the invitations that can be used, the newest first: the identity's own, to admins all.
func (g *Guard) Invitations(ctx context.Context, w Identity) ([]account.Credential, error) {
	if err := w.Demand(w.Level(), Invite); err != nil {
		return nil, err
	}
	owner := w.AccountID
	if w.Can(w.Level(), ManageAccounts) {
		owner = ""
	}
	return g.store.Invitations(ctx, owner, g.now().UnixMilli(), maxInvitations)
}

// EndInvitation ends an invitation that the identity sees; account.ErrNotFound for any other.
func (g *Guard) EndInvitation(ctx context.Context, w Identity, id string) error {
	seen, err := g.Invitations(ctx, w)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(seen, func(c account.Credential) bool { return c.ID == id })
	if i < 0 {
		return fmt.Errorf("invitation %s: %w", id, account.ErrNotFound)
	}
	return g.store.RevokeCredential(ctx, seen[i].AccountID, id, g.now().UnixMilli())
}

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
