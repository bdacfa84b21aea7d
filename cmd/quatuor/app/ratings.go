package app

import (
	"context"
	"fmt"
	"io"

	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
)

// RecomputeRatings computes all rating rows from the finished games and stores them. With verify it changes nothing, and
// fails if what is stored differs in the last digit. It prints what it did or found.
func RecomputeRatings(ctx context.Context, db *store.Store, out io.Writer, verify bool) error {
	ratings := ledger.New(db.Ratings(), elo.Club{})
	if !verify {
		rows, err := ratings.Recompute(ctx)
		if err == nil {
			fmt.Fprintf(out, "recomputed: %d rating rows\n", rows)
		}
		return err
	}
	report, err := ratings.Verify(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d finished games, %d of them rated; %d rating rows computed, %d stored, %d differ; %d current ratings differ\n",
		report.Games, report.Rated, report.Rows, report.Stored, report.Wrong, report.Standing)
	for _, d := range report.First {
		fmt.Fprintf(out, "  computed %s\n  stored   %s\n", describeRow(d.Want), describeRow(d.Got))
	}
	if !report.OK() {
		return fmt.Errorf("the stored ratings are not what the games lead to; `quatuor ratings recompute` puts them right")
	}
	fmt.Fprintln(out, "identical")
	return nil
}

// describeRow returns a rating row in words.
func describeRow(r *ledger.Row) string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("game %s, %s, player %s: %v -> %v", r.GameID, r.List, r.PlayerID, r.Before, r.After)
}
