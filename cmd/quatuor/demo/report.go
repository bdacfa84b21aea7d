package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quatuor/cmd/quatuor/terminal"
)

// report prints the outcome of the evening: counts, the standings of each tournament, and the ratings.
func (e *evening) report(ctx context.Context, took time.Duration) error {
	moves := e.counts.moves.Load()
	fmt.Fprintf(e.Out, "%d games, %d moves in %.1f s; %d illegal moves refused. How games ended:%s\n",
		e.counts.finished.Load(), moves, took.Seconds(), e.counts.refused.Load(), e.reasons())
	fmt.Fprintf(e.Out, "%d more games were played on boards in the hall; their results were entered by hand.\n",
		e.counts.inHall)
	for _, cup := range e.cups {
		if err := e.standings(ctx, cup); err != nil {
			return err
		}
	}
	return e.ratings(ctx)
}

// formats are the report's words for the formats.
var formats = map[string]string{
	"round_robin": "round-robin", "swiss": "Swiss",
	"table_swiss": "Swiss at tables of four",
}

func (e *evening) reasons() string {
	var words []string
	for reason, n := range e.counts.reasons {
		words = append(words, fmt.Sprintf(" %s %d", reason, n))
	}
	slices.Sort(words)
	return strings.Join(words, ",") + "."
}

func (e *evening) standings(ctx context.Context, cup cup) error {
	var table struct {
		Columns []string `json:"columns"`
		Rows    []struct {
			Rank  int `json:"rank"`
			Entry struct {
				Name string `json:"name"`
			} `json:"entry"`
			Points    string   `json:"points"`
			TieBreaks []string `json:"tie_breaks"`
		} `json:"rows"`
	}
	if err := e.Get(ctx, "/tournaments/"+cup.id+"/standings", &table); err != nil {
		return err
	}
	rows := make([][]string, len(table.Rows))
	for i, r := range table.Rows {
		rows[i] = append([]string{fmt.Sprint(r.Rank), r.Entry.Name, r.Points}, r.TieBreaks...)
	}
	fmt.Fprintf(e.Out, "\n%s (%s), %s\n", cup.name, cup.variant, formats[cup.format])
	terminal.PrintTable(e.Out, append([]string{"Rank", "Name", "Points"}, table.Columns...), rows)
	return nil
}

func (e *evening) ratings(ctx context.Context) error {
	var lists struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	if err := e.Get(ctx, "/ratings", &lists); err != nil {
		return err
	}
	byPlayer := map[string][]string{}
	header := []string{"Ratings"}
	for i, list := range lists.Items {
		header = append(header, list.ID)
		var ranking struct {
			Items []struct {
				Player struct {
					Name string `json:"name"`
				} `json:"player"`
				Rating float64 `json:"rating"`
			} `json:"items"`
		}
		if err := e.Get(ctx, "/ratings/"+list.ID, &ranking); err != nil {
			return err
		}
		for _, r := range ranking.Items {
			row := byPlayer[r.Player.Name]
			for len(row) < i {
				row = append(row, "–")
			}
			byPlayer[r.Player.Name] = append(row, fmt.Sprintf("%.0f", r.Rating))
		}
	}
	var rows [][]string
	for _, name := range names {
		rows = append(rows, append([]string{name}, byPlayer[name]...))
	}
	fmt.Fprintln(e.Out)
	terminal.PrintTable(e.Out, header, rows)
	return nil
}
