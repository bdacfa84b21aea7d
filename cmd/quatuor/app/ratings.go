package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
)

// errRatings is the error of a verification that found differences.
var errRatings = errors.New("the stored ratings are not what the games lead to; `quatuor ratings recompute` puts " +
	"them right")

// listOf returns the rating list of a game; "" if its variant or a time control is unknown.
func listOf(g *table.Game) string {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return ""
	}
	var controls []clock.Control
	for _, text := range g.Controls {
		c, err := clock.Parse(text)
		if err != nil {
			return ""
		}
		controls = append(controls, c)
	}
	return ledger.ListID(rules.Info().Family(), clock.Class(controls...))
}

// RecomputeRatings computes all ratings from the finished games by the configuration, and corrects the stored ratings.
// With verify it changes nothing, and fails if the stored ratings differ in the last digit. It prints its corrections
// or findings.
func RecomputeRatings(ctx context.Context, storage Storage, db *store.Store, s terminal.Streams, verify bool) error {
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
	report, err := recomputed(ctx, ledger.NewBy(stored, lists), s, verify)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted; nothing was changed: %w", ctx.Err())
	case err != nil:
		return err
	case !verify:
		fmt.Fprintf(s.Out, "recomputed: %d rating rows, of which %d were wrong and are right now\n", report.Rows,
			report.Wrong)
	default:
		fmt.Fprintf(s.Out, "%d finished games, %d of them rated; %d rating rows computed, %d stored, %d differ; %d "+
			"current ratings and %d sums of lists differ\n",
			report.Games, report.Rated, report.Rows, report.Stored, report.Wrong, report.Standing, report.Sums)
	}
	most := fewDifferences
	if verify {
		most = math.MaxInt
	}
	for _, line := range differences(report, most) {
		fmt.Fprintln(s.Out, line)
	}
	if verify && !report.OK() {
		return errRatings
	}
	if verify {
		fmt.Fprintln(s.Out, "identical")
	}
	return nil
}

// recomputed recomputes or verifies, with a progress bar.
func recomputed(ctx context.Context, ratings *ledger.Ledger, s terminal.Streams, verify bool) (ledger.Report, error) {
	bar := terminal.Progress(s.Err, 0, "rating", "games")
	defer bar.Finish()
	ratings.Progress = func(done, all int64) { bar.Set(int(done), int(all)) }
	if verify {
		return ratings.Verify(ctx)
	}
	return ratings.Recompute(ctx)
}

// fewDifferences is the number of differences of a sort that a recomputation shows: it has put them right, and where a
// list has a new system nearly all rows differ. A verification shows the whole report.
const fewDifferences = 3

// differences describes the first differences of a report, and counts the others, by sort.
func differences(report ledger.Report, most int) []string {
	rows := describeFirst(report.First, most, report.Wrong, "rating rows", func(r *ledger.Row) string {
		return fmt.Sprintf("player %s, %s, game %s", r.PlayerID, r.List, r.GameID)
	})
	standings := describeFirst(report.FirstStandings, most, report.Standing, "current ratings",
		func(s *ledger.Standing) string {
			return fmt.Sprintf("player %s, %s, current rating", s.PlayerID, s.List)
		})
	sums := describeFirst(report.FirstSums, most, report.Sums, "sums of lists",
		func(s *ledger.Sum) string { return s.List + ", number of games" })
	return slices.Concat(rows, standings, sums)
}

// describeFirst describes the first differences of a sort, by their names, and counts the others.
func describeFirst[T any](
	first []ledger.Difference[T], most, all int, sort string, name func(*T) string,
) (lines []string) {
	first = first[:min(len(first), most)]
	for _, d := range first {
		lines = append(lines, differs(d.Want, d.Got, name))
	}
	if more := all - len(first); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more %s", more, sort))
	}
	return lines
}

// differs describes the stored and the wanted value, field by field if both exist.
func differs[T any](want, got *T, name func(*T) string) string {
	switch {
	case got == nil:
		return fmt.Sprintf("%s: is missing, should be %+v", name(want), *want)
	case want == nil:
		return fmt.Sprintf("%s: is %+v, should not be there", name(got), *got)
	}
	return name(want) + ": " + strings.Join(differingFields(reflect.ValueOf(*got), reflect.ValueOf(*want)), "; ")
}

// differingFields lists the different fields of two structs, with those of nested structs.
func differingFields(is, should reflect.Value) (fields []string) {
	for i := range is.NumField() {
		a, b := is.Field(i), should.Field(i)
		switch {
		case a.Kind() == reflect.Struct:
			fields = append(fields, differingFields(a, b)...)
		case a.Interface() != b.Interface():
			fields = append(fields, fmt.Sprintf("%s is %v, should be %v", is.Type().Field(i).Name, a, b))
		}
	}
	return fields
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

// WriteRatingsFile writes the configuration of the rating lists of a data folder, as a database has kept it.
func WriteRatingsFile(dir, rules string) error {
	if err := os.WriteFile(filepath.Join(dir, ratingsFile), []byte(rules+"\n"), 0o600); err != nil {
		return fmt.Errorf("the rules of the ratings cannot be written: %w", err)
	}
	return nil
}

// HasRatingsFile reports whether a data folder has a configuration of the rating lists.
func HasRatingsFile(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ratingsFile))
	return err == nil
}

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
	lists, err := systems.Parse(text, families(), clock.Classes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lists, nil
}

// families returns the families of all games.
func families() (names []string) {
	for _, rules := range catalog.All() {
		info := rules.Info()
		if f := info.Family(); !slices.Contains(names, f) {
			names = append(names, f)
		}
	}
	return names
}

// ImportRatings imports initial ratings from CSV, or with try only validates them. It prints the outcome of each, and
// fails if any is refused.
func ImportRatings(ctx context.Context, db *store.Store, text []byte, out io.Writer, try bool) error {
	given, err := ledger.ReadGiven(text, systems.Known)
	if err != nil {
		return err
	}
	all, err := db.Ratings().Give(ctx, given, time.Now().UnixMilli(), try)
	if err != nil {
		return err
	}
	for _, o := range all {
		switch o.Refusal {
		case "unknown":
			fmt.Fprintf(out, "line %d: there is no player %s\n", o.Line, o.PlayerID)
		case "played":
			fmt.Fprintf(out, "line %d: %s (%s) has finished a rated game in %s; a rating to start with comes before the "+
				"first one\n", o.Line, o.Name, o.PlayerID, o.List)
		default:
			fmt.Fprintf(out, "line %d: %s (%s) in %s: %v -> %v\n", o.Line, o.Name, o.PlayerID, o.List, o.Before, o.Value)
		}
	}
	switch {
	case ledger.Refused(all):
		return fmt.Errorf("%w: lines were refused, and nothing was stored", ledger.ErrGiven)
	case try:
		fmt.Fprintln(out, "nothing was stored")
	default:
		fmt.Fprintf(out, "%d ratings stored\n", len(all))
	}
	return nil
}
