package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quatuor/api/auth"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// CreateAdmin creates an account with all rights.
func CreateAdmin(ctx context.Context, db *store.Store, login, password string) error {
	guard := auth.NewGuard(auth.Config{Store: db.People()})
	_, err := guard.Create(ctx, auth.NewAccount{Login: login, Password: password}, account.RoleAdmin)
	if errors.Is(err, account.ErrTaken) {
		return accountThere(login)
	}
	return err
}

// SetPassword sets an account's password, whatever it was, and ends its sessions.
func SetPassword(ctx context.Context, db *store.Store, login, password string) error {
	guard := auth.NewGuard(auth.Config{Store: db.People()})
	err := guard.SetPassword(ctx, strings.ToLower(login), password)
	if errors.Is(err, account.ErrNotFound) {
		return accountMissing(login)
	}
	return err
}

func accountThere(login string) error   { return fmt.Errorf("there is an account %q already", login) }
func accountMissing(login string) error { return fmt.Errorf("there is no account %q", login) }

// CheckAccount makes the checks of CreateAdmin, or of SetPassword where the account is wanted, before the database is
// opened: nothing is created and no schema brought up to date.
func (s Storage) CheckAccount(ctx context.Context, login, password string, wanted bool) error {
	if err := auth.NewGuard(auth.Config{}).CheckNew(ctx, login, password); err != nil {
		return err
	}
	has, err := store.HasLogin(ctx, s.StoreConfig(nil), strings.ToLower(login))
	switch {
	case err != nil:
		return err
	case has && !wanted:
		return accountThere(login)
	case wanted && !has:
		return accountMissing(login)
	}
	return nil
}

// MergePlayers merges two records of a person, and rates the whole history again in the same transaction. Games that
// have just ended are rated first.
func (a *App) MergePlayers(ctx context.Context, m club.Merge) error {
	pair, err := a.Store.People().Players(ctx, []string{m.Keep, m.Gone})
	if err != nil {
		return err
	}
	if _, err := a.ratings.CatchUp(ctx); err != nil {
		return err
	}
	err = a.ratings.Reassign(func(recompute func(context.Context, ledger.Store) error) error {
		return a.Store.People().MergePlayers(ctx, m, recompute)
	})
	if err != nil {
		return err
	}
	for _, player := range pair {
		if player.AccountID != "" {
			a.Guard.AccountChanged(player.AccountID)
		}
	}
	a.logger.InfoContext(ctx, "players merged", "kept", m.Keep, "gone", m.Gone, "by", m.By)
	return nil
}
