package main

import (
	"context"

	"quatuor/cmd/quatuor/app"
)

// checkCmd looks whether everything that is stored fits together. It changes nothing.
type checkCmd struct {
	storage `embed:""`
}

// Run checks the installation, whether the service runs on it or not.
func (c checkCmd) Run(ctx context.Context, s streams) error {
	db, err := c.openToRead(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return app.Check(ctx, c.plain(), db, s)
}
