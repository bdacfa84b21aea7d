package seasons

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/kit"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// seasonBody is the data of the page of a season.
type seasonBody struct {
	*season.Table
	Rows   []seasonRow
	Runs   bool
	Seen   string // of the form that deletes it
	Season kit.Season
}

// seasonRow is a member's line. Cells has a cell for each part, without points where the member has no place.
type seasonRow struct {
	series.Standing
	Who     kit.Person
	Total   string
	Cells   []seasonCell
	Results []seasonCell // best first
}

// seasonCell is the result of a member in a part, with the part's own number.
type seasonCell struct {
	Part    int
	Points  string
	Place   int
	Own     string // "" where the place is all
	Link    string // of the page with its account
	Dropped bool
	Formula string
}

// dayOf returns a day as ms UTC; 0 for another text.
func dayOf(day string) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	return t.Add(12 * time.Hour).UnixMilli()
}

// FirstDay returns the first day.
func (b seasonBody) FirstDay() int64 { return dayOf(b.From) }

// LastDay returns the last day.
func (b seasonBody) LastDay() int64 { return dayOf(b.To) }

// Who returns a member with a link to its page.
func (b seasonBody) Who(member string) kit.Person { return personOf(b.Names, member) }

// shownRows is the number of places of a part on the page.
const shownRows = 8

// Halves writes what was scored in a part as tables do: "2½".
func (b seasonBody) Halves(value string) string { return kit.Halves(value) }

// Short returns the first places of a part.
func (b seasonBody) Short(p season.Part) (rows []shownRow) {
	for k, row := range p.Rows[:min(shownRows, len(p.Rows))] {
		rows = append(rows, shownRow{row, rowPath(p, k)})
	}
	return rows
}

// shownRow is a place in a part with the path of its account.
type shownRow struct {
	season.Row
	Link string
}

// Path returns the path of a part.
func (b seasonBody) Path(p season.Part) string { return partPath(p.SeasonPart) }

// partPath returns the path of the page of a part.
func partPath(p series.SeasonPart) string {
	id := url.PathEscape(p.ID)
	switch p.Kind {
	case series.OfSeries:
		return "/series/" + id
	case series.OfLeague:
		return seasonPath(p.ID, p.Number)
	}
	return "/" + string(p.Kind) + "s/" + id
}

// rowPath returns the path of the account of a row, by its index: of a place in a tournament, a series' results or a
// ladder's challenges.
func rowPath(p season.Part, k int) string {
	switch row := p.Rows[k]; {
	case row.Tournament != "":
		return fmt.Sprintf("/tournaments/%s/standings/%d", row.Tournament, row.Entry)
	case p.Kind == series.OfSeries:
		return fmt.Sprintf("%s#p%d", partPath(p.SeasonPart), k)
	default:
		return partPath(p.SeasonPart) + "?player=" + url.QueryEscape(row.Players[0]) + "#log"
	}
}

// seasonBodyOf computes a season for its page.
func (p *Pages) seasonBodyOf(c echo.Context) (b seasonBody, err error) {
	t, err := p.reading(c).Season(c.Request().Context(), c.Param("id"))
	if err != nil {
		return b, err
	}
	b = seasonBody{
		Table: t, Runs: command.Runs(auth.Session(c), t.Organiser), Seen: command.VersionTag(t.Version),
		Season: p.Season(c, "/seasons/"+url.PathEscape(t.ID)+".ics"),
	}
	for _, st := range t.Standings {
		row := seasonRow{Standing: st, Who: b.Who(st.Player), Total: st.Points.String(), Cells: make([]seasonCell, len(t.Parts))}
		for k, score := range st.Results() {
			cell := seasonCell{
				Part: score.Event, Points: score.Points.String(), Place: score.Place, Dropped: k >= len(st.Counted),
				Formula: p.decimal(c, t.Series.Formula(st.Player, score)),
			}
			part := t.Parts[score.Event]
			if k := part.RowOf(st.Player); k >= 0 {
				cell.Own, cell.Link = p.decimal(c, kit.Halves(part.Rows[k].Value)), rowPath(part, k)
			}
			row.Cells[score.Event] = cell
			row.Results = append(row.Results, cell)
		}
		b.Rows = append(b.Rows, row)
	}
	return b, nil
}

// seasonKey is the cache key of the page of a season.
type seasonKey struct {
	stamp string // of the season as the visitor sees it
	runs  bool   // with what its organiser can do
}

// keptSeason returns what the title of a season's page takes, and the main part. forms is set for a page with what the
// visitor can do there.
func (p *Pages) keptSeason(c echo.Context, forms bool) (seasonBody, kit.Kept, error) {
	s, stamps, err := p.reading(c).Stamp(c.Request().Context(), c.Param("id"))
	if err != nil {
		return seasonBody{}, kit.Kept{}, err
	}
	runs := forms && command.Runs(auth.Session(c), s.Organiser)
	title := seasonBody{Table: &season.Table{Season: s}, Runs: runs}
	return title, kit.Kept{Key: seasonKey{command.Tag(stamps), runs}, Body: func() (any, error) {
		body, err := p.seasonBodyOf(c)
		body.Runs = runs
		return body, err
	}}, nil
}

func (p *Pages) season(c echo.Context) error {
	if id, calendar := strings.CutSuffix(c.Param("id"), ".ics"); calendar {
		t, err := p.reading(c).Season(c.Request().Context(), id)
		if err != nil {
			return err
		}
		return p.Calendar(c, t.Name, t.Tournaments()...)
	}
	body, kept, err := p.keptSeason(c, true)
	if err != nil {
		return err
	}
	return p.ShowKept(c, "season", "tournaments", body, kept)
}

// embedSeason serves the table of a season for a frame on another site.
func (p *Pages) embedSeason(c echo.Context) error {
	body, kept, err := p.keptSeason(c, false)
	if err != nil {
		return err
	}
	return p.Embed(c, "embed-season", body, kept)
}

// seasonPlayerBody is the data of the page of a member of a season.
type seasonPlayerBody struct{ *season.Member }

// Who returns a member with a link to its page.
func (b seasonPlayerBody) Who(member string) kit.Person { return personOf(b.Names, member) }

// Path returns the path of a game: of its round, or of the ladder.
func (b seasonPlayerBody) Path(g season.Game) string {
	if g.Tournament == "" {
		return partPath(b.Parts[g.Part].SeasonPart)
	}
	return fmt.Sprintf("/tournaments/%s?round=%d", g.Tournament, g.Round)
}

func (p *Pages) seasonPlayer(c echo.Context) error {
	player, err := p.reading(c).Member(c.Request().Context(), c.Param("id"), c.Param("player"))
	if err != nil {
		return err
	}
	return p.Show(c, "season-player", "tournaments", seasonPlayerBody{player})
}

// seasonsBody is the data of the archive: the seasons that began in a year, with the winners of their parts.
type seasonsBody struct {
	Create  bool
	Year    string
	Years   []string
	Seasons []seasonBody
}

func (p *Pages) seasons(c echo.Context) error {
	all, err := p.Commands.Seasons.ListSeasons(c.Request().Context())
	if err != nil {
		return err
	}
	who := auth.Session(c)
	b := seasonsBody{Create: who.Can(who.Level(), auth.CreateTournaments) && p.Guard != nil, Year: c.QueryParam("year")}
	for _, s := range all {
		year, _, _ := strings.Cut(s.From, "-")
		b.Year = cmp.Or(b.Year, year)
		if !slices.Contains(b.Years, year) {
			b.Years = append(b.Years, year)
		}
		if year == b.Year {
			t, err := p.reading(c).Season(c.Request().Context(), s.ID)
			if err != nil {
				return err
			}
			b.Seasons = append(b.Seasons, seasonBody{Table: t})
		}
	}
	return p.Show(c, "seasons", "tournaments", b)
}

// seasonSheet is the form of a season.
var seasonSheet = sheet[series.Season, gen.SeasonPatch]{
	kept: command.Seasons, page: "season-form", choice: "part", factor: "weight-", list: "/seasons",
	fields: []field[gen.SeasonPatch]{
		text("name", "", func(s *gen.SeasonPatch, name *string) { s.Name = name }),
		text("from", "", func(s *gen.SeasonPatch, day *string) { s.From = day }),
		text("to", "", func(s *gen.SeasonPatch, day *string) { s.To = day }),
		number("best", "", func(s *gen.SeasonPatch, best *int) { s.Best = best }),
		number("least", "", func(s *gen.SeasonPatch, least *int) { s.Least = least }),
		decimals("table", func(s *gen.SeasonPatch, table *[]string) { s.Table = table }),
	},
	rest: func(_ *Pages, _ echo.Context, f form, into *gen.SeasonPatch) error {
		into.Parts = &[]gen.NewSeasonPart{}
		for _, c := range f.Choices {
			part, err := partOf(c.Key)
			if err != nil {
				return err
			}
			if !c.Counts {
				continue
			}
			sent := gen.NewSeasonPart{Kind: gen.SeasonPartKind(part.Kind), ID: part.ID, Weight: c.weight()}
			if part.Number > 0 {
				sent.Season = &part.Number
			}
			*into.Parts = append(*into.Parts, sent)
		}
		return nil
	},
	offer: (*Pages).offerParts,
	fresh: func(p *Pages) series.Season {
		now := p.Now()
		year := now.Year()
		if now.Month() < time.July {
			year--
		}
		return series.Season{
			From: strconv.Itoa(year) + "-09-01", To: strconv.Itoa(year+1) + "-06-30", Rules: series.DefaultRules(),
		}
	},
	show: func(p *Pages, c echo.Context, s series.Season) form {
		f := form{Typed: p.typedRules(c, s.Rules)}
		f.Typed["name"] = s.Name
		f.Typed["from"], f.Typed["to"] = s.From, s.To
		for _, part := range s.Parts {
			f.Choices = append(f.Choices, choice{Key: part.Key(), Counts: true, Factor: p.decimal(c, part.Weight.Text())})
		}
		return f
	},
	apply: func(_ *Pages, s *series.Season, sent gen.SeasonPatch) error { return command.ApplySeason(s, sent) },
	load: func(p *Pages, c echo.Context) (series.Season, string, error) {
		s, err := p.Commands.Seasons.Season(c.Request().Context(), c.Param("id"))
		return s, s.Organiser, err
	},
	path: func(s series.Season) string { return "/seasons/" + s.ID },
}

// partOf returns the part of a key; see [series.SeasonPart.Key].
func partOf(key string) (series.SeasonPart, error) {
	kind, rest, _ := strings.Cut(key, ":")
	id, text, _ := strings.Cut(rest, ":")
	number, err := strconv.Atoi(text)
	if err != nil {
		err = kit.ErrUnreadable
	}
	return series.SeasonPart{Kind: series.PartKind(kind), ID: id, Number: number}, err
}

// maxLeagueChoices is the maximum of leagues with seasons that a form offers, the newest.
const maxLeagueChoices = 20

// offerParts adds everything that can be a part of a season.
func (p *Pages) offerParts(c echo.Context, f *form) error {
	for i := range f.Choices {
		known := &f.Choices[i]
		part, _ := partOf(known.Key)
		known.Name, known.Kind = part.ID, string(part.Kind)
	}
	offer := func(kind series.PartKind, id string, number int, name string) {
		f.offer(choice{Key: series.SeasonPart{Kind: kind, ID: id, Number: number}.Key(), Kind: string(kind), Name: name})
	}
	ctx, stored := c.Request().Context(), p.Commands.Seasons
	list, err := p.newest(c)
	if err != nil {
		return err
	}
	for _, t := range list {
		offer(series.OfTournament, t.ID, 0, t.Name)
	}
	events, err := stored.ListSeries(ctx)
	if err != nil {
		return err
	}
	for _, s := range events {
		offer(series.OfSeries, s.ID, 0, s.Name)
	}
	ladders, err := stored.ListLadders(ctx)
	if err != nil {
		return err
	}
	for _, l := range ladders {
		offer(series.OfLadder, l.ID, 0, l.Name)
	}
	leagues, err := stored.ListLeagues(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range leagues[:min(maxLeagueChoices, len(leagues))] {
		_, plans, err := stored.League(ctx, l.ID)
		if err != nil {
			return err
		}
		for _, plan := range plans {
			if plan.Confirmed {
				offer(series.OfLeague, l.ID, plan.Number, l.Name+" "+plan.State.Name)
			}
		}
	}
	return nil
}
