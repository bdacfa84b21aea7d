// Package seatplan makes fixed plans of rounds at tables for three to five, for a league evening without standings:
// first the fewest meetings again, then for each player every seat equally often.
//
// Plans without a second meeting (social golfers) are searched among the cyclic plans: players are the numbers 0 … m−1
// in some classes, and a few fixed points; backtracking finds a first round, and the next rounds follow from it by
// adding 1 modulo m (a "starter" in the theory of designs: Kirkman's fifteen schoolgirls are m = 7, two classes and a
// fixed point). A known plan that is not cyclic is written down. Where none is found, a local search makes the fewest
// meetings it can.
package seatplan

import (
	"slices"

	"quatuor/tournament"
)

// Limits of a plan.
const (
	MaxPlayers = 100
	MaxRounds  = 40
)

// Plan is a plan: for each round its tables, for each table the players 1 … n in the order of seats.
type Plan [][][]int

// New returns a plan for these numbers of players and rounds at tables of this size. Where the number of players is no
// multiple of it, some tables have a place less, or a place more where that is not enough. Errors wrap
// tournament.ErrInvalid.
func New(players, rounds, size int) (Plan, error) {
	if size < 3 || size > 5 {
		return nil, tournament.NotValid("tables are for 3, 4 or 5, not %d", size)
	}
	if players < 3 || players > MaxPlayers {
		return nil, tournament.NotValid("a plan is for 3 to %d players, not %d", MaxPlayers, players)
	}
	if rounds < 1 || rounds > MaxRounds {
		return nil, tournament.NotValid("a plan has 1 to %d rounds, not %d", MaxRounds, rounds)
	}
	sizes := split(players, size)
	if sizes == nil {
		return nil, tournament.NotValid("%d players cannot be seated at tables of 3 to 5", players)
	}
	plan := unrepeated(players, rounds, sizes)
	if plan == nil {
		plan = searched(players, rounds, sizes)
	}
	plan.seat(players)
	return plan, nil
}

// split returns the sizes of the tables: most of the size wanted, then fewest tables; nil if impossible.
func split(players, size int) []int {
	for k := players / size; k >= 0; k-- {
		for tables := k; tables <= k+players/3; tables++ {
			if sizes := others(players-k*size, tables-k, size); sizes != nil {
				return append(slices.Repeat([]int{size}, k), sizes...)
			}
		}
	}
	return nil
}

// others returns the sizes of this many tables with a sum, all different from not; nil if impossible.
func others(sum, tables, not int) []int {
	if tables == 0 && sum == 0 {
		return []int{}
	}
	if tables <= 0 {
		return nil
	}
	for s := 5; s >= 3; s-- {
		if s != not && s <= sum {
			if rest := others(sum-s, tables-1, not); rest != nil {
				return append([]int{s}, rest...)
			}
		}
	}
	return nil
}

// Again returns the number of meetings again: each time that two meet after the first time.
func (p Plan) Again() int {
	met, again := map[[2]int]bool{}, 0
	for _, round := range p {
		for _, t := range round {
			for k, a := range t {
				for _, b := range t[:k] {
					pair := [2]int{min(a, b), max(a, b)}
					if met[pair] {
						again++
					}
					met[pair] = true
				}
			}
		}
	}
	return again
}
