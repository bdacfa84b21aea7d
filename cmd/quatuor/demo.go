package main

import (
	"context"

	"quatuor/cmd/quatuor/demo"
)

// demoCmd plays a whole club evening against a server of its own, as separate clients would.
type demoCmd struct {
	Data   string `help:"Empty folder to keep the evening in; without it a temporary one is used." type:"path" placeholder:"DIR"`
	Listen string `help:"Address to serve on; port 0 takes a free one." default:"127.0.0.1:0" placeholder:"ADDR"`
	Exit   bool   `help:"End after the evening instead of staying up."`
	Seed   uint64 `help:"Chance of the players; the same number plays much the same evening." default:"4"`
}

// Run plays the evening and stays up until interrupted, or exits with --exit.
func (c demoCmd) Run(ctx context.Context, s streams) error {
	return demo.Run(ctx, demo.Config(c), s)
}
