package main

import (
	"context"

	"quatuor/cmd/quatuor/app"
)

// checkCmd looks whether everything that is stored fits together. It changes nothing.
type checkCmd struct {
	storage `embed:""`
}

// Help describes the command's comparisons, and their limits.
func (checkCmd) Help() string {
	return `It compares the schema with what this program makes, replays every game, compares tournaments with their games,
histories, slips and line-ups, computes ratings and the tables of seasons again, and looks for rows that cannot be read,
that name somebody or something that is not there, or that have a value that does not exist.

It cannot judge what is stored once only and follows from nothing: names and other words, passwords, settings, dates,
which of two sound values was meant, line-ups that no captain filed, tournaments that were deleted from a season, and
whole tournaments, ladders or players that are gone with all that named them.`
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
