// Package glicko2 rates with Glicko-2 (Mark E. Glickman, "Example of the Glicko-2 system", 2012): a rating, its
// deviation and a volatility, updated by periods or after every game.
package glicko2

import (
	"fmt"
	"math"

	"quatuor/rating"
)

// The figures of the paper.
const (
	start      = 1500
	deviation  = 350
	volatility = 0.06
	tau        = 0.5
	scale      = 173.7178 // points of the usual scale for a point of Glicko-2's
	precision  = 1e-6     // of the logarithm of the volatility's square
)

// Settings are figures of the system; zero figures mean those of the paper.
type Settings struct {
	Start rating.Figure // of players without a rating
	Tau   rating.Figure // limits the change of volatilities
}

// Games is Glicko-2 after every game: each game is a period of its own for its players.
type Games struct{ Settings Settings }

// Periods is Glicko-2 by periods.
type Periods struct{ Settings Settings }

var (
	_ rating.System       = Games{}
	_ rating.PeriodSystem = Periods{}
)

// Name returns "glicko2".
func (Games) Name() string { return "glicko2" }

// Name returns "glicko2-period".
func (Periods) Name() string { return "glicko2-period" }

// Start returns 1500 with a deviation of 350 and a volatility of 0.06.
func (s Games) Start() rating.Rating { return s.Settings.start() }

// Start returns 1500 with a deviation of 350 and a volatility of 0.06.
func (s Periods) Start() rating.Rating { return s.Settings.start() }

func (s Settings) start() rating.Rating {
	return rating.Rating{Value: s.Start.Or(start), Deviation: deviation, Volatility: volatility}
}

// Update rates a game of two.
func (s Games) Update(seats []rating.Seat) ([]rating.Change, error) {
	if len(seats) != 2 || seats[0].Side == seats[1].Side {
		return nil, fmt.Errorf("%w: %d seats; Glicko-2 rates games of two", rating.ErrSeats, len(seats))
	}
	changes := make([]rating.Change, 2)
	for i, own := range seats {
		other := seats[1-i]
		changes[i] = s.Settings.change(own.Rating, []rating.Result{{
			Opponent: other.Rating,
			Score:    rating.Score(own.Rank, other.Rank),
		}})
	}
	return changes, nil
}

// Close rates a period. Without games the deviation grows as by Rest.
func (s Periods) Close(m rating.Member, _ int) rating.Change {
	return s.Settings.change(m.Rating, m.Results)
}

// Add counts a further game of a period.
func (Periods) Add(start rating.Rating, t rating.Tally, r rating.Result) (rating.Tally, float64) {
	return add(start, t, r)
}

// Finish returns the change of a rating by the games of a period.
func (s Periods) Finish(start rating.Rating, t rating.Tally, _, _ int) rating.Change {
	return s.Settings.finish(start, t)
}

// Rest returns a rating after periods without games: with each its deviation has grown by the volatility, up to that of
// a player without a rating. A greater deviation stays.
func (Periods) Rest(r rating.Rating, periods int) rating.Rating {
	for ; periods > 0 && r.Deviation < deviation; periods-- {
		grown := scale * math.Hypot(r.Deviation/scale, r.Volatility)
		if grown <= r.Deviation {
			break
		}
		r.Deviation = min(deviation, grown)
	}
	return r
}

// Forecast returns the expected scores. A side has a single member.
func (Games) Forecast(sides [][]rating.Rating) [][]float64 { return rating.Pairwise(sides, before) }

// Forecast returns the expected scores. A side has a single member.
func (Periods) Forecast(sides [][]rating.Rating) [][]float64 { return rating.Pairwise(sides, before) }

// before returns the expected score of a against b, where both ratings are uncertain (Glickman, "Parameter estimation
// in large dynamic paired comparison experiments", 1999, section 3.4).
func before(a, b []rating.Rating) float64 {
	g := weight(math.Hypot(a[0].Deviation, b[0].Deviation) / scale)
	return 1 / (1 + math.Exp(-g*(a[0].Value-b[0].Value)/scale))
}

// change is steps 2 to 8 of the paper.
func (s Settings) change(own rating.Rating, results []rating.Result) rating.Change {
	var t rating.Tally
	for _, r := range results {
		t, _ = add(own, t, r)
	}
	return s.finish(own, t)
}

// add sums up steps 3 and 4, and returns the expected score.
func add(own rating.Rating, t rating.Tally, r rating.Result) (rating.Tally, float64) {
	g := weight(r.Opponent.Deviation / scale)
	e := 1 / (1 + math.Exp(-g*(own.Value-r.Opponent.Value)/scale))
	t.Games++
	t.Weight += float64(g * g * e * (1 - e)) // the conversions keep processors from fusing products with sums
	t.Surplus += float64(g * (r.Score - e))
	t.Expected += e
	t.Score += r.Score
	return t, e
}

// finish is steps 5 to 8.
func (s Settings) finish(own rating.Rating, t rating.Tally) rating.Change {
	c := rating.Change{Before: own, After: own, Expected: t.Expected, Score: t.Score}
	if t.Games == 0 {
		c.After = Periods{}.Rest(own, 1)
		return c
	}
	phi, sigma := own.Deviation/scale, own.Volatility
	v := 1 / t.Weight
	sigma = volatilityAfter(sigma, phi, v, v*t.Surplus, s.Tau.Or(tau))
	before := math.Hypot(phi, sigma)
	phi = 1 / math.Sqrt(1/(before*before)+1/v)
	c.Delta = scale * phi * phi * t.Surplus
	c.Exact = c.Delta
	c.After.Value = own.Value + c.Delta
	c.After.Deviation, c.After.Volatility = scale*phi, sigma
	c.After.Games += t.Games
	return c
}

// weight is g(phi): the information of a game against an opponent with deviation phi.
func weight(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// volatilityAfter is step 5 of the paper: the Illinois method finds the root of f.
func volatilityAfter(sigma, phi, v, delta, tau float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low := a
	var high float64
	if square := delta*delta - phi*phi - v; square > 0 {
		high = math.Log(square)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	atLow, atHigh := f(low), f(high)
	for range 200 { // it takes about ten; the bound is for figures that no game leads to
		if math.Abs(high-low) <= precision {
			break
		}
		middle := low + (low-high)*atLow/(atHigh-atLow)
		at := f(middle)
		if at*atHigh <= 0 {
			low, atLow = high, atHigh
		} else {
			atLow /= 2
		}
		high, atHigh = middle, at
	}
	return math.Exp(low / 2)
}
