package pages

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// mountTournaments adds the pages of tournaments, and what players do about their own entries.
func (p *Pages) mountTournaments(e *echo.Echo) {
	p.pages(e, map[string]echo.HandlerFunc{
		"/tournaments":                           p.tournaments,
		"/tournaments/:id":                       p.tournament,
		"/tournaments/:id/crosstable":            p.crosstable,
		"/tournaments/:id/history":               p.history,
		"/tournaments/:id/live":                  p.tournamentLive,
		"/tournaments/:id/rounds/:round/explain": p.reasons,
		"/tournaments/:id/prizes":                p.prizes,
		"/tournaments/:id/standings/:number":     p.account,
	})
	p.get(e, "/tournaments/:id/players/:number", p.card)
	if p.Guard == nil {
		return
	}
	p.post(e, "/tournaments/:id/entries/:entry/agree", command.OnTournament, p.agree)
	p.post(e, "/tournaments/:id/entries/:entry/decline", command.OnTournament, p.refuse)
	if p.Director == nil {
		return
	}
	p.post(e, "/tournaments/:id/register", command.OnTournament, p.registerSelf)
	p.post(e, "/tournaments/:id/entries/:entry/leave", command.OnTournament, p.leaveSelf)
	p.post(e, "/tournaments/:id/entries/:entry/arrive", command.OnTournament, p.arriveSelf)
}

// tournamentLine is a tournament in a list.
type tournamentLine struct {
	director.Summary
	Done, Boards int // of the present round; 0 of 0 where the page does not know
}

// tournamentsBody is what the list of tournaments shows.
type tournamentsBody struct {
	Drafts []tournamentLine // for their staff
	Create bool             // the visitor may create tournaments
	Lines  []tournamentLine
	Next   string // cursor
}

// public are the stages in which the public may know of a tournament.
var public = []tournament.Status{
	tournament.Open, tournament.Closed, tournament.Running, tournament.Finished, tournament.Archived,
}

func (p *Pages) tournaments(c echo.Context) (err error) {
	var body tournamentsBody
	body.Lines, body.Next, err = p.tournamentLines(c.Request().Context(), director.Filter{Status: public}, pageLength,
		c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	if body.Drafts, err = p.drafts(c); err != nil {
		return err
	}
	body.Create = p.creates(c)
	return p.show(c, "tournaments", "tournaments", body)
}

func (p *Pages) tournamentLines(ctx context.Context, f director.Filter, limit int, cursor string) ([]tournamentLine, string, error) {
	page, next, err := p.TournamentList.List(ctx, f, limit, cursor)
	if err != nil {
		return nil, "", err
	}
	lines := make([]tournamentLine, len(page))
	for i, summary := range page {
		lines[i].Summary = summary
	}
	return lines, next, nil
}

// progress counts the games of a round that have a result, and all of them; byes are none.
func progress(r tournament.Round) (done, all int) {
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
