package systems

import (
	"fmt"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// casual are the limits for rating games outside tournaments; 0 sets no limit.
type casual struct {
	day, month int // games of a pair that count
	moves      int // of each seat before a resignation or agreement
}

// usual is the default: enough for an evening among friends, and too little to farm a rating.
var usual = casual{day: 3, month: 10, moves: 4}

// casualEntry is casual in its form of the file; missing members have their defaults.
type casualEntry struct {
	PairDay   *int `json:"pair_day,omitempty"`
	PairMonth *int `json:"pair_month,omitempty"`
	Moves     *int `json:"moves,omitempty"`
}

// maxMoves is the greatest number of moves that can be demanded.
const maxMoves = 1000

func (l *casualEntry) check() (casual, error) {
	c := usual
	if l == nil {
		return c, nil
	}
	for _, one := range []struct {
		name string
		from *int
		to   *int
		most int
	}{
		{"pair_day", l.PairDay, &c.day, maxGames},
		{"pair_month", l.PairMonth, &c.month, maxGames},
		{"moves", l.Moves, &c.moves, maxMoves},
	} {
		if one.from == nil {
			continue
		}
		if *one.from < 0 || *one.from > one.most {
			return c, fmt.Errorf("%q of \"casual\" must be 1 to %d, or 0 for no limit", one.name, one.most)
		}
		*one.to = *one.from
	}
	return c, nil
}

// apply adds the limits to the rules of a list. Default limits do not appear in the text of the rules: games before the
// limits existed are exempt, so stored ratings follow the new rules as well.
func (c casual) apply(r *ledger.Rules) {
	for _, l := range []ledger.PairLimit{
		{Games: c.day, Period: rating.Day, Casual: true},
		{Games: c.month, Period: rating.Month, Casual: true},
	} {
		if l.Games > 0 {
			r.Limits = append(r.Limits, l)
		}
	}
	r.MinMoves = c.moves
	if c != usual {
		r.Text += fmt.Sprintf("; casual games: %s a day and %s a month between two players, %s before a resignation or "+
			"agreement", atMost(c.day), atMost(c.month), atLeast(c.moves))
	}
}

func atMost(n int) string {
	if n == 0 {
		return "any number"
	}
	return fmt.Sprintf("at most %d", n)
}

func atLeast(moves int) string {
	if moves == 0 {
		return "any number of moves"
	}
	return fmt.Sprintf("at least %d moves of each player", moves)
}
