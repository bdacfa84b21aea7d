package auth

import (
	"context"
	"errors"

	"quatuor/tournament/account"
)

// ErrOwnAccount refuses an admin's change of their own role, and closing their own account.
var ErrOwnAccount = errors.New("you cannot change your own account; another admin can")

// AccountChange holds an admin's changes of an account; nil leaves a field as it is.
type AccountChange struct {
	Role     *account.Role
	Disabled *bool
}

// ManageAccount changes an account's role, or disables or enables it, and returns it. The caller has checked
// [ManageAccounts]; check is called first and fails if the account is not what the admin saw. Errors: those of check,
// ErrOwnAccount, account.ErrNotFound, account.ErrStale, account.ErrLastAdmin.
func (g *Guard) ManageAccount(
	ctx context.Context, w Identity, id string, change AccountChange, check func(account.Account) error,
) (account.Account, error) {
	from, err := g.store.Account(ctx, id)
	if err == nil {
		err = check(from)
	}
	if err != nil {
		return account.Account{}, err
	}
	if from.ID == w.AccountID {
		return account.Account{}, ErrOwnAccount
	}
	to := from
	if change.Role != nil {
		to.Role = *change.Role
	}
	if change.Disabled != nil && *change.Disabled != (from.DisabledAt != 0) {
		to.DisabledAt = 0
		if *change.Disabled {
			to.DisabledAt = g.now().UnixMilli()
		}
	}
	if err := g.store.UpdateAccount(ctx, from, to); err != nil {
		return account.Account{}, err
	}
	g.AccountChanged(id)
	return to, nil
}
