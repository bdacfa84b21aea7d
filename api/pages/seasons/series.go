package seasons

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/chart"
	"quatuor/api/pages/kit"
	"quatuor/tournament/director"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// seriesBody is the data of the page of a series.
type seriesBody struct {
	season.Series
	Rows    []seriesRow
	Factors []string // of the tournaments
	Runs    bool
	Seen    string // of the form that deletes it
	Season  kit.Season
	Chart   template.HTML // the course of the first; "" before the second tournament
}

// seriesRow is a player's line. Cells has a cell for each event, without points where the player did not take part.
type seriesRow struct {
	series.Standing
	Who     kit.Person // without an id for a player that has no page
	Total   string
	Cells   []seriesCell
	Results []seriesCell // best first
}

// seriesCell is the result of a player in an event.
type seriesCell struct {
	Event   int
	Points  string
	Place   int
	Dropped bool
	Formula string
}

func (p *Pages) series(c echo.Context) error {
	if id, calendar := strings.CutSuffix(c.Param("id"), ".ics"); calendar {
		return p.seriesCalendar(c, id)
	}
	table, err := p.reading(c).Series(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	body := seriesBody{
		Series: table, Runs: command.Runs(auth.Session(c), table.Organiser), Seen: command.VersionTag(table.Version),
		Season: p.Season(c, "/series/"+url.PathEscape(table.ID)+".ics"),
	}
	for _, part := range table.Parts {
		body.Factors = append(body.Factors, p.decimal(c, part.Factor.Text()))
	}
	for _, st := range table.Standings {
		row := seriesRow{
			Standing: st, Who: kit.Person{ID: st.Player, Name: cmp.Or(table.Names[st.Player], st.Player)},
			Total: st.Points.String(), Cells: make([]seriesCell, len(table.Events)),
		}
		if _, ok := series.Nameless(st.Player); ok {
			row.Who.ID = ""
		}
		for k, score := range st.Results() {
			cell := seriesCell{
				Event: score.Event, Points: score.Points.String(), Place: score.Place,
				Dropped: k >= len(st.Counted), Formula: p.decimal(c, table.Series.Formula(st.Player, score)),
			}
			row.Cells[score.Event] = cell
			row.Results = append(row.Results, cell)
		}
		body.Rows = append(body.Rows, row)
	}
	if body.Chart, err = p.seriesChart(c, table, body.Rows); err != nil {
		return err
	}
	return p.Show(c, "series", "tournaments", body)
}

// charted is the maximum of players in a chart.
const charted = 6

// seriesChart draws what the first of a series had after each of its tournaments, as its rules count them.
func (p *Pages) seriesChart(c echo.Context, table season.Series, rows []seriesRow) (template.HTML, error) {
	rows = rows[:min(len(rows), charted)]
	if len(table.Events) < 2 || len(rows) == 0 {
		return "", nil
	}
	runners := make([]chart.Runner, len(rows))
	for n := range table.Events {
		part := table.Series
		part.Events = part.Events[:n+1]
		standings, err := part.Standings()
		if err != nil {
			return "", err
		}
		points := map[string]float64{}
		for _, st := range standings {
			points[st.Player] = float64(st.Points.Tenths()) / 10
		}
		for k, row := range rows {
			runners[k].Values = append(runners[k].Values, points[row.Player])
		}
	}
	var totals []string
	for k, row := range rows {
		runners[k].Name = row.Who.Name
		totals = append(totals, row.Who.Name+" "+p.decimal(c, kit.Halves(row.Total)))
	}
	in := p.Reader(c)
	pic := chart.Picture{ID: "course", Title: kit.Say(in, "series.chart"), In: in}
	words := kit.Say(in, "series.chart_words", "Count", len(table.Events), "Totals", strings.Join(totals, ", "))
	return `<div class="chart-box">` + chart.Race(runners, pic, words) + `</div>`, nil
}

// maxChoices is the maximum of tournaments that a form offers, the newest.
const maxChoices = 100

// seriesSheet is the form of a series.
var seriesSheet = sheet[series.Settings, gen.SeriesPatch]{
	kept: command.Series, page: "series-form", choice: "event", factor: "factor-", list: "/tournaments",
	fields: []field[gen.SeriesPatch]{
		text("name", "", func(s *gen.SeriesPatch, name *string) { s.Name = name }),
		number("best", "", func(s *gen.SeriesPatch, best *int) { s.Best = best }),
		number("least", "", func(s *gen.SeriesPatch, least *int) { s.Least = least }),
		text("source", "", func(s *gen.SeriesPatch, source *gen.SeriesSource) { s.Source = source }),
		decimals("table", func(s *gen.SeriesPatch, table *[]string) { s.Table = table }),
	},
	rest: func(_ *Pages, _ echo.Context, f form, into *gen.SeriesPatch) error {
		into.Events = &[]gen.SeriesPart{}
		for _, c := range f.Choices {
			if c.Counts {
				*into.Events = append(*into.Events, gen.SeriesPart{TournamentID: c.Key, Factor: c.weight()})
			}
		}
		return nil
	},
	offer: func(p *Pages, c echo.Context, f *form) error {
		list, err := p.newest(c)
		for _, t := range slices.Backward(list) {
			f.offer(choice{Key: t.ID, Name: t.Name, At: cmp.Or(t.StartedAt, t.StartsAt, t.CreatedAt)})
		}
		return err
	},
	fresh: func(*Pages) series.Settings { return series.Settings{Rules: series.DefaultRules()} },
	show: func(p *Pages, c echo.Context, s series.Settings) form {
		f := form{Typed: p.typedRules(c, s.Rules)}
		f.Typed["name"] = s.Name
		for _, part := range s.Parts {
			f.Choices = append(f.Choices, choice{
				Key: part.Tournament, Name: part.Tournament, Counts: true, Factor: p.decimal(c, part.Factor.Text()),
			})
		}
		return f
	},
	apply: func(_ *Pages, s *series.Settings, sent gen.SeriesPatch) error { return command.ApplySeries(s, sent) },
	load: func(p *Pages, c echo.Context) (series.Settings, string, error) {
		s, err := p.Commands.Seasons.Series(c.Request().Context(), c.Param("id"))
		return s, s.Organiser, err
	},
	path: func(s series.Settings) string { return "/series/" + s.ID },
}

// newest returns the newest public tournaments.
func (p *Pages) newest(c echo.Context) ([]director.Summary, error) {
	list, _, err := p.TournamentList.List(c.Request().Context(), director.Filter{Status: director.PublicStatuses}, maxChoices, "")
	return list, err
}

// typedRules returns the fields of the rules of a series.
func (p *Pages) typedRules(c echo.Context, r series.Rules) map[string]string {
	table := make([]string, len(r.Table))
	for i, points := range r.Table {
		table[i] = p.decimal(c, points.Text())
	}
	return map[string]string{
		"best": strconv.Itoa(r.Best), "least": strconv.Itoa(r.Least), "source": string(r.Source), "table": strings.Join(table, " "),
	}
}

// seriesCalendar serves the tournaments of a series as iCalendar.
func (p *Pages) seriesCalendar(c echo.Context, id string) error {
	series, err := p.Commands.Seasons.Series(c.Request().Context(), id)
	if err != nil {
		return err
	}
	ids := make([]string, len(series.Parts))
	for i, part := range series.Parts {
		ids[i] = part.Tournament
	}
	return p.Calendar(c, series.Name, ids...)
}
