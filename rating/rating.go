// Package rating defines ratings and the interface of rating systems, which rate finished games.
//
// It knows neither games nor tournaments: a game is a set of seats, each with a rating, a side and a rank. Package
// ledger decides on the games that count, their lists and their order; the systems in the packages below decide how
// much they count.
package rating

import "errors"

// ErrSeats means that a game cannot be rated: fewer than two sides, or ranks that differ within a side.
var ErrSeats = errors.New("seats")

// Rating is a player's rating in a list.
type Rating struct {
	Value           float64 // in the system's points, unrounded; mu where the system has a mu
	Games           int     // rated games so far
	FromTournaments int     // rated games from tournaments; counted by the ledger, not by systems
	Reached2400     bool    // 2400 was reached at some time, though the value may be lower by now

	Deviation  float64 // rating deviation (RD, sigma), 0 in systems without it
	Volatility float64 // 0 in systems without it
	Unrated    bool    // no rating yet, in systems that begin with an initial rating; Value means nothing then
	Period     Period  // the period of the last game, in systems that rate by periods
	// when the player was entered with it, in milliseconds since 1970, UTC; 0 after a game, or if unknown
	Since int64
}

// Seat is a place of a finished game, as a rating system sees it.
type Seat struct {
	Rating Rating // before the game
	Side   int    // seats with equal sides win and lose together
	Rank   int    // 1 is best; equal ranks share a place; the same for all seats of a side
}

// Change is the effect of a game on a seat's rating.
type Change struct {
	Before, After Rating
	Delta         float64 // After.Value − Before.Value: the number that was added, before floats round the sum
	// Exact is the change without any rounding, floor or maximum; it is positive for a gain. For an unrated player it is
	// the change of the provisional rating from the results so far.
	Exact    float64
	Expected float64 // expected score per opposing side, 0 to 1
	Score    float64 // score made per opposing side, 0 to 1
	K        float64 // worth of a full point above expectation
}

// System computes the changes of ratings by the result of a game. Implementations are values without state and
// deterministic to the last digit.
type System interface {
	// Name returns the name of the system and its mode in stored rows, for example "elo-club".
	Name() string
	// Start returns the rating of a player without rated games.
	Start() Rating
	// Update rates a game and returns a change per seat, in the order of the seats. It returns ErrSeats for a game that
	// cannot be rated.
	Update(seats []Seat) ([]Change, error)
}

// Result is a game of a period from a player's side: the opponent as rated at the start of the period, and the score, 0
// to 1.
type Result struct {
	Opponent Rating
	Score    float64
}

// Member is a player in a period that is closed.
type Member struct {
	Rating  Rating   // at the start of the period
	Born    int      // year, 0 if unknown
	Results []Result // of the period; of a player without rating, of the earlier periods as well
}

// PeriodSystem computes changes of ratings by all games of a period at once, from the ratings at its start.
// Implementations are values without state and deterministic to the last digit. Close is Add for each result and then
// Finish.
type PeriodSystem interface {
	// Name returns the name of the system and its mode, for example "elo-fide".
	Name() string
	// Start returns the rating of a player without rated games.
	Start() Rating
	// Close returns the change of a player's rating by a period. Expected and Score are sums over the rated games. year
	// is that of the period's end, 0 if unknown.
	Close(m Member, year int) Change
	// Add returns the sums of a period with a further result, and its expected score.
	Add(start Rating, t Tally, r Result) (sums Tally, expected float64)
	// Finish returns the change of a rating by the games of a period.
	Finish(start Rating, t Tally, born, year int) Change
	// Rest returns a rating after a number of periods without games.
	Rest(r Rating, periods int) Rating
}

// Forecaster is a system that predicts results.
type Forecaster interface {
	// Forecast returns the probability, 0 to 1, that the side of a row is ranked before the side of a column, from the
	// ratings of their members before the game. Ties are left out: for two sides both ways add up to 1.
	Forecast(sides [][]Rating) [][]float64
}

// Pairwise returns the forecast of a system that compares two sides at a time.
func Pairwise(sides [][]Rating, before func(a, b []Rating) float64) [][]float64 {
	p := make([][]float64, len(sides))
	for i := range sides {
		p[i] = make([]float64, len(sides))
		for j := range sides {
			if i != j {
				p[i][j] = before(sides[i], sides[j])
			}
		}
	}
	return p
}

// Score returns the score of a rank against another: 1 for a better rank, 0.5 for the same.
func Score(own, other int) float64 {
	switch {
	case own < other:
		return 1
	case own == other:
		return 0.5
	default:
		return 0
	}
}

// Figure is an optional figure of a rating system; the zero value is unset. A figure that is set to 0 is 0.
type Figure struct {
	value float64
	set   bool
}

// Set returns a figure with a value.
func Set(value float64) Figure { return Figure{value, true} }

// Value returns the value, and whether it was set.
func (f Figure) Value() (value float64, set bool) { return f.value, f.set }

// Or returns the value that was set, or else the system's own.
func (f Figure) Or(own float64) float64 {
	if f.set {
		return f.value
	}
	return own
}
