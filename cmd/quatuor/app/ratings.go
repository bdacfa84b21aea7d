package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
)

// RecomputeRatings computes all rating rows from the finished games, as the configuration says, and stores them. With verify it changes nothing, and
// fails if what is stored differs in the last digit. It prints what it did or found.
func RecomputeRatings(ctx context.Context, storage Storage, db *store.Store, out io.Writer, verify bool) error {
	lists, err := storage.ratingLists()
	if err != nil {
		return err
	}
	db.RateBy(lists.Text())
	stored := db.Ratings()
	if !verify {
		stored = stored.Adopting()
	} else if err := systems.Check(ctx, stored, lists); err != nil {
		return err
	}
	ratings := ledger.NewBy(stored, lists)
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

// ratingsFile is the configuration of the rating lists in the data folder.
const ratingsFile = "ratings.json"

// ratingLists returns how rating lists are rated and shown.
func (s Storage) ratingLists() (*systems.Config, error) {
	name := s.Ratings
	if name == "" && s.Data != "" {
		name = filepath.Join(s.Data, ratingsFile)
	}
	if name == "" {
		return &systems.Config{}, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && s.Ratings == "" {
		return &systems.Config{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the configuration of the rating lists cannot be read: %w", err)
	}
	var families []string
	for _, rules := range catalog.All() {
		info := rules.Info()
		if f := info.Family(); !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	lists, err := systems.Parse(text, families, clock.Classes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lists, nil
}
