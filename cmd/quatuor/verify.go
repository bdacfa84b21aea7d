package main

import (
	"bufio"
	"context"
	"fmt"

	"quatuor/engine/record"
)

// verifyCmd is `quatuor verify`: it computes the chance in recorded games again.
type verifyCmd struct {
	Files []string `arg:"" name:"record" optional:"" help:"Files of game records, - for standard input."`
}

// Help describes the computation.
func (verifyCmd) Help() string {
	return "Computes the commitments, the deal and every draw of finished games of Qui'win from the seed in their " +
		"records, replays the moves, and prints what agrees and what does not. Games without chance are replayed. " +
		"The exit status is 1 if something does not agree."
}

// Run looks at every game of the files.
func (c verifyCmd) Run(ctx context.Context, s streams) error {
	return interruptible(ctx, func() error {
		var t findings
		out := bufio.NewWriter(s.Out)
		err := recordFiles(c.Files).each(s.In, func(g sheet) error {
			account := record.Verify(g.r)
			t.heading(out, g, verdictOn(account), account.Report)
			if g.err == nil {
				agreement(out, g, account)
			}
			return nil
		})
		return t.conclude(out, err)
	})
}

// verdictOn returns the verdict on a valid game.
func verdictOn(a record.Account) string {
	switch {
	case !a.Settled:
		return "not settled yet"
	case a.Chance:
		return "all that chance decided follows from the seed"
	}
	return "there is no chance in this game"
}

// agreement writes the agreements and the decisions of chance, below the game's heading.
func agreement(out *bufio.Writer, g sheet, a record.Account) {
	for _, text := range a.Agrees {
		fmt.Fprintf(out, "%s:%d: agrees: %s\n", g.file, g.lines.First, text)
	}
	for _, text := range a.Decided {
		fmt.Fprintf(out, "%s:%d: %s\n", g.file, g.lines.First, text)
	}
}
