// Package awards serves the prizes of a tournament and their winners so far.
package awards

import (
	"context"
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
	"quatuor/tournament/standings"
)

// Pages are the pages of prizes.
type Pages struct{ *kit.Kit }

// New returns the pages of prizes.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the page to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{"/tournaments/:id/prizes": p.prizes})
}

// Functions are for the templates that show prizes.
func Functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"coins": coins,
		"money": func(amount int64) string { return in.Decimal(prizes.Money(amount)) },
	}
}

// coins returns the CSS class that aligns amounts with and without hundredths below each other.
func coins(amount int64) string {
	if amount%100 == 0 {
		return "no-cents"
	}
	return "cents"
}

// Body holds the data of the page of a tournament's prizes.
type Body struct {
	*tournament.Tournament
	Round      int // after which the awards are, 0 before the first
	Final      bool
	When       string // the progress of the tournament, as text
	Categories []prizeTable
	Staff      bool // the visitor may enter them
}

// prizeTable is a category.
type prizeTable struct {
	tournament.PrizeCategory
	Awards []awardLine
	Waived []waiverLine
}

// awardLine is a prize won.
type awardLine struct {
	prizes.Award
	Name, Why string // Why is "" if the place explains it
}

// waiverLine is a prize passed on to the next.
type waiverLine struct{ Name, Why string }

func (p *Pages) prizes(c echo.Context) error {
	t, staff, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	body, err := p.Of(c.Request().Context(), t, p.Reader(c))
	if err != nil {
		return err
	}
	body.Staff = staff
	return p.Show(c, "prizes", "tournaments", body)
}

// Of returns the prizes of a tournament with their winners so far.
func (p *Pages) Of(ctx context.Context, t *tournament.Tournament, in *message.Printer) (Body, error) {
	body := Body{
		Tournament: t, Round: t.PublishedRounds(), Final: t.Status.Over(),
		Categories: make([]prizeTable, len(t.Prizes.Categories)), When: results.AsOfRound(t, t.PublishedRounds()).Words(in),
	}
	of := map[string]*prizeTable{}
	for i, category := range t.Prizes.Categories {
		body.Categories[i].PrizeCategory = category
		of[category.Name] = &body.Categories[i]
	}
	if body.Round == 0 || len(body.Categories) == 0 {
		return body, nil
	}
	won, err := p.distribution(ctx, t)
	if err != nil {
		return Body{}, err
	}
	name := func(id string) string { e, _ := t.Entry(id); return e.Name }
	for _, a := range won.Awards {
		table := of[a.Category]
		line := awardLine{Award: a, Name: name(a.ID)}
		if a.Sharers > 1 || a.Level > 1 {
			line.Why = awardWords(in, a, prizes.RulesFor(t))
		}
		table.Awards = append(table.Awards, line)
	}
	for _, w := range won.Waived {
		table := of[w.Category]
		table.Waived = append(table.Waived, waiverLine{name(w.ID), waiverWords(in, w)})
	}
	return body, nil
}

// awardWords returns the explanation of an award.
func awardWords(in *message.Printer, a prizes.Award, rules prizes.Rules) string {
	out := kit.Say(in, "prizes.why_place", "Place", a.Place)
	if a.Level > 1 {
		out = kit.Say(in, "prizes.why_level", "Place", a.Place, "Level", a.Level)
	}
	if a.Sharers > 1 && a.Amount > 0 {
		id := "prizes.why_equal_points"
		switch rules.Sharing {
		case prizes.Hort:
			id = "prizes.why_hort_points"
		case prizes.ByRank:
			id = "prizes.why_equal_rank"
		}
		out += " " + kit.Say(in, id, "Sharers", a.Sharers, "First", a.First, "Last", a.First+a.Sharers-1)
	}
	if a.Text != "" && a.Level > 1 {
		out += " " + kit.Say(in, "prizes.why_lot")
	}
	return out
}

// waiverWords returns which prize was passed on to the next, and why.
func waiverWords(in *message.Printer, w prizes.Waiver) string {
	if w.Amount > 0 {
		return kit.Say(in, "prizes.waived_money", "Amount", prizes.Money(w.Amount), "Category", w.Category, "Kept", w.For)
	}
	return kit.Say(in, "prizes.waived", "Category", w.Category, "Kept", w.For)
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
