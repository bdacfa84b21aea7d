package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/api/command"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
	"quatuor/tournament/director"
)

// maxShown is how many faults are printed; the others are counted.
const maxShown = 20

// checker is a check in progress.
type checker struct {
	storage Storage
	db      *store.Store
	out     io.Writer

	mu     sync.Mutex
	faults int

	games, lines, pairings int
	ends                   map[string]gameEnd // of tournament games that are over
}

// Check checks a database from its file up to the ratings, prints what it finds, and fails if anything is not as it
// should be. It changes nothing, and the service may be running on the database. The storage is that of the database,
// or the zero value for a separate database, such as a backup.
func Check(ctx context.Context, storage Storage, db *store.Store, s terminal.Streams) error {
	c := &checker{storage: storage, db: db, out: s.Out, ends: map[string]gameEnd{}}
	whole, err := db.Faults(ctx)
	if err != nil {
		return err
	}
	for _, fault := range whole {
		c.fault("%s", fault)
	}
	if err := c.readRows(ctx); err != nil {
		return err
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
	if err := c.recomputeSeasons(ctx); err != nil {
		return err
	}
	if err := c.checkLeagues(ctx); err != nil {
		return err
	}
	rated, err := c.recomputeRatings(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d games with %d lines replayed, %d pairings compared with them, %d rating rows computed again\n",
		c.games, c.lines, c.pairings, rated)
	if c.faults > 0 {
		return fmt.Errorf("%d things are not as they should be; a backup from before may be sound (quatuor restore checks "+
			"it first)", c.faults)
	}
	fmt.Fprintln(s.Out, "everything is as it should be")
	return nil
}

// fault reports one thing that is wrong.
func (c *checker) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults++
	switch {
	case c.faults <= maxShown:
		fmt.Fprintf(c.out, format+"\n", args...)
	case c.faults == maxShown+1:
		fmt.Fprintln(c.out, "and more")
	}
}

// replayGames carries out the log of every game again and compares it with the game's row.
func (c *checker) replayGames(ctx context.Context, s terminal.Streams) error {
	total, err := c.db.CountGames(ctx)
	if err != nil {
		return err
	}
	bar := terminal.Progress(s.Err, int(total), "replaying", "games")
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
			bar.Add(1)
			return nil
		})
		return ctx.Err()
	})
	_ = group.Wait()
	bar.Finish()
	return err
}

// recomputeSeasons computes the tables of all series, ladders, leagues and seasons, as their pages do.
func (c *checker) recomputeSeasons(ctx context.Context) error {
	stored := c.db.Seasons()
	s := command.New(command.Config{
		Director: director.New(director.Config{Store: c.db.Tournaments(), Now: time.Now}), People: c.db.People(), Seasons: stored,
	})
	series, err := stored.ListSeries(ctx)
	if err != nil {
		return err
	}
	for _, one := range series {
		if _, err := s.SeriesTable(ctx, one.ID); err != nil {
			c.fault("series %s: %v", one.ID, err)
		}
	}
	ladders, err := stored.ListLadders(ctx)
	if err != nil {
		return err
	}
	for _, one := range ladders {
		if _, err := s.Ladder(ctx, one.ID); err != nil {
			c.fault("ladder %s: %v", one.ID, err)
		}
	}
	leagues, err := stored.ListLeagues(ctx, "")
	if err != nil {
		return err
	}
	for _, one := range leagues {
		_, plans, err := stored.League(ctx, one.ID)
		if err != nil {
			return err
		}
		for _, plan := range plans {
			if !plan.Confirmed {
				continue
			}
			l, err := s.League(ctx, one.ID, plan.Number)
			if err == nil {
				err = l.Blocked
			}
			if err != nil {
				c.fault("league %s, season %d: %v", one.ID, plan.Number, err)
			}
		}
	}
	seasons, err := stored.ListSeasons(ctx)
	for _, one := range seasons {
		if _, err := s.SeasonTable(ctx, one.ID); err != nil {
			c.fault("season %s: %v", one.ID, err)
		}
	}
	return err
}

// recomputeRatings computes all ratings from the finished games, by the rules that the stored ones follow, and returns
// the number of their rows. With a storage, these rules must be those of its configuration.
func (c *checker) recomputeRatings(ctx context.Context) (rows int, err error) {
	configured, err := c.storage.ratingLists()
	if err != nil {
		return 0, err
	}
	if err := systems.Check(ctx, c.db.Ratings(), configured); errors.Is(err, ledger.ErrRegulation) &&
		c.storage != (Storage{}) {
		c.fault("%v", err)
	} else if err != nil && !errors.Is(err, ledger.ErrRegulation) {
		return 0, err
	}
	text, _, err := c.db.Ratings().Regulation(ctx)
	if err != nil {
		return 0, err
	}
	lists, err := systems.Stored(text)
	if err != nil {
		return 0, err
	}
	report, err := ledger.NewBy(c.db.Ratings(), lists).Verify(ctx)
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
	if report.Sums > 0 {
		c.fault("%d sums of rating lists are not what their rows lead to", report.Sums)
	}
	return report.Rows, nil
}
