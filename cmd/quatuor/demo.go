package main

import (
	"context"

	"quatuor/cmd/quatuor/demo"
)

// demoCmd plays a whole club evening against a server of its own, as separate clients would.
type demoCmd struct {
	demo.Config `embed:""`
}

// Run plays the evening and stays up until interrupted, or exits with --exit.
func (c demoCmd) Run(ctx context.Context, s streams) error { return demo.Run(ctx, c.Config, s) }
