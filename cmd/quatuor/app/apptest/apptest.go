// Package apptest runs the program within a test.
package apptest

import (
	"context"
	"testing"

	"quatuor/api/auth"
	"quatuor/cmd/quatuor/app"
	"quatuor/store/dbtest"
)

// Run starts the program, which listens on a free port and runs until the test is over. The configuration defaults to a
// data folder of the test's own and open registration. An admin exists, since accounts cannot be opened before.
func Run(t testing.TB, c app.Config) *app.App {
	t.Helper()
	if c.Storage == (app.Storage{}) {
		c.Storage.Data = dbtest.Folder(t, newDatabase)
	}
	if c.Registration == "" {
		c.Registration = "open"
	}
	if c.AdaptAuth == nil { // hashing of passwords is meant to be slow
		c.AdaptAuth = func(c *auth.Config) { c.PasswordCost = auth.PasswordCost{Memory: 8, Passes: 1, Lanes: 1} }
	}
	c.Listen = "127.0.0.1:0"
	c.Hosts = append(c.Hosts, "example.com") // the Host of requests made by httptest
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	has, err := a.Store.People().HasAdmin(t.Context())
	if err == nil && !has {
		err = app.CreateAdmin(t.Context(), a.Store, "apptest", "a long pass phrase of the test")
	}
	if err == nil {
		err = a.Listen(t.Context())
	}
	if err != nil {
		a.Close()
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		a.Close()
	})
	return a
}

func newDatabase(dir string) error {
	db, err := app.Storage{Data: dir}.OpenStore(context.Background())
	if err != nil {
		return err
	}
	return db.Close()
}
