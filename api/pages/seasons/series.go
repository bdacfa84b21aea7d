package seasons

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/chart"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
	"quatuor/tournament/director"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// seriesBody is what the page of a series shows.
type seriesBody struct {
	season.Series
	Rows    []seriesRow
	Factors []string // of the tournaments
	Runs    bool
	Seen    string // of the form that deletes it
	Season  kit.Season
	Chart   template.HTML // the course of the first; "" before the second tournament
}

// seriesRow is a player's line. Cells has one for each event, with no points where the player did not take part.
type seriesRow struct {
	series.Standing
	Who     kit.Person // without an id for a player that has no page
	Total   string
	Cells   []seriesCell
	Results []seriesCell // best first
}

// seriesCell is what an event brought a player.
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

// charted is how many players a chart has.
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

// seriesForm is what the form of a series shows.
type seriesForm struct {
	ID     string // "" for a new one
	Seen   string // what the form builds on
	Key    string // of a new one, so that it is created once however often the form is sent
	Name   string
	Best   string
	Least  string
	Source string
	Table  string
	Events []seriesChoice
	Alert  *forms.Alert
}

// seriesChoice is a tournament that can count.
type seriesChoice struct {
	ID, Name string
	At       int64
	Counts   bool
	Factor   string
}

func (p *Pages) newSeries(c echo.Context) error {
	if ok, err := p.mayCreate(c); !ok {
		return err
	}
	form := p.formOf(c, series.Settings{Rules: series.DefaultRules()})
	form.Key = uuid.NewString()
	return p.showSeriesForm(c, http.StatusOK, form)
}

func (p *Pages) editSeries(c echo.Context) error {
	s, err := p.Commands.Seasons.Series(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if !command.Runs(auth.Session(c), s.Organiser) {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	return p.showSeriesForm(c, http.StatusOK, p.formOf(c, s))
}

// formOf returns the form with the settings of a series.
func (p *Pages) formOf(c echo.Context, s series.Settings) seriesForm {
	form := seriesForm{
		ID: s.ID, Seen: command.VersionTag(s.Version), Name: s.Name, Best: strconv.Itoa(s.Rules.Best),
		Least: strconv.Itoa(s.Rules.Least), Source: string(s.Rules.Source),
	}
	for _, points := range s.Rules.Table {
		form.Table += p.decimal(c, points.Text()) + " "
	}
	form.Table = strings.TrimSpace(form.Table)
	for _, part := range s.Parts {
		form.Events = append(form.Events, seriesChoice{
			ID: part.Tournament, Name: part.Tournament, Counts: true, Factor: p.decimal(c, part.Factor.Text()),
		})
	}
	return form
}

// maxChoices is how many tournaments the form offers, the newest.
const maxChoices = 100

// showSeriesForm answers with the form; it adds the names of the tournaments, and those that do not count yet.
func (p *Pages) showSeriesForm(c echo.Context, status int, form seriesForm) error {
	filter := director.Filter{Status: tournaments.Public}
	list, _, err := p.TournamentList.List(c.Request().Context(), filter, maxChoices, "")
	if err != nil {
		return err
	}
	slices.Reverse(list)
	for _, t := range list {
		i := slices.IndexFunc(form.Events, func(e seriesChoice) bool { return e.ID == t.ID })
		if i < 0 {
			i, form.Events = len(form.Events), append(form.Events, seriesChoice{ID: t.ID, Factor: "1"})
		}
		form.Events[i].Name, form.Events[i].At = t.Name, cmp.Or(t.StartedAt, t.StartsAt, t.CreatedAt)
	}
	return p.Answer(c, status, "series-form", kit.Frame{Section: "tournaments", Body: form})
}

// typedSeries reads the form: what was typed, and the patch that it makes.
func typedSeries(c echo.Context) (form seriesForm, patch gen.SeriesPatch, err error) {
	typed, err := c.FormParams()
	if err != nil {
		return form, patch, kit.ErrUnreadable
	}
	form = seriesForm{
		ID: c.Param("id"), Seen: typed.Get("seen"), Key: typed.Get("key"), Name: strings.TrimSpace(typed.Get("name")),
		Best: typed.Get("best"), Least: typed.Get("least"), Source: typed.Get("source"), Table: typed.Get("table"),
	}
	var best, least float64
	if best, err = forms.Number(form.Best, "best"); err == nil {
		least, err = forms.Number(form.Least, "least")
	}
	table := strings.Fields(strings.ReplaceAll(form.Table, ",", "."))
	form.Events = typedEvents(typed)
	events := []gen.SeriesPart{}
	for _, e := range form.Events {
		if e.Counts {
			factor := strings.ReplaceAll(cmp.Or(strings.TrimSpace(e.Factor), "1"), ",", ".")
			events = append(events, gen.SeriesPart{TournamentID: e.ID, Factor: &factor})
		}
	}
	patch = gen.SeriesPatch{
		Name: &form.Name, Best: whole(best), Least: whole(least), Source: (*gen.SeriesSource)(&form.Source), Table: &table,
		Events: &events,
	}
	return form, patch, err
}

// whole returns a number that was typed where only whole ones are good; what is not becomes -1, which is refused.
func whole(n float64) *int {
	v := int(n)
	if float64(v) != n {
		v = -1
	}
	return &v
}

// typedEvents returns the tournaments of the form in its order.
func typedEvents(typed url.Values) (list []seriesChoice) {
	for _, id := range typed["event"] {
		list = append(list, seriesChoice{
			ID: id, Name: id, Counts: slices.Contains(typed["counts"], id), Factor: typed.Get("factor-" + id),
		})
	}
	return list
}

// entered is what a form says of something that it makes or changes.
type entered[T any] struct {
	kept          command.Kept[T]
	id, seen, key string // id is "" for a new one, which key then names
	change        func(*T) error
}

// store changes what the form names or makes it, once however often the form is sent.
func (e entered[T]) store(c echo.Context, p *Pages, made T) (T, error) {
	ctx := c.Request().Context()
	if e.id != "" {
		return e.kept.Update(ctx, p.Commands, command.On{ID: e.id, Seen: &e.seen}, e.change)
	}
	id, err := kit.FormID(c, e.kept.Name, e.key)
	if err == nil {
		err = e.change(&made)
	}
	if err != nil {
		return made, err
	}
	return e.kept.Create(ctx, p.Commands, id, made)
}

func (p *Pages) saveSeries(c echo.Context) error {
	form, patch, err := typedSeries(c)
	s := series.Settings{Rules: series.DefaultRules()}
	if err == nil {
		s, err = entered[series.Settings]{
			kept: command.Series, id: form.ID, seen: form.Seen, key: form.Key,
			change: func(s *series.Settings) error { return command.ApplySeries(s, patch) },
		}.store(c, p, s)
	}
	if err == nil {
		return p.Back(c, "/series/"+s.ID, "saved")
	}
	status, alert, err := p.alertOf(c, err)
	if err != nil {
		return err
	}
	form.Alert = alert
	return p.showSeriesForm(c, status, form)
}

func (p *Pages) deleteSeries(c echo.Context) error {
	if err := command.Series.Delete(c.Request().Context(), p.Commands, onForm(c)); err != nil {
		return err
	}
	return p.Back(c, "/tournaments", "series_deleted")
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
