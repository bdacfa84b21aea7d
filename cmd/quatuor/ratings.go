package main

import (
	"context"
	"fmt"

	"quatuor/rating/elo"
	"quatuor/rating/ledger"
)

// ratingsCmd groups the commands on ratings.
type ratingsCmd struct {
	Recompute ratingsRecomputeCmd `cmd:"" help:"Compute all ratings anew from the games."`
}

// ratingsRecomputeCmd computes all rating rows from the finished games.
type ratingsRecomputeCmd struct {
	storage `embed:""`

	Verify bool `help:"Change nothing; compare with what is stored, to the last digit, and fail on any difference."`
}

// Run recomputes or verifies. The service must not be running on the same data folder.
func (c ratingsRecomputeCmd) Run(ctx context.Context, s streams) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	book := ledger.New(db.Ratings(), elo.Club{})
	if !c.Verify {
		rows, err := book.Recompute(ctx)
		if err == nil {
			fmt.Fprintf(s.Out, "recomputed: %d rating rows\n", rows)
		}
		return err
	}
	report, err := book.Verify(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d finished games, %d of them rated; %d rating rows computed, %d stored, %d differ; %d current ratings differ\n",
		report.Games, report.Rated, report.Rows, report.Stored, report.Wrong, report.Standing)
	for _, d := range report.First {
		fmt.Fprintf(s.Out, "  computed %s\n  stored   %s\n", describeRow(d.Want), describeRow(d.Got))
	}
	if !report.OK() {
		return fmt.Errorf("the stored ratings are not what the games lead to; `quatuor ratings recompute` puts them right")
	}
	fmt.Fprintln(s.Out, "identical")
	return nil
}

func describeRow(r *ledger.Row) string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("game %s, %s, player %s: %v -> %v", r.GameID, r.List, r.PlayerID, r.Before, r.After)
}
