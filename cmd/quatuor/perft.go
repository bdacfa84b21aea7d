package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/perft"
	"quatuor/engine"
	"quatuor/engine/record"
)

// perftCmd is `quatuor perft`: it counts move sequences, to check the rules against known numbers.
type perftCmd struct {
	Variant string            `arg:"" help:"Variant, such as quixo/duel."`
	Depth   int               `required:"" help:"Length of the sequences in plies."`
	Seats   *int              `help:"Number of seats, where the variant leaves it open."`
	Seed    string            `help:"Seed of 64 hexadecimal digits, for Qui'win."`
	Option  map[string]string `help:"Rule of the game, such as steps=forward; may be repeated." placeholder:"KEY=VALUE"`
	Moves   string            `help:"Moves to play first, separated by spaces."`
	Divide  bool              `help:"Print the number of sequences for each first move, too."`
	Threads int               `help:"Number of concurrent counts; 0 means one for each processor." default:"0"`
}

// Run prints the number of sequences of exactly the given length.
func (c perftCmd) Run(ctx context.Context, s streams) error {
	if c.Depth < 0 {
		return app.UsageErrorf("--depth must be 0 or more, not %d", c.Depth)
	}
	if c.Threads < 0 {
		return app.UsageErrorf("--threads must be 0 or more, not %d", c.Threads)
	}
	m, refused := record.Play(record.Game{
		Variant: c.Variant, Seats: c.Seats, Seed: c.Seed, Options: c.Option, Moves: strings.Fields(c.Moves),
	})
	switch {
	case refused != nil && refused.Index < 0:
		return app.UsageErrorf("%s", refused.Message)
	case refused != nil:
		return app.UsageErrorf("move %d of --moves: %s", refused.Index+1, refused.Message)
	case c.Divide && c.Depth == 0:
		return app.UsageErrorf("--divide needs a --depth of 1 or more")
	}
	return interruptible(ctx, func() error { return c.count(s, m) })
}

func (c perftCmd) count(s streams, m *engine.Match) error {
	threads := c.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if !c.Divide && (threads == 1 || c.Depth == 0) {
		_, err := fmt.Fprintln(s.Out, engine.Perft(m.State(), c.Depth))
		return err
	}
	rows := perft.Divide(m.State(), c.Depth, threads)
	var total uint64
	var lines strings.Builder
	prefix := m.Rules().Info().SeatPrefix
	for _, row := range rows {
		total += row.Count
		first := engine.Event{Kind: engine.Moved, Seat: row.Seat, Text: string(row.Move)}
		fmt.Fprintln(&lines, first.Token(prefix), row.Count)
	}
	if !c.Divide {
		lines.Reset()
	}
	_, err := fmt.Fprintf(s.Out, "%d\n%s", total, lines.String())
	return err
}
