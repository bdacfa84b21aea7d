package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
)

// checkCmd looks whether everything that is stored fits together. It changes nothing.
type checkCmd struct {
	storage `embed:""`
}

// Run checks the installation, whether the service runs on it or not.
func (c checkCmd) Run(ctx context.Context, s streams) error {
	db, err := store.OpenToRead(ctx, c.place(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	defer db.Close()
	return checkStore(ctx, db, s)
}

// mostShown is how many faults are told in words; the others are counted.
const mostShown = 20

// checkup is a check as it goes on.
type checkup struct {
	db  *store.Store
	out io.Writer

	mu     sync.Mutex
	faults int

	games, lines, pairings int
	ends                   map[string]gameEnd // of tournament games that are over
}

// checkStore checks a database from its file up to the ratings, prints what it finds, and fails if anything is not as
// it should be.
func checkStore(ctx context.Context, db *store.Store, s streams) error {
	c := &checkup{db: db, out: s.Out, ends: map[string]gameEnd{}}
	whole, err := db.Faults(ctx)
	if err != nil {
		return err
	}
	for _, fault := range whole {
		c.fault("%s", fault)
	}
	followed, err := db.Followed(ctx)
	if err != nil {
		return err
	}
	if err := c.replayGames(ctx, s); err != nil {
		return err
	}
	if err := c.compareTournaments(ctx, followed); err != nil {
		return err
	}
	rated, err := c.recomputeRatings(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d games with %d lines replayed, %d pairings compared with them, %d rating rows computed again\n",
		c.games, c.lines, c.pairings, rated)
	if c.faults > 0 {
		return fmt.Errorf("%d things are not as they should be; a backup from before may be sound (quatuor restore checks it first)", c.faults)
	}
	fmt.Fprintln(s.Out, "everything is as it should be")
	return nil
}

// fault tells of one thing that is wrong.
func (c *checkup) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults++
	switch {
	case c.faults <= mostShown:
		fmt.Fprintf(c.out, format+"\n", args...)
	case c.faults == mostShown+1:
		fmt.Fprintln(c.out, "and more")
	}
}

// replayGames carries out the log of every game again and compares it with the game's row.
func (c *checkup) replayGames(ctx context.Context, s streams) error {
	total, err := c.db.CountGames(ctx)
	if err != nil {
		return err
	}
	bar := progressOn(s.Err, int(total), "replaying", "games")
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	err = c.db.EachGame(ctx, func(g store.StoredGame) error {
		c.games++
		c.lines += len(g.Lines)
		if g.Game.Tournament != nil && g.Game.Status.Over() {
			c.ends[g.Game.ID] = endOf(g.Game, g.Seq)
		}
		group.Go(func() error {
			for _, fault := range append(g.Faults, table.Audit(g.Game, g.Lines)...) {
				c.fault("game %s (%s): %s", g.Game.ID, g.Game.Variant, fault)
			}
			return bar.Add(1)
		})
		return ctx.Err()
	})
	if failed := group.Wait(); err == nil {
		err = failed
	}
	_ = bar.Finish()
	return err
}

// recomputeRatings computes all ratings from the finished games and gives the number of their rows.
func (c *checkup) recomputeRatings(ctx context.Context) (rows int, err error) {
	report, err := ledger.New(c.db.Ratings(), elo.Club{}).Verify(ctx)
	if err != nil {
		return 0, err
	}
	for _, d := range report.First {
		c.fault("a rating is stored as %s and should be %s", describeRow(d.Got), describeRow(d.Want))
	}
	if more := report.Wrong - len(report.First); more > 0 {
		c.fault("%d more rating rows are not what the games lead to", more)
	}
	if report.Standing > 0 {
		c.fault("%d current ratings are not what their rows lead to", report.Standing)
	}
	return report.Rows, nil
}

// progressOn makes a bar that is drawn on a terminal and nowhere else.
func progressOn(w io.Writer, total int, what, unit string) *progressbar.ProgressBar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		w = io.Discard
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionSetItsString(unit), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
	)
}
