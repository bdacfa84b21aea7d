package ledger

import (
	"fmt"

	"quatuor/rating"
)

// place is the key of a rating: a player in a list.
type place struct{ list, player string }

// book holds current ratings while games are being rated.
type book struct {
	system  rating.System
	ratings map[place]rating.Rating
}

func newBook(system rating.System) *book {
	return &book{system: system, ratings: map[place]rating.Rating{}}
}

// current returns a player's rating in a list, or the system's start.
func (b *book) current(p place) rating.Rating {
	if r, found := b.ratings[p]; found {
		return r
	}
	return b.system.Start()
}

// rate rates one game and returns its rows by seat.
func (b *book) rate(f Finished) ([]Row, error) {
	rated := f.rated()
	seats, err := f.seats(rated, func(player string) rating.Rating { return b.current(place{f.List, player}) })
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	changes, err := b.system.Update(seats)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	rows := make([]Row, len(changes))
	for k, c := range changes {
		i := rated[k]
		rows[k] = f.row(i, b.system.Name(), c)
		b.ratings[place{f.List, f.Players[i]}] = c.After
	}
	return rows, nil
}
