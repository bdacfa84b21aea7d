package players

import (
	"cmp"
	"context"
	"slices"

	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament"
)

// record counts results. With more than two sides, a game is won ahead of all others and lost behind all others.
type record struct {
	Won, Drawn, Lost int
	Between          bool // places between the first and the last count as drawn
}

// Games returns the number of results.
func (r record) Games() int { return r.Won + r.Drawn + r.Lost }

// Score returns the points of a record: a point for each win.
func (r record) Score() tournament.Points { return tournament.Points(10*r.Won + 5*r.Drawn) }

// Against returns the points of the other side.
func (r record) Against() tournament.Points { return record{Won: r.Lost, Drawn: r.Drawn}.Score() }

// add counts a score between 0 and 1.
func (r *record) add(score float64) {
	switch {
	case score >= 1:
		r.Won++
	case score <= 0:
		r.Lost++
	default:
		r.Drawn++
		r.Between = r.Between || score != .5
	}
}

// addRows counts rated games.
func (r *record) addRows(rows []ledger.Row) {
	for i := range rows {
		r.add(rows[i].Score)
	}
}

// scoreAgainst returns the score of a rank against another; a lower rank is better.
func scoreAgainst(own, other int) float64 {
	switch {
	case own < other:
		return 1
	case own > other:
		return 0
	}
	return .5
}

// opponent is a player and the results against that player.
type opponent struct {
	kit.Person
	record
}

// opponents counts results by opponent.
type opponents map[string]*record

// addGame counts a finished game of a player against each player of the other sides.
func (o opponents) addGame(g table.Game, player string) error {
	rules, err := catalog.Find(g.Variant)
	if err != nil || g.Outcome == nil || g.Outcome.Void() {
		return err
	}
	info, own := rules.Info(), slices.Index(g.Players, player)
	for i, id := range g.Players {
		if own < 0 || id == "" || info.SideOf(engine.Seat(i+1)) == info.SideOf(engine.Seat(own+1)) {
			continue
		}
		o.add(id, scoreAgainst(g.Outcome.Ranks[own], g.Outcome.Ranks[i]))
	}
	return nil
}

func (o opponents) add(id string, score float64) {
	if o[id] == nil {
		o[id] = &record{}
	}
	o[id].add(score)
}

// frequent returns those with the most games, at most limit.
func (o opponents) frequent(limit int) []string {
	ids := make([]string, 0, len(o))
	for id := range o {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(o[b].Games()-o[a].Games(), cmp.Compare(a, b)) })
	return ids[:min(limit, len(ids))]
}

// frequentOpponents returns the players met most often in the latest games, those in the hall included.
func (p *Pages) frequentOpponents(ctx context.Context, player string) ([]opponent, error) {
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player}, countedGames, "")
	if err != nil {
		return nil, err
	}
	met := opponents{}
	for _, g := range rows {
		if g.Status != table.Finished {
			continue
		}
		if err := met.addGame(g, player); err != nil {
			return nil, err
		}
	}
	ids := met.frequent(shownOpponents)
	who, err := p.Look(ctx, ids...)
	if err != nil {
		return nil, err
	}
	list := make([]opponent, len(ids))
	for i, id := range ids {
		list[i] = opponent{who.Person(id), *met[id]}
	}
	return list, nil
}
