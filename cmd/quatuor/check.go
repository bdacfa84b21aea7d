package main

import (
	"context"
	"log/slog"

	"quatuor/cmd/quatuor/app"
	"quatuor/store"
)

// checkCmd looks whether everything that is stored fits together. It changes nothing.
type checkCmd struct {
	storage `embed:""`
}

// Run checks the installation, whether the service runs on it or not.
func (c checkCmd) Run(ctx context.Context, s streams) error {
	db, err := store.OpenToRead(ctx, c.plain().StoreConfig(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	defer db.Close()
	return app.Check(ctx, c.plain(), db, s)
}
