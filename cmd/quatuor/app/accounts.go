package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

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

// SetPassword sets an account's password, whatever it was, and ends its sessions.
func SetPassword(ctx context.Context, db *store.Store, login, password string) error {
	guard := auth.NewGuard(auth.Config{Store: db.People()})
	err := guard.SetPassword(ctx, strings.ToLower(login), password)
	if errors.Is(err, account.ErrNotFound) {
		return fmt.Errorf("there is no account %q", login)
	}
	return err
}
