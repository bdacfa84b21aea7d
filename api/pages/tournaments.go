package pages

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/tournament"
	"quatuor/tournament/director"
)

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
