package main

import (
	"context"

	"quatuor/cmd/quatuor/seasonlines"
)

// seasonCmd is `quatuor season`: cases of a club's season as JSON lines in, answers as JSON lines out.
type seasonCmd struct {
	Kind string `arg:"" enum:"keizer,ladder,arena,league,prix" help:"What is computed: a Keizer ranking and its next round, a ladder, an arena, the next season of a league, or a grand prix."`
}

// Run answers standard input on standard output. Lines that have no answer are named in the error; the others are
// answered.
func (c seasonCmd) Run(ctx context.Context, s streams) error {
	return interruptible(ctx, func() error {
		var failed faults
		refused := func(e *seasonlines.LineError) { failed.add("%v", e) }
		if err := seasonlines.Answer(c.Kind, s.In, s.Out, refused); err != nil {
			return err
		}
		return failed.err()
	})
}
