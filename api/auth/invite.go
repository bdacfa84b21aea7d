package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quatuor/tournament/account"
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
