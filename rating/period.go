package rating

import (
	"fmt"
	"time"
)

// Tally sums up the games of a player in a period. It is all that a system by periods keeps of them.
type Tally struct {
	Games    int     `json:"games,omitzero"`    // that count
	Score    float64 `json:"score,omitzero"`    // made in them
	Expected float64 `json:"expected,omitzero"` // expected in them
	Weight   float64 `json:"weight,omitzero"`   // Glicko-2: their information; FIDE: the sum of the opponents' ratings
	Surplus  float64 `json:"surplus,omitzero"`  // Glicko-2: the weighted score above expectation
}

// Period is the last period that a player played in: the rating at its start, and the games since.
type Period struct {
	Number      int     `json:"number,omitzero"` // Length.Number; 0 without periods
	Value       float64 `json:"value,omitzero"`  // at the start, as are the next five
	Deviation   float64 `json:"deviation,omitzero"`
	Volatility  float64 `json:"volatility,omitzero"`
	Games       int     `json:"games,omitzero"`
	Reached2400 bool    `json:"reached,omitzero"`
	Unrated     bool    `json:"unrated,omitzero"`
	Tally       Tally   `json:"tally,omitzero"`
}

// start returns the rating at the start of the period.
func (p Period) start() Rating {
	return Rating{
		Value: p.Value, Games: p.Games, Reached2400: p.Reached2400, Deviation: p.Deviation, Volatility: p.Volatility,
		Unrated: p.Unrated,
	}
}

// Length is the length of a period: a day, a month, or several months that make up a year.
type Length int

// The lengths of periods: a day, or a number of months.
const (
	Day     Length = -1
	Month   Length = 1
	Quarter Length = 3
	Year    Length = 12
)

const secondsOfDay = 24 * 60 * 60

// Number returns the number of the period of a moment, by the calendar in UTC. Numbers of neighbours differ by 1.
func (l Length) Number(at time.Time) int {
	at = at.UTC()
	if l == Day {
		return int(at.Unix() / secondsOfDay)
	}
	return (at.Year()*12 + int(at.Month()) - 1) / int(l)
}

// Bounds returns the start of a period and the start of the next.
func (l Length) Bounds(number int) (from, to time.Time) {
	if l == Day {
		from = time.Unix(int64(number)*secondsOfDay, 0).UTC()
		return from, from.AddDate(0, 0, 1)
	}
	first := number * int(l)
	return time.Date(first/12, time.Month(first%12+1), 1, 0, 0, 0, 0, time.UTC),
		time.Date((first+int(l))/12, time.Month((first+int(l))%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// Dated is a system with changes that depend on the day of the game.
type Dated interface {
	// On returns the system for games that finish at a moment.
	On(at time.Time) System
}

// Live rates by periods, and shows after every game the effect that the period would have on a rating if it ended then.
// So the changes of a period's games add up to the effect of the period; opponents count with their ratings at its
// start.
type Live struct {
	By     PeriodSystem
	Length Length // a month if 0

	number, year int
}

var (
	_ System = Live{}
	_ Dated  = Live{}
)

// Name returns the name of the system.
func (l Live) Name() string { return l.By.Name() }

// Start returns the rating of a player without rated games.
func (l Live) Start() Rating { return l.By.Start() }

// On returns the system for games of a moment's period.
func (l Live) On(at time.Time) System {
	if l.Length == 0 {
		l.Length = Month
	}
	l.number, l.year = l.Length.Number(at), at.UTC().Year()
	return l
}

// Update rates a game of two.
func (l Live) Update(seats []Seat) ([]Change, error) {
	if len(seats) != 2 || seats[0].Side == seats[1].Side {
		return nil, fmt.Errorf("%w: %d seats; %s rates games of two", ErrSeats, len(seats), l.Name())
	}
	changes := make([]Change, 2)
	for i, own := range seats {
		other := seats[1-i]
		changes[i] = l.change(own.Rating, l.open(other.Rating).start(), Score(own.Rank, other.Rank))
	}
	return changes, nil
}

// open returns a player's period at the moment of the game, without the game.
func (l Live) open(r Rating) Period {
	if r.Period.Number > 0 && r.Period.Number >= l.number {
		return r.Period // a game that finished late belongs to the later period
	}
	before, carried := r.Period, Tally{}
	if r.Unrated {
		carried = before.Tally // results of an unrated player wait until they suffice
	}
	r = l.Opening(r)
	return Period{
		Number: l.number, Value: r.Value, Deviation: r.Deviation, Volatility: r.Volatility, Games: r.Games,
		Reached2400: r.Reached2400, Unrated: r.Unrated, Tally: carried,
	}
}

// Opening returns a rating at the start of the period. The player rests in all periods without games: from the period
// when the player was entered with the rating, or after that of the last game, until this period begins.
func (l Live) Opening(r Rating) Rating {
	switch {
	case r.Period.Number > 0:
		r = l.By.Rest(r, l.number-r.Period.Number-1)
	case r.Since > 0:
		r = l.By.Rest(r, l.number-l.Length.Number(time.UnixMilli(r.Since)))
	}
	r.Period, r.Since = Period{}, 0
	return r
}

// change returns the change of a rating by a further game.
func (l Live) change(before, opponent Rating, score float64) Change {
	p := l.open(before)
	without := l.By.Finish(p.start(), p.Tally, 0, l.year)
	var expected float64
	p.Tally, expected = l.By.Add(p.start(), p.Tally, Result{Opponent: opponent, Score: score})
	made := l.By.Finish(p.start(), p.Tally, 0, l.year)
	after := made.After
	after.Period = p
	return Change{
		Before: before, After: after, Delta: after.Value - before.Value, Exact: made.Exact - without.Exact,
		Expected: expected, Score: score, K: made.K,
	}
}
