// Package seatplan makes fixed plans of rounds at tables for three to five, such as a league evening without standings
// wants: first the fewest meetings again, then for each player every seat equally often.
//
// Plans in which no two meet twice (social golfers) are looked for among those that turn into themselves: players are
// the numbers 0 … m−1 in some classes, and a few fixed points; one round is found by backtracking and the next ones
// follow from it by adding 1 modulo m (a "starter" in the theory of designs: Kirkman's fifteen schoolgirls are m = 7,
// two classes and one fixed point). One that no turning finds is written down. Where none is found, a local search
// makes the fewest meetings it can.
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

// New returns a plan for so many players and rounds at tables of this size; where the number of players is no multiple
// of it, some tables are one smaller, or one larger where that is not enough. Errors wrap tournament.ErrInvalid.
func New(players, rounds, size int) (Plan, error) {
	if size < 3 || size > 5 {
		return nil, tournament.Refuse(tournament.ErrInvalid, "tables are for 3, 4 or 5, not %d", size)
	}
	if players < 3 || players > MaxPlayers {
		return nil, tournament.Refuse(tournament.ErrInvalid, "a plan is for 3 to %d players, not %d", MaxPlayers, players)
	}
	if rounds < 1 || rounds > MaxRounds {
		return nil, tournament.Refuse(tournament.ErrInvalid, "a plan has 1 to %d rounds, not %d", MaxRounds, rounds)
	}
	sizes := split(players, size)
	if sizes == nil {
		return nil, tournament.Refuse(tournament.ErrInvalid, "%d players cannot be seated at tables of 3 to 5", players)
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

// others returns so many sizes other than one with a sum; nil if impossible.
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
