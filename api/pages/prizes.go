package pages

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/tournament"
	"quatuor/tournament/prizes"
	"quatuor/tournament/standings"
)

// prizesBody is what the page of a tournament's prizes shows.
type prizesBody struct {
	*tournament.Tournament
	Round      int // after which the awards are, 0 before the first
	Final      bool
	Categories []prizeTable
}

// prizeTable is one category.
type prizeTable struct {
	tournament.PrizeCategory
	Awards []awardLine
	Waived []waiverLine
}

// awardLine is one prize won.
type awardLine struct {
	prizes.Award
	Name, Why string // why is left out where the place says it all
}

// waiverLine is a prize that went on to the next.
type waiverLine struct{ Name, Why string }

func (p *Pages) prizes(c echo.Context) error {
	t, _, err := p.known(c)
	if err != nil {
		return err
	}
	if len(t.Prizes.Categories) == 0 {
		return errMissing
	}
	body := prizesBody{
		Tournament: t, Round: t.PublishedRounds(), Final: t.Status == tournament.Finished || t.Status == tournament.Archived,
		Categories: make([]prizeTable, len(t.Prizes.Categories)),
	}
	of := map[string]*prizeTable{}
	for i, category := range t.Prizes.Categories {
		body.Categories[i].PrizeCategory = category
		of[category.Name] = &body.Categories[i]
	}
	if body.Round == 0 {
		return p.show(c, "prizes", "tournaments", body)
	}
	won, err := p.distribution(c.Request().Context(), t)
	if err != nil {
		return err
	}
	name := func(id string) string { e, _ := t.Entry(id); return e.Name }
	for _, a := range won.Awards {
		table := of[a.Category]
		line := awardLine{Award: a, Name: name(a.ID)}
		if a.Sharers > 1 || a.Level > 1 {
			line.Why = a.Words(prizes.RulesFor(t))
		}
		table.Awards = append(table.Awards, line)
	}
	for _, w := range won.Waived {
		table := of[w.Category]
		table.Waived = append(table.Waived, waiverLine{name(w.ID), w.Words()})
	}
	return p.show(c, "prizes", "tournaments", body)
}

// distribution hands the prizes out by the standings after the latest round.
func (p *Pages) distribution(ctx context.Context, t *tournament.Tournament) (prizes.Distribution, error) {
	born := map[string]int{}
	if ids := prizes.Aged(t); len(ids) > 0 {
		players, err := p.Players.Players(ctx, ids)
		if err != nil {
			return prizes.Distribution{}, err
		}
		for id, player := range players {
			born[id] = player.BirthYear
		}
	}
	table, err := standings.After(t, 0)
	if err != nil {
		return prizes.Distribution{}, err
	}
	return prizes.Of(t, table, born)
}
