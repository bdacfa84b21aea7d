package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"quatuor/api/auth"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
)

// maxShown is the number of faults that are printed; the others are counted.
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
	there                  map[string]bool    // rows that were looked for, by table and id
}

// Check checks a database from its file up to the ratings, prints its findings, and fails if it finds a fault. It
// changes nothing, and the service may be running on the database. The storage is that of the database, or the zero
// value for a separate database, like a backup. Unreadable data is a fault, and the rest is checked nevertheless.
func Check(ctx context.Context, storage Storage, db *store.Store, s terminal.Streams) error {
	c := &checker{storage: storage, db: db, out: s.Out, ends: map[string]gameEnd{}, there: map[string]bool{}}
	rated := 0
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"the database as a whole", func() error { return c.checkWhole(ctx) }},
		{"games", func() error { return c.replayGames(ctx, s) }},
		{"tournaments", func() error { return c.compareTournaments(ctx) }},
		{"seasons", func() error { return c.recomputeSeasons(ctx) }},
		{"leagues", func() error { return c.checkLeagues(ctx) }},
		{"credentials", func() error { return c.boundCredentials(ctx) }},
		{"ratings", func() (err error) { rated, err = c.recomputeRatings(ctx); return err }},
	} {
		if err := c.guard(ctx, step.name, step.do); err != nil {
			return err
		}
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

// guard carries out a part of the check. If that fails or panics, it reports a fault; an error means that the database
// does not answer, or that ctx has ended.
func (c *checker) guard(ctx context.Context, what string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			c.fault("%s cannot be checked: what is stored makes no sense (%v)", what, r)
			err = ctx.Err()
		}
	}()
	err = do()
	if err == nil || ctx.Err() != nil || errors.Is(err, table.ErrUnavailable) {
		return err
	}
	c.fault("%s cannot be checked: %v", what, err)
	return nil
}

// each carries out a check of every row of a table with an id, and names the row where the check fails.
func (c *checker) each(ctx context.Context, table, name string, check func(id string) error) error {
	ids, err := c.db.IDs(ctx, table)
	for _, id := range ids {
		if err := c.guard(ctx, name+" "+id, func() error { return check(id) }); err != nil {
			return err
		}
	}
	return err
}

// isThere reports whether a table has a row with an id.
func (c *checker) isThere(ctx context.Context, table, id string) (bool, error) {
	key := table + "/" + id
	if c.there[key] {
		return true, nil
	}
	has, err := c.db.Has(ctx, table, id)
	c.there[key] = has
	return has, err
}

// checkWhole reports faults of the database as a whole.
func (c *checker) checkWhole(ctx context.Context) error {
	faults, err := c.db.Faults(ctx)
	for _, fault := range faults {
		c.fault("%s", fault)
	}
	return err
}

// boundCredentials finds credentials that last longer than any of their kind may.
func (c *checker) boundCredentials(ctx context.Context) error {
	for _, life := range auth.Lives() {
		faults, err := c.db.LongLived(ctx, life.Kind, life.OneTournament, life.Most)
		if err != nil {
			return err
		}
		for _, fault := range faults {
			c.fault("%s", fault)
		}
	}
	return nil
}

// fault reports a fault.
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
			c.ends[g.Game.ID] = endOf(g.Game, g.Seq, g.Lines)
		}
		group.Go(func() error {
			defer bar.Add(1)
			return c.guard(ctx, "game "+g.Game.ID, func() error {
				c.auditGame(g)
				return nil
			})
		})
		return ctx.Err()
	})
	_ = group.Wait()
	bar.Finish()
	return err
}

// auditGame compares a game with its log, if they could be read.
func (c *checker) auditGame(g store.StoredGame) {
	faults := g.Faults
	if g.Game.Variant != "" {
		faults = append(faults, table.Audit(g.Game, g.Lines)...)
	}
	for _, fault := range faults {
		c.fault("game %s (%s): %s", g.Game.ID, g.Game.Variant, fault)
	}
}

// recomputeRatings computes all ratings from the finished games, by the rules of the stored ratings, and returns the
// number of their rows. With a storage, these rules must be those of its configuration.
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
