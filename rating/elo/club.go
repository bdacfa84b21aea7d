// Package elo rates games by Elo's method in club mode: after every game, without rounding.
//
// For two sides of strength a and b, with d = a − b limited to ±400, the expected score of the first is E = 1 / (1 +
// 10^(−d/400)). With n sides each is compared with each other: S is 1 against a side of worse rank, ½ against equal
// rank and 0 against better rank, and the side changes by K / (n − 1) · Σ (S − E). The strength of a side is the mean
// of its members' ratings, its K the mean of theirs, and every member changes by the change of the side.
//
// A player starts at 1500. K depends on the player's record before the game:
//
//	2400 was reached at some time     10, for good
//	else fewer than 30 rated games    40
//	else                              20
//
// so that the first 30 games count with K 40 and the 31st is the first with K 20, unless 2400 comes earlier. A rating
// that is 2400 or more counts as having reached it, even if no game brought it there.
package elo

import (
	"fmt"
	"math"
	"slices"

	"quatuor/rating"
)

// The figures of club mode.
const (
	start       = 1500
	span        = 400 // a difference of this much means ten times the odds; larger differences count as this
	master      = 2400
	apprentice  = 30 // games
	kApprentice = 40
	kUsual      = 20
	kMaster     = 10
)

// Settings are figures of a mode; zero figures mean the mode's own.
type Settings struct {
	Start rating.Figure // of players without a rating
	Cap   rating.Figure // larger differences count as this
	K     rating.Figure // for all players, instead of the rules
	Floor rating.Figure // no rating falls below it
}

// Club is Elo in club mode, for any number of sides of any size.
type Club struct{ Settings Settings }

var (
	_ rating.System     = Club{}
	_ rating.Forecaster = Club{}
)

// Name returns "elo-club".
func (Club) Name() string { return "elo-club" }

// Start returns 1500 without games, or the configured rating.
func (c Club) Start() rating.Rating { return rating.Rating{Value: c.Settings.Start.Or(start)} }

// expected returns the expected score, 0 to 1, of a side rated d points above the other; differences beyond limit count
// as limit. Those of d and −d add up to exactly 1.
func expected(d, limit float64) float64 {
	if d < 0 {
		return 1 - expected(-d, limit)
	}
	return 1 / (1 + math.Pow(10, -min(d, limit)/span))
}

// K returns the K-factor of a player's next game.
func K(r rating.Rating) float64 {
	switch {
	case r.Reached2400 || r.Value >= master:
		return kMaster
	case r.Games < apprentice:
		return kApprentice
	default:
		return kUsual
	}
}

// k returns the configured K, or [K].
func (c Club) k(r rating.Rating) float64 { return c.Settings.K.Or(K(r)) }

// side is the seats that win and lose together.
type side struct {
	number, rank, members int
	strength, k           float64 // means; sums while gather adds members
}

// Update rates a game of two or more sides.
func (c Club) Update(seats []rating.Seat) ([]rating.Change, error) {
	sides, err := c.gather(seats)
	if err != nil {
		return nil, err
	}
	changes := make([]rating.Change, len(seats))
	for _, own := range sides {
		change := own.against(sides, c.Settings.Cap.Or(span))
		for i, s := range seats {
			if s.Side == own.number {
				changes[i] = c.apply(change, s.Rating)
			}
		}
	}
	return changes, nil
}

// gather groups the seats by side, in ascending order of the sides' numbers, so that sums are always added in the
// same order.
func (c Club) gather(seats []rating.Seat) ([]side, error) {
	var sides []side
	for i, s := range seats {
		if math.IsNaN(s.Rating.Value) || math.IsInf(s.Rating.Value, 0) {
			return nil, fmt.Errorf("%w: seat %d has the rating %v; it must be a number", rating.ErrSeats, i+1, s.Rating.Value)
		}
		at, found := slices.BinarySearchFunc(sides, s.Side, func(have side, number int) int { return have.number - number })
		if !found {
			sides = slices.Insert(sides, at, side{number: s.Side, rank: s.Rank})
		}
		own := &sides[at]
		if own.rank != s.Rank {
			return nil, fmt.Errorf("%w: side %d has ranks %d and %d; a side has one rank", rating.ErrSeats, s.Side, own.rank,
				s.Rank)
		}
		own.members++
		own.strength += s.Rating.Value
		own.k += c.k(s.Rating)
	}
	if len(sides) < 2 {
		return nil, fmt.Errorf("%w: %d sides; a rated game has two or more", rating.ErrSeats, len(sides))
	}
	for i := range sides {
		sides[i].strength /= float64(sides[i].members)
		sides[i].k /= float64(sides[i].members)
	}
	return sides, nil
}

// against returns the change of a side by its comparison with all others. Differences beyond limit count as limit.
func (own side) against(sides []side, limit float64) rating.Change {
	var score, hoped, surplus float64
	for _, other := range sides {
		if other.number == own.number {
			continue
		}
		s, e := rating.Score(own.rank, other.rank), expected(own.strength-other.strength, limit)
		score += s
		hoped += e
		surplus += s - e
	}
	others := float64(len(sides) - 1)
	return rating.Change{
		Delta:    float64(own.k / others * surplus), // the conversion keeps processors from fusing it with a later sum
		Expected: hoped / others,
		Score:    score / others,
		K:        own.k,
	}
}

// apply returns a side's change as that of a member.
func (c Club) apply(change rating.Change, before rating.Rating) rating.Change {
	change.Exact = change.Delta
	value := before.Value + change.Delta
	if floor := c.Settings.Floor.Or(math.Inf(-1)); value < floor {
		value, change.Delta = floor, floor-before.Value
	}
	change.Before = before
	change.After = rating.Rating{
		Value:       value,
		Games:       before.Games + 1,
		Reached2400: before.Reached2400 || before.Value >= master || value >= master,
	}
	return change
}

// Forecast returns the expected scores; a side is as strong as the mean of its members.
func (c Club) Forecast(sides [][]rating.Rating) [][]float64 {
	return rating.Pairwise(sides, func(a, b []rating.Rating) float64 {
		return expected(strength(a)-strength(b), c.Settings.Cap.Or(span))
	})
}

// strength returns the mean of a side's ratings.
func strength(side []rating.Rating) float64 {
	var sum float64
	for _, r := range side {
		sum += r.Value
	}
	return sum / float64(len(side))
}
