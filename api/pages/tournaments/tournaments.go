package tournaments

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
	"quatuor/tournament/standings"
)

// Mount adds the pages of tournaments.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/tournaments":                            p.tournaments,
		"/calendar.ics":                           p.season,
		"/tournaments/:id":                        p.tournament,
		"/tournaments/:id/crosstable":             p.crosstable,
		"/tournaments/:id/live":                   p.tournamentLive,
		"/tournaments/:id/arena":                  p.arena,
		"/tournaments/:id/rounds/:round/explain":  p.reasons,
		"/tournaments/:id/matches/:round/:number": p.match,
		"/tournaments/:id/team":                   p.myTeam,
	})
	p.Post(e, "/tournaments/:id/matches/:round/:number/lineup", command.OnTournament, p.fileLineUp)
	p.Post(e, "/tournaments/:id/matches/:round/:number/reopen", command.OnTournament, p.reopen)
	p.Post(e, "/tournaments/:id/matches/:round/:number/date", command.OnTournament, p.dateMatch)
	p.Post(e, "/tournaments/:id/matches/:round/:number/boards/:board", command.OnTournament, p.setMatchBoard)
	p.Live("/tournaments/:id", kit.Soon, gamesTopics)
	for _, route := range []string{"/tournaments/:id/matches/:round/:number", "/tournaments/:id/team"} {
		p.Live(route, kit.Soon, func(c echo.Context) []string { return []string{kit.TournamentTopic(c)} })
	}
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

// TournamentLine is a tournament in a list.
type TournamentLine struct {
	director.Summary
	Done, Boards int // of the present round; 0 of 0 where the page does not know
}

// TournamentsBody holds the list of tournaments.
type TournamentsBody struct {
	Drafts []TournamentLine // for their staff
	Create bool             // the visitor may create tournaments
	Lines  []TournamentLine
	Sort   string // the order, "" by state
	Next   string // cursor
	Series []series.Settings

	Ladders []ladder.Settings
	Leagues []league.Settings
	Seasons []series.Season
	Season  kit.Season
}

// Public are the stages visible to the public.
var Public = []tournament.Status{
	tournament.Open, tournament.Closed, tournament.Running, tournament.Finished, tournament.Archived,
}

func (p *Pages) tournaments(c echo.Context) (err error) {
	var body TournamentsBody
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
func (p *Pages) sorted(c echo.Context, order string) ([]TournamentLine, string, error) {
	ctx, cursor := c.Request().Context(), c.QueryParam("cursor")
	public := director.Filter{Status: Public}
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
	return p.TournamentLines(ctx, public, kit.PageLength, cursor)
}

// listed returns a page of the list: on the first those that run and those to come, by their beginning; then those that
// are over, newest first.
func (p *Pages) listed(ctx context.Context, cursor string) ([]TournamentLine, string, error) {
	over := director.Filter{Status: []tournament.Status{tournament.Finished, tournament.Archived}}
	past, next, err := p.TournamentLines(ctx, over, kit.PageLength, cursor)
	if err != nil || cursor != "" {
		return past, next, err
	}
	running, err := p.allLines(ctx, tournament.Running)
	if err != nil {
		return nil, "", err
	}
	soon, err := p.allLines(ctx, tournament.Open, tournament.Closed)
	slices.SortStableFunc(soon, func(a, b TournamentLine) int {
		return cmp.Compare(cmp.Or(a.StartsAt, math.MaxInt64), cmp.Or(b.StartsAt, math.MaxInt64))
	})
	return slices.Concat(running, soon, past), next, err
}

// allLines lists all tournaments in some stages, newest first.
func (p *Pages) allLines(ctx context.Context, stages ...tournament.Status) ([]TournamentLine, error) {
	var all []TournamentLine
	for cursor := ""; ; {
		lines, next, err := p.TournamentLines(ctx, director.Filter{Status: stages}, kit.PageLength, cursor)
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

// TournamentLines lists tournaments.
func (p *Pages) TournamentLines(
	ctx context.Context, f director.Filter, limit int, cursor string,
) ([]TournamentLine, string, error) {
	page, next, err := p.TournamentList.List(ctx, f, limit, cursor)
	if err != nil {
		return nil, "", err
	}
	lines := make([]TournamentLine, len(page))
	for i, summary := range page {
		lines[i].Summary = summary
	}
	return lines, next, nil
}

// Place is an entry at a rank.
type Place struct {
	Rank   int
	Entry  tournament.Entry
	Points tournament.Points
}

// Podium returns the first entries of a tournament's standings, up to a number of them.
func (p *Pages) Podium(ctx context.Context, id string, number int) ([]Place, error) {
	t, err := p.Tournaments.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.podiums.Load(podiumKey{id, t.Version, number}, func() ([]Place, error) {
		table, err := standings.After(t, 0)
		if err != nil {
			return nil, err
		}
		places := make([]Place, 0, number)
		for _, row := range table.Rows[:min(number, len(table.Rows))] {
			places = append(places, Place{row.Rank, row.Entry, row.Points})
		}
		return places, nil
	})
}

// podiumKey is the cache key of a tournament's first places.
type podiumKey struct {
	id      string
	version int64
	number  int
}

// Progress counts the games of a round that have a result, and all of them; byes are none.
func Progress(r tournament.Round) (done, all int) {
	for _, pairing := range r.Pairings {
		if pairing.Bye != tournament.NoBye {
			continue
		}
		all++
		if pairing.Result != nil {
			done++
		}
	}
	return done, all
}

// Drafts lists the draft tournaments that have the visitor on their staff; they are hidden from others.
func (p *Pages) Drafts(c echo.Context) (list []TournamentLine, err error) {
	who, ctx := auth.Session(c), c.Request().Context()
	if who.Anonymous() {
		return nil, nil
	}
	lines, _, err := p.TournamentLines(
		ctx, director.Filter{Status: []tournament.Status{tournament.Draft}}, kit.PageLength, "",
	)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		t, staff, err := access.Tournament(ctx, p.Tournaments, line.ID, who)
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if staff && t.Status == tournament.Draft {
			list = append(list, line)
		}
	}
	return list, nil
}

// Creates reports whether the visitor may create tournaments.
func (p *Pages) Creates(c echo.Context) bool {
	who := auth.Session(c)
	return who.Can(who.Level(), auth.CreateTournaments)
}
