package main

import (
	"context"

	"quatuor/cmd/quatuor/bench"
)

// benchCmd measures a server through real HTTP, with as many clients as connections.
type benchCmd struct {
	bench.Config `embed:""`
}

// Run measures and prints.
func (c benchCmd) Run(ctx context.Context, s streams) error { return bench.Run(ctx, c.Config, s) }
