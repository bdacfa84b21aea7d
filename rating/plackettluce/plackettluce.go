// Package plackettluce rates games of any number of sides and players by the Plackett-Luce model (Ruby C. Weng and
// Chih-Jen Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011, algorithm 4): a rating is a mean
// mu (Value) with a deviation sigma. The members of a side share its change by the squares of their sigmas.
package plackettluce

import (
	"fmt"
	"math"
	"slices"

	"quatuor/rating"
)

// The figures of the usual scale.
const (
	mu    = 25.0
	sigma = mu / 3
	beta  = sigma / 2 // deviation of a performance
	kappa = 1e-4      // no variance shrinks by more than this factor
)

// Settings are figures of the system; zero figures mean the defaults.
type Settings struct {
	Mu, Sigma rating.Figure // of players without a rating
	Beta      rating.Figure
	Kappa     rating.Figure
	Tau       rating.Figure // sigma's growth before every game, none unless it is set
}

// System is the Plackett-Luce model.
type System struct{ Settings Settings }

var (
	_ rating.System     = System{}
	_ rating.Forecaster = System{}
)

// Name returns "plackett-luce".
func (System) Name() string { return "plackett-luce" }

// Start returns a mu of 25 and a sigma of 25/3.
func (s System) Start() rating.Rating {
	return rating.Rating{Value: s.Settings.Mu.Or(mu), Deviation: s.Settings.Sigma.Or(sigma)}
}

// side is the seats that win and lose together.
type side struct {
	number, rank int
	mu, variance float64 // sums over its members
	exp          float64 // of mu divided by c
	rest         float64 // sum of exp over this side and those not ranked before it
	tied         float64 // number of sides with this rank
}

// Update rates a game of two or more sides.
func (s System) Update(seats []rating.Seat) ([]rating.Change, error) {
	seats = s.grown(seats)
	sides, err := s.gather(seats)
	if err != nil {
		return nil, err
	}
	changes := make([]rating.Change, len(seats))
	for i := range sides {
		omega, delta := s.step(sides, i)
		for k, seat := range seats {
			if seat.Side != sides[i].number {
				continue
			}
			share := seat.Rating.Deviation * seat.Rating.Deviation / sides[i].variance
			after := seat.Rating
			after.Value += share * omega
			after.Deviation *= math.Sqrt(max(1-share*delta, s.Settings.Kappa.Or(kappa)))
			after.Games++
			changes[k] = rating.Change{Before: seat.Rating, After: after, Delta: share * omega, Exact: share * omega}
		}
	}
	return changes, nil
}

// Forecast returns the model's probabilities: by Luce's axiom that of a side before another does not depend on the
// rest, but for the spread of the whole game.
func (s System) Forecast(sides [][]rating.Rating) [][]float64 {
	tau, all := s.Settings.Tau.Or(0), make([]side, len(sides))
	for i, members := range sides {
		for _, r := range members {
			all[i].mu += r.Value
			all[i].variance += r.Deviation*r.Deviation + tau*tau
		}
	}
	c := s.spread(all)
	p := make([][]float64, len(all))
	for i := range all {
		p[i] = make([]float64, len(all))
		for j := range all {
			if i != j {
				p[i][j] = 1 / (1 + math.Exp((all[j].mu-all[i].mu)/c))
			}
		}
	}
	return p
}

// grown returns the seats with their deviations grown by tau.
func (s System) grown(seats []rating.Seat) []rating.Seat {
	seats = slices.Clone(seats)
	for i := range seats {
		seats[i].Rating.Deviation = math.Hypot(seats[i].Rating.Deviation, s.Settings.Tau.Or(0))
	}
	return seats
}

// gather groups the seats by side in the order of the sides' numbers, and computes what all sides need.
func (s System) gather(seats []rating.Seat) ([]side, error) {
	var sides []side
	for i, seat := range seats {
		r := seat.Rating
		if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) || !(r.Deviation > 0) || math.IsInf(r.Deviation, 0) {
			return nil, fmt.Errorf("%w: seat %d has the rating %v with a deviation of %v", rating.ErrSeats, i+1, r.Value,
				r.Deviation)
		}
		at, found := slices.BinarySearchFunc(sides, seat.Side,
			func(have side, number int) int { return have.number - number })
		if !found {
			sides = slices.Insert(sides, at, side{number: seat.Side, rank: seat.Rank})
		}
		if sides[at].rank != seat.Rank {
			return nil, fmt.Errorf("%w: side %d has ranks %d and %d; a side has one rank", rating.ErrSeats, seat.Side,
				sides[at].rank, seat.Rank)
		}
		sides[at].mu += r.Value
		sides[at].variance += r.Deviation * r.Deviation
	}
	if len(sides) < 2 {
		return nil, fmt.Errorf("%w: %d sides; a rated game has two or more", rating.ErrSeats, len(sides))
	}
	c := s.spread(sides)
	for i := range sides {
		sides[i].exp = math.Exp(sides[i].mu / c)
	}
	for i := range sides {
		for _, other := range sides {
			if other.rank >= sides[i].rank {
				sides[i].rest += other.exp
			}
			if other.rank == sides[i].rank {
				sides[i].tied++
			}
		}
	}
	return sides, nil
}

// spread is c: the deviation of the sum of all performances.
func (s System) spread(sides []side) float64 {
	b := s.Settings.Beta.Or(beta)
	var sum float64
	for _, one := range sides {
		sum += one.variance + b*b
	}
	return math.Sqrt(sum)
}

// step returns the change of a side by the game: of its mean, and of its variance as a share.
func (s System) step(sides []side, own int) (omega, delta float64) {
	self := sides[own]
	for q, other := range sides {
		if other.rank > self.rank {
			continue
		}
		p := self.exp / other.rest
		delta += p * (1 - p) / other.tied
		if q == own {
			omega += (1 - p) / other.tied
		} else {
			omega -= p / other.tied
		}
	}
	c := s.spread(sides)
	gamma := math.Sqrt(self.variance) / c
	return omega * self.variance / c, gamma * delta * self.variance / (c * c)
}
