package ledger

import (
	"fmt"
	"time"

	"quatuor/rating"
)

// place is the key of a rating: a player in a list.
type place struct{ list, player string }

// book holds current ratings while games are being rated.
type book struct {
	regulation Regulation
	rules      map[string]Rules // by list, loaded on demand
	ratings    map[place]rating.Rating
	meetings   meetings
}

func newBook(regulation Regulation) *book {
	return &book{
		regulation: regulation, rules: map[string]Rules{}, ratings: map[place]rating.Rating{},
		meetings: meetings{},
	}
}

// rulesOf returns the rules of a list.
func (b *book) rulesOf(list string) Rules {
	r, known := b.rules[list]
	if !known {
		r = b.regulation.Rules(list)
		b.rules[list] = r
	}
	return r
}

// current returns a player's rating in a list, or the system's start. Parts that the system needs and the rating lacks
// are those of its start.
func (b *book) current(p place, system rating.System) rating.Rating {
	start := system.Start()
	r, found := b.ratings[p]
	if !found {
		return start
	}
	if r.Deviation == 0 {
		r.Deviation = start.Deviation
	}
	if r.Volatility == 0 {
		r.Volatility = start.Volatility
	}
	return r
}

// rate rates a game and returns its rows by seat; none if it is not rated, or the rules of its list do not let it
// count.
func (b *book) rate(f Finished) ([]Row, error) {
	rules, rated := b.rulesOf(f.List), f.rated()
	if rated == nil || rules.Duels && len(rated) != 2 {
		return nil, nil
	}
	if why, err := b.meetings.admit(f, rated, rules); err != nil || why != (Omission{}) {
		return nil, err
	}
	system := rules.System
	if dated, ok := system.(rating.Dated); ok {
		system = dated.On(time.UnixMilli(f.FinishedAt))
	}
	seats, err := f.seats(rated, func(player string) rating.Rating { return b.current(place{f.List, player}, system) })
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	changes, err := system.Update(seats)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	refunded := f.refund(rated, changes)
	rows := make([]Row, len(changes))
	for k, c := range changes {
		i := rated[k]
		rows[k] = f.row(i, system.Name(), c)
		rows[k].Refunded = refunded[k]
		rows[k].FromTournaments = seats[k].Rating.FromTournaments
		if f.Tournament && !refunded[k] {
			rows[k].FromTournaments++
		}
		b.ratings[place{f.List, f.Players[i]}] = rows[k].Rating()
	}
	return rows, nil
}
