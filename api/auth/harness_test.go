package auth

import (
	"context"
	"testing"
	"time"

	"quatuor/store"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
)

// testClock is a clock that tests push forward.
type testClock struct{ at time.Time }

func (c *testClock) now() time.Time { return c.at }

// newGuard returns a guard on a real store, with a single account.
func newGuard(t *testing.T, change func(*Config)) (*Guard, *testClock, account.Account) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{Dir: dbtest.Folder(t, newStore)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	clock := &testClock{time.Date(2026, 3, 1, 18, 30, 0, 0, time.UTC)}
	config := Config{Store: db.People(), Now: clock.now, Issuer: "https://club.example", Registration: RegistrationOpen}
	config.PasswordCost = PasswordCost{Memory: 8, Passes: 1, Lanes: 1} // many passwords are tried here
	if change != nil {
		change(&config)
	}
	owner := account.Account{ID: "account-1", Login: "ada", PasswordHash: "none", Role: account.RolePlayer}
	if err := db.People().CreateAccount(t.Context(), owner, nil); err != nil {
		t.Fatal(err)
	}
	return NewGuard(config), clock, owner
}

// newStore makes a store in a folder.
func newStore(dir string) error {
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err != nil {
		return err
	}
	return db.Close()
}

func open(t *testing.T, g *Guard, a account.Account) Tokens {
	t.Helper()
	tokens, err := g.OpenSession(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}
