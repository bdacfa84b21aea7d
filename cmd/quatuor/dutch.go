package main

import (
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/dutch"
)

// dutchCmd is `quatuor dutch`: a pairing engine for other programs.
type dutchCmd struct {
	Arguments []string `arg:"" optional:"" help:"As for bbpPairings or JaVaFo."`
}

// Run carries out the arguments.
func (c dutchCmd) Run(s streams) error {
	engine := dutch.Runner{Out: s.Out, Err: s.Err, Version: "quatuor dutch - " + app.Version()}
	if status := engine.Run(c.Arguments); status != exitOK {
		return &exitError{status: status}
	}
	return nil
}
