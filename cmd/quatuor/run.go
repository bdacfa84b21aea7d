package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament/adminlog"
)

// cli is the command line: a field per command. Flags can also be given as QUATUOR_* environment variables.
type cli struct {
	Serve   serveCmd   `cmd:"" help:"Run the service."`
	Ready   readyCmd   `cmd:"" help:"Check whether a running service is ready, and if not, why."`
	Demo    demoCmd    `cmd:"" help:"Play a club evening against a server of its own, and stay up for a look at the pages."`
	Admin   adminCmd   `cmd:"" help:"Manage accounts."`
	Ratings ratingsCmd `cmd:"" help:"Manage ratings."`
	Check   checkCmd   `cmd:"" help:"Check the integrity of everything that is stored."`
	Doctor  doctorCmd  `cmd:"" help:"Find what is wrong with an installation, and what to do about it."`
	Import  importCmd  `cmd:"" help:"Import a tournament that was started in another program, from its report file."`
	Publish publishCmd `cmd:"" help:"Write tournaments as files that need no server, for any web space."`
	Backup  backupCmd  `cmd:"" help:"Copy the database to a file or a pipe while the service runs, or try a backup."`
	Restore restoreCmd `cmd:"" help:"Replace the database by a backup."`
	Bench   benchCmd   `cmd:"" help:"Measure a server with real games over real HTTP."`

	Version versionCmd `cmd:"" help:"Print what the program was built from."`
	Manual  manualCmd  `cmd:"" hidden:"" help:"Write the man page and the completions for bash, zsh and fish, from the commands themselves."`

	Clock    clockCmd    `cmd:"" help:"Compute chess clocks from JSON lines on standard input."`
	Perft    perftCmd    `cmd:"" help:"Count the sequences of moves from a position."`
	Selfplay selfplayCmd `cmd:"" help:"Let bots play each other, to measure their levels and what the seats are worth."`
	Replay   replayCmd   `cmd:"" help:"Judge game records: JSON lines on standard input, or files of records in text."`
	Verify   verifyCmd   `cmd:"" help:"Recompute the chance in recorded games from the seeds in their records."`

	Pair       pairCmd       `cmd:"" help:"Pair rounds of Swiss tournaments in report files."`
	Season     seasonCmd     `cmd:"" help:"Compute Keizer seasons, ladders, arenas, leagues and grands prix from JSON lines on standard input."`
	Standings  standingsCmd  `cmd:"" help:"Rank the players of tournaments in report files."`
	Dutch      dutchCmd      `cmd:"" passthrough:"" help:"Pair, check and generate as bbpPairings and JaVaFo do, for programs that call these."`
	TRF        trfCmd        `cmd:"" name:"trf" help:"Check tournament report files, and generate some."`
	RoundRobin roundRobinCmd `cmd:"" name:"roundrobin" help:"Print the tables of a round-robin."`
	SeatPlan   seatPlanCmd   `cmd:"" name:"seatplan" help:"Print a plan of rounds at tables in which players meet again as rarely as possible."`
}

// streams are the standard streams of a command.
type streams = terminal.Streams

// Exit statuses.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// exitError is an error that ends the program with a status of its own. An error without a text has been printed
// already.
type exitError struct {
	status int
	text   string
}

func (e *exitError) Error() string { return e.text }

// kongExit carries the status of kong's own exits (after --help) out of the parser.
type kongExit int

// run carries out a command line and returns the exit status. Output is escaped, so that names in a database or file
// cannot control the terminal. The first interrupt cancels the command.
func run(args []string, in io.Reader, out, errs io.Writer) (status int) {
	defer func() {
		switch left := recover().(type) {
		case nil:
		case kongExit:
			status = int(left)
		default:
			panic(left)
		}
	}()
	screens := [2]*terminal.Screen{terminal.NewScreen(out), terminal.NewScreen(errs)}
	defer func() { _ = errors.Join(screens[0].Flush(), screens[1].Flush()) }()
	out, errs = screens[0], screens[1]
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx = adminlog.With(ctx, adminlog.Actor{Via: adminlog.ViaCommandLine})
	var commands cli
	parser, err := kong.New(&commands,
		kong.Name("quatuor"),
		kong.Description("Tournaments, clocks and ratings for Quixo, Quits, Quivive and Qui'win."),
		kong.Writers(out, errs),
		kong.Exit(func(code int) { panic(kongExit(code)) }),
		kong.DefaultEnvars("QUATUOR"),
		kong.UsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{In: in, Out: out, Err: errs}),
	)
	if err != nil {
		fmt.Fprintln(errs, "quatuor:", err)
		return exitFailure
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(errs, "quatuor:", err)
		return exitUsage
	}
	if err := parsed.Run(); err != nil {
		var exit *exitError
		if errors.As(err, &exit) && exit.text == "" {
			return exit.status
		}
		fmt.Fprintln(errs, "quatuor:", err)
		if exit != nil {
			return exit.status
		}
		var usage *app.UsageError
		if errors.As(err, &usage) {
			return exitUsage
		}
		return exitFailure
	}
	return exitOK
}

// errInterrupted is the error of a cancelled command.
var errInterrupted = errors.New("interrupted")

// interruptible carries out work that does not look at its context: reading standard input, or a long computation. When
// the context ends first, the work is left to end with the process.
func interruptible(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errInterrupted
	}
}
