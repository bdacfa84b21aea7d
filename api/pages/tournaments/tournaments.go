package tournaments

import (
	"cmp"
	"context"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/calendar"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/api/stream"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Mount adds the pages of tournaments.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/tournaments":                           p.tournaments,
		"/calendar.ics":                          p.season,
		"/tournaments/:id":                       p.tournament,
		"/tournaments/:id/crosstable":            p.crosstable,
		"/tournaments/:id/live":                  p.tournamentLive,
		"/tournaments/:id/arena":                 p.arena,
		"/tournaments/:id/rounds/:round/explain": p.reasons,
	})
	p.Get(e, "/tournaments/:id/wall", p.wall)
	p.Live("/tournaments/:id", kit.Soon, gamesTopics)
	p.Live("/tournaments/:id/wall", kit.Soon, func(c echo.Context) []string {
		return []string{stream.OfTournament(c.Param("id"), false), kit.BoardsTopic(c)}
	})
	p.Live("/tournaments/:id/arena", kit.Soon, func(c echo.Context) []string {
		return kit.TopicsOf(auth.Session(c), kit.TournamentTopic(c))
	})
}

// gamesTopics are the topics of the tab of games; the others have a stream of their own.
func gamesTopics(c echo.Context) []string {
	if Tab(c.QueryParam("tab")) != tabGames {
		return nil
	}
	return []string{kit.TournamentTopic(c), kit.BoardsTopic(c)}
}

func (p *Pages) tournaments(c echo.Context) (err error) {
	var body results.Tournaments
	if sort := c.QueryParam("sort"); sort != "state" { // the default
		body.Sort = sort
	}
	if body.Lines, body.Next, err = p.sorted(c, body.Sort); err != nil {
		return err
	}
	if body.Drafts, err = p.Drafts(c); err != nil {
		return err
	}
	body.Create, body.Season = p.Creates(c), p.Season(c, "/calendar.ics")
	if body.Series, err = p.Commands.Seasons.ListSeries(c.Request().Context()); err != nil {
		return err
	}
	if body.Ladders, err = p.Commands.Seasons.ListLadders(c.Request().Context()); err != nil {
		return err
	}
	if body.Leagues, err = p.Commands.Seasons.ListLeagues(c.Request().Context(), command.OwnDrafts(auth.Session(c))); err != nil {
		return err
	}
	if body.Seasons, err = p.Commands.Seasons.ListSeasons(c.Request().Context()); err != nil {
		return err
	}
	return p.Show(c, "tournaments", "tournaments", body)
}

// sorted returns a page of the list in an order that the reader chose, "" for that of [Pages.listed].
func (p *Pages) sorted(c echo.Context, order string) ([]director.Summary, string, error) {
	ctx, cursor := c.Request().Context(), c.QueryParam("cursor")
	public := director.Filter{Status: director.PublicStatuses}
	switch order {
	case "":
		return p.listed(ctx, cursor)
	case "date":
		public.Order = director.ByDate
	case "name":
		public.Order = director.ByName
	default:
		return nil, "", kit.ErrMissing
	}
	return p.TournamentList.List(ctx, public, kit.PageLength, cursor)
}

// listed returns a page of the list: on the first those that run and those to come, by their beginning; then those that
// are over, newest first.
func (p *Pages) listed(ctx context.Context, cursor string) ([]director.Summary, string, error) {
	over := director.Filter{Status: []tournament.Status{tournament.Finished, tournament.Archived}}
	past, next, err := p.TournamentList.List(ctx, over, kit.PageLength, cursor)
	if err != nil || cursor != "" {
		return past, next, err
	}
	running, err := p.allLines(ctx, tournament.Running)
	if err != nil {
		return nil, "", err
	}
	soon, err := p.allLines(ctx, tournament.Open, tournament.Closed)
	slices.SortStableFunc(soon, func(a, b director.Summary) int {
		return cmp.Compare(cmp.Or(a.StartsAt, math.MaxInt64), cmp.Or(b.StartsAt, math.MaxInt64))
	})
	return slices.Concat(running, soon, past), next, err
}

// allLines lists all tournaments in some stages, newest first.
func (p *Pages) allLines(ctx context.Context, stages ...tournament.Status) ([]director.Summary, error) {
	var all []director.Summary
	for cursor := ""; ; {
		lines, next, err := p.TournamentList.List(ctx, director.Filter{Status: stages}, kit.PageLength, cursor)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
		if next == "" {
			return all, nil
		}
		cursor = next
	}
}

// calendar serves a tournament as iCalendar.
func (p *Pages) calendar(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	return p.Calendar(c, t.Name, t.ID)
}

// season serves the club's tournaments as iCalendar.
func (p *Pages) season(c echo.Context) error {
	ctx := c.Request().Context()
	ids, err := calendar.Newest(ctx, p.TournamentList)
	if err != nil {
		return err
	}
	return p.Calendar(c, p.Club(ctx).Name, ids...)
}

// wall serves the page for a screen in the hall: the round as the public sees it, whatever the visitor's rights.
func (p *Pages) wall(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	outline, err := results.Of(t, false, 0)
	if err != nil {
		return err
	}
	outline.In = p.Reader(c)
	body := tournamentBody{Body: outline, Tab: tabWall}
	if err = p.fillGames(c.Request().Context(), &body); err != nil {
		return err
	}
	kit.Again(c, body.Games.Next)
	if body.Rendered, err = p.renderLive(c.Request().Context(), body); err != nil {
		return err
	}
	return p.Bare(c, "wall", kit.BareFrame{Kind: "wall", Body: body})
}

// Search is a search in the lists of a tournament, and its result.
type Search struct {
	Text    string // as it was typed, "" for the reader's own entry
	Asked   bool   // a text was sent, perhaps an empty text to clear the marks
	Numbers []int  // of the entries found, as the addresses of their cards have them
	Names   []string
}

// Marks returns the numbers as an attribute holds them.
func (s Search) Marks() string {
	texts := make([]string, len(s.Numbers))
	for i, n := range s.Numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, " ")
}

// maxFound is the maximum number of entries marked: a single letter matches half a field.
const maxFound = 20

// Find returns the entries that match a text: by number, or by part of the name, ignoring accents and case. Without a
// search it is the player's own entry.
func Find(t *tournament.Tournament, text string, asked bool, player string) Search {
	s := Search{Text: strings.TrimSpace(text), Asked: asked}
	wanted := kit.Fold(s.Text)
	number, err := strconv.Atoi(s.Text)
	for _, line := range results.PlayerLines(t) {
		var found bool
		switch {
		case !asked:
			found = player != "" && slices.Contains(line.Members, player)
		case err == nil:
			found = line.Order == number
		case wanted != "":
			found = strings.Contains(kit.Fold(line.Name), wanted)
		}
		if found && len(s.Numbers) < maxFound {
			s.Numbers, s.Names = append(s.Numbers, line.Order), append(s.Names, line.Name)
		}
	}
	return s
}

// Mark highlights the rows of some entries. Rows have their entry's number in data-n, and no class.
func Mark(html template.HTML, numbers []int) template.HTML {
	if len(numbers) == 0 {
		return html
	}
	const attribute = ` data-n="`
	var out strings.Builder
	rest := string(html)
	for {
		at := strings.Index(rest, attribute)
		if at < 0 {
			break
		}
		from := at + len(attribute)
		end := strings.IndexByte(rest[from:], '"')
		if end < 0 {
			break
		}
		out.WriteString(rest[:at])
		if slices.ContainsFunc(strings.Fields(rest[from:from+end]), func(n string) bool {
			number, err := strconv.Atoi(n)
			return err == nil && slices.Contains(numbers, number)
		}) {
			out.WriteString(` class="me"`)
		}
		out.WriteString(rest[at : from+end+1])
		rest = rest[from+end+1:]
	}
	out.WriteString(rest)
	return template.HTML(out.String()) // escaped markup, and a constant
}
