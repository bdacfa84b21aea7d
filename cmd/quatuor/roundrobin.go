package main

import (
	"bufio"
	"fmt"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament/pairing/roundrobin"
)

// roundRobinCmd is `quatuor roundrobin`: it prints Berger tables, one game a line.
type roundRobinCmd struct {
	N      int  `arg:"" name:"n" help:"Number of players, at least 2."`
	Double bool `help:"Two cycles, the second with colours reversed."`
}

// Help says what an odd number does to the table.
func (roundRobinCmd) Help() string {
	return "Prints a header and one line for each game: round, board, white, black, separated by tabs. " +
		"With an odd number of players one is free in each round: the last line of the round has board 0, that player, and 0."
}

// Run prints the tables.
func (c roundRobinCmd) Run(s streams) error {
	if c.N < 2 {
		return app.UsageErrorf("a round-robin needs at least 2 players, not %d", c.N)
	}
	out := bufio.NewWriter(s.Out)
	fmt.Fprint(out, "round\tboard\twhite\tblack\n")
	for r := 1; r <= roundrobin.Rounds(c.N, c.Double); r++ {
		for i, g := range roundrobin.Round(c.N, c.Double, r) {
			board := i + 1
			if g.Black == 0 {
				board = 0
			}
			if _, err := fmt.Fprintf(out, "%d\t%d\t%d\t%d\n", r, board, g.White, g.Black); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
