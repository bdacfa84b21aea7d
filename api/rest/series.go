package rest

import (
	"context"
	"strconv"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/exact"
	"quatuor/tournament/series"
)

// ListSeries lists series, the newest first.
func (a *API) ListSeries(ctx context.Context, _ gen.ListSeriesIn) (gen.ListSeriesOut, error) {
	list, err := a.commands.Seasons.ListSeries(ctx)
	return gen.SeriesList{Items: each(list, func(s series.Settings) gen.SeriesSummary {
		return gen.SeriesSummary{ID: s.ID, Name: s.Name}
	})}, err
}

// CreateSeries creates a series.
func (a *API) CreateSeries(ctx context.Context, r gen.CreateSeriesIn) (gen.CreateSeriesOut, error) {
	b := r.Body
	s := series.Settings{Rules: series.DefaultRules()}
	err := command.ApplySeries(&s, gen.SeriesPatch{
		Name: &b.Name, Events: b.Events, Source: b.Source, Table: b.Table, Best: b.Best, Least: b.Least,
	})
	if err != nil {
		return nil, err
	}
	s, err = command.Series.Create(ctx, a.commands, idOf(auth.From(ctx), "series", r.Params.IdempotencyKey, b), s)
	if err != nil {
		return nil, err
	}
	return a.seriesView(ctx, s.ID)
}

// GetSeries shows a series with its standings.
func (a *API) GetSeries(ctx context.Context, r gen.GetSeriesIn) (gen.GetSeriesOut, error) {
	return a.seriesView(ctx, r.SeriesID)
}

// UpdateSeries changes a series.
func (a *API) UpdateSeries(ctx context.Context, r gen.UpdateSeriesIn) (gen.UpdateSeriesOut, error) {
	_, err := command.Series.Update(ctx, a.commands, command.On{ID: r.SeriesID, Seen: r.Params.IfMatch}, func(s *series.Settings) error {
		return command.ApplySeries(s, *r.Body)
	})
	if err != nil {
		return nil, err
	}
	return a.seriesView(ctx, r.SeriesID)
}

// DeleteSeries deletes a series.
func (a *API) DeleteSeries(ctx context.Context, r gen.DeleteSeriesIn) (gen.DeleteSeriesOut, error) {
	return gen.Executed{}, command.Series.Delete(ctx, a.commands, command.On{ID: r.SeriesID, Seen: r.Params.IfMatch})
}

// seriesView returns a series as it is shown.
func (a *API) seriesView(ctx context.Context, id string) (gen.TaggedSeriesJSON, error) {
	t, err := a.commands.Reading(ctx).Series(ctx, id)
	if err != nil {
		return gen.TaggedSeriesJSON{}, err
	}
	v := gen.Series{
		ID: t.ID, Name: t.Name, Source: gen.SeriesSource(t.Rules.Source), Best: t.Rules.Best, Least: t.Rules.Least,
		Events: []gen.SeriesEvent{}, Table: each(t.Rules.Table, exact.Decimal.Text), Standings: []gen.SeriesRow{},
	}
	for k, e := range t.Events {
		v.Events = append(v.Events, gen.SeriesEvent{
			TournamentID: e.ID, Name: e.Name, Status: gen.TournamentStatus(e.Status), Factor: t.Parts[k].Factor.Text(),
		})
	}
	for _, st := range t.Standings {
		row := gen.SeriesRow{Rank: optional(st.Rank), Name: t.Names[st.Player], Points: st.Points.String()}
		if _, nameless := series.Nameless(st.Player); !nameless {
			row.PlayerID = &st.Player
		}
		for k, score := range st.Results() {
			row.Results = append(row.Results, gen.SeriesResult{
				TournamentID: t.Events[score.Event].ID, Place: score.Place, Shared: score.Shared,
				Points: score.Points.String(), Counted: k < len(st.Counted),
			})
		}
		v.Standings = append(v.Standings, row)
	}
	tag := command.ShownTag(command.SeesDrafts(auth.From(ctx), t.Organiser), t.Version, v)
	return gen.TaggedSeriesJSON{Body: v, Headers: gen.Tagged{ETag: tag}}, nil
}

// ExportSeries returns the standings of a series as a file.
func (a *API) ExportSeries(ctx context.Context, r gen.ExportSeriesIn) (gen.ExportSeriesOut, error) {
	shown, err := a.seriesView(ctx, r.SeriesID)
	if err != nil {
		return nil, err
	}
	view := shown.Body
	file := fileName(view.ID, view.Name)
	return tableDownload(file, r.Params.Format == gen.ExportSeriesParamsFormatJSON, view, seriesRows(view))
}

// bracketed returns points; those of a dropped result in brackets.
func bracketed(points string, counted bool) string {
	if counted {
		return points
	}
	return "(" + points + ")"
}

// seriesRows returns the standings of a series as a table; what is dropped is in brackets.
func seriesRows(view gen.Series) [][]string {
	head, column := []string{"rank", "name", "points"}, map[string]int{}
	for _, e := range view.Events {
		column[e.TournamentID] = len(head)
		head = append(head, e.Name)
	}
	rows := [][]string{head}
	for _, r := range view.Standings {
		row := make([]string, len(head))
		if r.Rank != nil {
			row[0] = strconv.Itoa(*r.Rank)
		}
		row[1], row[2] = r.Name, r.Points
		for _, result := range r.Results {
			row[column[result.TournamentID]] = bracketed(result.Points, result.Counted)
		}
		rows = append(rows, row)
	}
	return rows
}
