package main

import (
	"context"
	"fmt"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// readyCmd checks whether a running service is ready: for containers, which have no other HTTP client.
type readyCmd struct {
	Server  string        `help:"Address of the service." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Timeout time.Duration `help:"How long it may take to answer." default:"3s"`
}

// Run prints the version of a service that is ready; otherwise its error explains why it is not.
func (c readyCmd) Run(ctx context.Context, s streams) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	version, err := harness.Ready(ctx, c.Server)
	if err == nil {
		_, err = fmt.Fprintln(s.Out, "ready:", version)
	}
	return err
}
