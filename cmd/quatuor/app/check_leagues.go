package app

import (
	"context"
	"strings"
)

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
