package app

import (
	"context"
	"errors"
	"fmt"

	"quatuor/api/auth"
	"quatuor/store"
	"quatuor/tournament/account"
)

// CreateAdmin creates an account with all rights.
func CreateAdmin(ctx context.Context, db *store.Store, login, password string) error {
	guard := auth.NewGuard(auth.Config{Store: db.People()})
	_, err := guard.Create(ctx, auth.NewAccount{Login: login, Password: password}, account.RoleAdmin)
	if errors.Is(err, account.ErrTaken) {
		return fmt.Errorf("there is an account %q already", login)
	}
	return err
}
