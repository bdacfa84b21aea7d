package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quatuor/engine/botid"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/tournament/director"
	"quatuor/tournament/league"
	"quatuor/tournament/season"
)

// recomputeSeasons computes the tables of all series, ladders, leagues and seasons, as their pages do.
func (c *checker) recomputeSeasons(ctx context.Context) error {
	r := season.New(season.Config{
		Director: director.New(director.Config{Store: c.db.Tournaments(), Now: time.Now}), People: c.db.People(),
		Store: c.db.Seasons(), Now: time.Now,
	}).Public()
	for _, of := range []struct {
		table, name string
		check       func(id string) error
	}{
		{"series", "series", func(id string) error { _, err := r.Series(ctx, id); return err }},
		{"ladders", "ladder", func(id string) error { return c.checkLadder(ctx, r, id) }},
		{"leagues", "league", func(id string) error { return c.checkLeague(ctx, r, id) }},
		{"seasons", "season", func(id string) error { return c.checkSeason(ctx, r, id) }},
	} {
		if err := c.each(ctx, of.table, of.name, of.check); err != nil {
			return err
		}
	}
	return nil
}

// checkSeason checks a season as before it is stored, and computes its table. Parts that were deleted count for
// nothing, so that they are no faults.
func (c *checker) checkSeason(ctx context.Context, r season.Reading, id string) error {
	stored, err := c.db.Seasons().Season(ctx, id)
	if err == nil {
		err = stored.Check()
	}
	if err == nil {
		_, err = r.Season(ctx, id)
	}
	return err
}

// checkLadder computes the places on a ladder, and looks at the game that is played on it.
func (c *checker) checkLadder(ctx context.Context, r season.Reading, id string) error {
	l, err := r.Ladder(ctx, id)
	if err == nil {
		c.checkGame("ladder "+id, l.Variant, l.TimeControl)
	}
	return err
}

// checkGame reports a variant or a time control that there is not.
func (c *checker) checkGame(what, variant, control string) {
	if _, err := catalog.Find(variant); variant != "" && err != nil {
		c.fault("%s: its variant: %v", what, err)
	}
	if _, err := clock.Parse(control); control != "" && err != nil {
		c.fault("%s: its time control: %v", what, err)
	}
}

// checkLeague checks the seasons of a league, and computes the tables of those that are confirmed.
func (c *checker) checkLeague(ctx context.Context, r season.Reading, id string) error {
	_, plans, err := c.db.Seasons().League(ctx, id)
	if err != nil {
		return err
	}
	for i, plan := range plans {
		what := fmt.Sprintf("league %s, season %d", id, plan.Number)
		if plan.Number != i+1 {
			c.fault("%s: the season before it is not there", what)
		}
		err := c.guard(ctx, what, func() error { return c.checkDivisions(ctx, what, plan) })
		if err != nil {
			return err
		}
		if !plan.Confirmed {
			continue
		}
		l, err := r.League(ctx, id, plan.Number)
		if err == nil {
			err = l.Blocked
		}
		if err != nil {
			c.fault("%s: %v", what, err)
		}
	}
	return nil
}

// checkDivisions finds members that are unknown or in two divisions, and missing tournaments of divisions.
func (c *checker) checkDivisions(ctx context.Context, what string, plan league.Plan) error {
	division := map[string]int{}
	for i, d := range plan.State.Divisions {
		for _, m := range d.Members {
			if before := division[m.Name]; before > 0 {
				c.fault("%s: member %s is in division %d and in division %d", what, m.Name, before, i+1)
			}
			division[m.Name] = i + 1
			if err := c.nobody(ctx, what, "member", m.Name); err != nil {
				return err
			}
		}
		if d.Tournament == "" {
			continue
		}
		if has, err := c.isThere(ctx, "tournaments", d.Tournament); err != nil {
			return err
		} else if !has {
			c.fault("%s: the tournament of division %d, %s, is not there", what, i+1, d.Tournament)
		}
	}
	return nil
}

// nobody reports the id of a missing player. Bots have no rows, and teams and players without a record appear by
// their names.
func (c *checker) nobody(ctx context.Context, what, as, player string) error {
	if player == "" || player[0] == '~' || botid.Level(player) > 0 {
		return nil
	}
	has, err := c.isThere(ctx, "players", player)
	if err == nil && !has {
		c.fault("%s: its %s %s is no player that there is", what, as, player)
	}
	return err
}

// checkLeagues reports confirmed seasons of leagues that were left half-made.
func (c *checker) checkLeagues(ctx context.Context) error {
	half, err := c.db.Seasons().HalfMade(ctx)
	for _, season := range half {
		c.fault("league %s, season %d: it is confirmed, and tournaments of its divisions are missing or were never closed for "+
			"others: %s; start the program, or confirm the season again", season.League, season.Number,
			strings.Join(season.Tournaments, ", "))
	}
	return err
}
