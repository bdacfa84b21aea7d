package main

import (
	"context"

	"quatuor/cmd/quatuor/app"
)

// ratingsCmd groups the commands on ratings.
type ratingsCmd struct {
	Recompute ratingsRecomputeCmd `cmd:"" help:"Compute all ratings anew from the games."`
	Compute   ratingsComputeCmd   `cmd:"" help:"Rate games from JSON lines on standard input, with any rating system."`
	Simulate  ratingsSimulateCmd  `cmd:"" help:"Compare rating systems on games between players of known strength."`
}

// ratingsRecomputeCmd computes all rating rows from the finished games.
type ratingsRecomputeCmd struct {
	storage `embed:""`

	Verify bool `help:"Change nothing; compare with what is stored, to the last digit, and fail on any difference."`
}

// Run recomputes or verifies. The service must not be running on the same data folder.
func (c ratingsRecomputeCmd) Run(ctx context.Context, s streams) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return app.RecomputeRatings(ctx, db, s.Out, c.Verify)
}
