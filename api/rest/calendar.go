package rest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/calendar"
	"quatuor/api/settings"
)

// calendarFile is a calendar, or the news that the client has it.
type calendarFile struct {
	text []byte
	tag  string
	had  bool
}

// VisitGetCalendarResponse writes the response.
func (f calendarFile) VisitGetCalendarResponse(w http.ResponseWriter) error {
	w.Header().Set("ETag", f.tag)
	w.Header().Set("Cache-Control", "no-cache")
	if f.had {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", calendar.Kind)
	_, err := w.Write(f.text)
	return err
}

// GetCalendar returns the club's public tournaments, or those of a season or a series, or a single tournament, as
// iCalendar.
func (a *API) GetCalendar(ctx context.Context, r gen.GetCalendarIn) (gen.GetCalendarOut, error) {
	club, err := a.commands.Settings.Stored(ctx)
	if err != nil {
		return nil, err
	}
	cal := calendar.Calendar{
		Site: cmp.Or(a.commands.Settings.InForce(club).Name, settings.DefaultName), Address: strings.TrimRight(a.Address, "/"),
		Round: func(name string, round int) string { return fmt.Sprintf("%s, round %d", name, round) },
	}
	cal.Team = valueOf(r.Params.Team)
	ids, err := a.calendarOf(ctx, &cal, r.Params)
	if err != nil {
		return nil, err
	}
	list, err := calendar.Read(ctx, a.Tournaments, ids...)
	if err != nil {
		return nil, err
	}
	f := calendarFile{text: cal.Of(list...)}
	f.tag = command.Tag(string(f.text))
	f.had = r.Params.IfNoneMatch != nil && command.CheckTag(r.Params.IfNoneMatch, f.tag, "W/"+f.tag) == nil
	return f, nil
}

// calendarOf returns the tournaments of a calendar, and names it.
func (a *API) calendarOf(
	ctx context.Context, cal *calendar.Calendar, p gen.GetCalendarParams,
) (ids []string, err error) {
	switch {
	case p.Series != nil && p.Tournament != nil, p.Season != nil && (p.Series != nil || p.Tournament != nil):
		return nil, command.InvalidQuery("tournament", "name a season, a series or a tournament, not several")
	case p.Season != nil:
		season, err := a.commands.Reading(ctx).Season(ctx, *p.Season)
		if err != nil {
			return nil, err
		}
		cal.Name = season.Name
		return season.Tournaments(), nil
	case p.Series != nil:
		series, err := a.commands.Seasons.Series(ctx, *p.Series)
		cal.Name = series.Name
		for _, part := range series.Parts {
			ids = append(ids, part.Tournament)
		}
		return ids, err
	case p.Tournament != nil:
		t, _, err := access.Tournament(ctx, a.Tournaments, *p.Tournament, auth.Identity{})
		if err != nil {
			return nil, err
		}
		cal.Name = t.Name
		return []string{t.ID}, nil
	}
	cal.Name = cal.Site
	return calendar.Newest(ctx, a.TournamentList)
}
