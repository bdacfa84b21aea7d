package tournaments

import (
	"cmp"
	"context"
	"math"
	"slices"

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
