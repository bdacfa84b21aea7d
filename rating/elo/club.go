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
	span        = 400 // a difference of this much means ten times the odds; further ones count as this one
	master      = 2400
	apprentice  = 30 // games
	kApprentice = 40
	kUsual      = 20
	kMaster     = 10
)

// Club is Elo in club mode, for any number of sides of any size.
type Club struct{}

var _ rating.System = Club{}

// Name returns "elo-club".
func (Club) Name() string { return "elo-club" }

// Start returns 1500 without games.
func (Club) Start() rating.Rating { return rating.Rating{Value: start} }

// Expected returns the expected score, 0 to 1, of a side rated d points above the other; differences beyond 400
// points count as 400. Expected(d) and Expected(−d) add up to exactly 1.
func Expected(d float64) float64 {
	if d < 0 {
		return 1 - Expected(-d)
	}
	return 1 / (1 + math.Pow(10, -min(d, span)/span))
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

// side is the seats that win and lose together.
type side struct {
	number, rank, members int
	strength, k           float64 // means; sums while gather adds members
}

// Update rates one game of two or more sides.
func (Club) Update(seats []rating.Seat) ([]rating.Change, error) {
	sides, err := gather(seats)
	if err != nil {
		return nil, err
	}
	changes := make([]rating.Change, len(seats))
	for _, own := range sides {
		c := own.against(sides)
		for i, s := range seats {
			if s.Side == own.number {
				changes[i] = apply(c, s.Rating)
			}
		}
	}
	return changes, nil
}

// gather groups the seats by side, in ascending order of the sides' numbers, so that sums are always added in the
// same order.
func gather(seats []rating.Seat) ([]side, error) {
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
			return nil, fmt.Errorf("%w: side %d has ranks %d and %d; a side has one rank", rating.ErrSeats, s.Side, own.rank, s.Rank)
		}
		own.members++
		own.strength += s.Rating.Value
		own.k += K(s.Rating)
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

// against returns the change of a side by its comparison with all others.
func (own side) against(sides []side) rating.Change {
	var score, expected, surplus float64
	for _, other := range sides {
		if other.number == own.number {
			continue
		}
		s, e := points(own.rank, other.rank), Expected(own.strength-other.strength)
		score += s
		expected += e
		surplus += s - e
	}
	others := float64(len(sides) - 1)
	return rating.Change{
		Delta:    float64(own.k / others * surplus), // the conversion keeps processors from fusing it with a later sum
		Expected: expected / others,
		Score:    score / others,
		K:        own.k,
	}
}

// apply returns a side's change as that of one of its members.
func apply(c rating.Change, before rating.Rating) rating.Change {
	value := before.Value + c.Delta
	c.Before = before
	c.After = rating.Rating{
		Value:       value,
		Games:       before.Games + 1,
		Reached2400: before.Reached2400 || before.Value >= master || value >= master,
	}
	return c
}

// points returns the score of one rank against another.
func points(own, other int) float64 {
	switch {
	case own < other:
		return 1
	case own == other:
		return 0.5
	default:
		return 0
	}
}
