package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/seatplan"
)

// roundRobinCmd is `quatuor roundrobin`: it prints Berger tables, a game per line.
type roundRobinCmd struct {
	N      int  `arg:"" name:"n" help:"Number of players, at least 2."`
	Double bool `help:"Two cycles, the second with colours reversed."`
}

// Help describes the table of an odd field.
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

// seatPlanCmd is `quatuor seatplan`: it prints a fixed plan of rounds at tables, a table per line.
type seatPlanCmd struct {
	N      int `arg:"" name:"n" help:"Number of players."`
	Rounds int `arg:"" help:"Number of rounds."`
	Size   int `arg:"" help:"Players at a table: 3, 4 or 5."`
}

// Help describes the aims of the plan.
func (seatPlanCmd) Help() string {
	return "Prints a header and one line for each table: round, table, and the players in the order of seats, " +
		"separated by tabs. The plan has the fewest meetings again that were found, then equal numbers of each seat. If " +
		"the number of players is no multiple of the size, some tables are of another size. The number of meetings again " +
		"is printed on standard error."
}

// Run prints the plan.
func (c seatPlanCmd) Run(s streams) error {
	plan, err := seatplan.New(c.N, c.Rounds, c.Size)
	if errors.Is(err, tournament.ErrInvalid) {
		return app.UsageErrorf("%w", err)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	fmt.Fprintln(out, "round\ttable\tplayers")
	for r, round := range plan {
		for k, table := range round {
			players := strings.Trim(fmt.Sprint(table), "[]")
			fmt.Fprintf(out, "%d\t%d\t%s\n", r+1, k+1, strings.ReplaceAll(players, " ", "\t"))
		}
	}
	if again := plan.Again(); again > 0 {
		fmt.Fprintf(s.Err, "quatuor: %d meetings again\n", again)
	}
	return out.Flush()
}
