package main

import (
	"errors"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/clocklines"
)

// clockCmd is `quatuor clock`: games as JSON lines in, the state of their clocks as JSON lines out.
type clockCmd struct{}

// Run answers standard input on standard output.
func (clockCmd) Run(s streams) error {
	err := clocklines.Answer(s.In, s.Out)
	var unread *clocklines.LineError
	if errors.As(err, &unread) {
		return app.UsageErrorf("%w", err)
	}
	return err
}
