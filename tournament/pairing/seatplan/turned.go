package seatplan

import "slices"

// Bounds of the search for a starter: steps of an attempt, and attempts.
const (
	attemptSteps = 100_000
	attempts     = 20
)

// turned returns a cyclic plan without a second meeting, made by turning a few rounds, or nil.
func turned(players, rounds int, sizes []int) Plan {
	pairs := 0
	for _, s := range sizes {
		pairs += s * (s - 1) / 2
	}
	if rounds*pairs > players*(players-1)/2 {
		return nil
	}
	for starters := 1; starters <= rounds; starters++ {
		for extra := range 3 {
			period := (rounds+starters-1)/starters + extra
			if period > players || starters > 3 && starters < rounds || extra > 0 && period == 1 {
				continue
			}
			s := starter{players: players, period: period, rounds: starters, sizes: sizes}
			if plan := s.find(rounds); plan != nil {
				return plan
			}
		}
	}
	return nil
}

// starter is a search for rounds with pairs that are all different when they are turned around. Player p below
// classes·period is number p mod period of class p / period; the others are fixed points.
type starter struct {
	players, period, rounds int
	sizes                   []int
	classes                 int
	orbits                  []int  // of each pair, as orbit numbers them
	used                    []bool // orbits of pairs
	order                   []int  // of trying players
	free                    []bool
	tables                  [][]int // of all starters
	steps                   int
}

// find returns the plan, or nil.
func (s *starter) find(rounds int) Plan {
	s.classes = s.players / s.period
	groups := s.classes + s.players - s.classes*s.period
	s.orbits = make([]int, 0, s.players*s.players)
	for a := range s.players {
		for b := range s.players {
			s.orbits = append(s.orbits, s.orbit(a, b))
		}
	}
	dice := uint64(0x2545F4914F6CDD1D)
	for range attempts {
		s.used = make([]bool, groups*groups*s.period)
		s.order = make([]int, s.players)
		for i := range s.order {
			s.order[i] = i
		}
		for i := s.players - 1; i > 0; i-- { // another order in every attempt, the same in every run
			dice ^= dice << 13
			dice ^= dice >> 7
			dice ^= dice << 17
			j := int(dice % uint64(i+1))
			s.order[i], s.order[j] = s.order[j], s.order[i]
		}
		slices.SortStableFunc(s.order, func(a, b int) int { return s.fixed(b) - s.fixed(a) })
		s.steps, s.tables = 0, nil
		s.free = slices.Repeat([]bool{true}, s.players)
		if s.place(make([]int, 0, s.players*s.rounds), 0) {
			return s.turn(rounds)
		}
		if s.steps < attemptSteps { // all ways have been tried
			return nil
		}
	}
	return nil
}

// fixed returns 1 for fixed points, which are seated first.
func (s *starter) fixed(p int) int {
	if p >= s.classes*s.period {
		return 1
	}
	return 0
}

// orbit returns the number of a pair up to turning; −1 if turning would bring it back too early.
func (s *starter) orbit(a, b int) int {
	groups := s.classes + s.players - s.classes*s.period
	ga, gb, turn := s.group(a), s.group(b), 0
	switch {
	case ga > gb:
		return s.orbit(b, a)
	case s.fixed(a)+s.fixed(b) == 2:
		if s.period > 1 {
			return -1
		}
	case s.fixed(b) == 1:
	default:
		turn = (b%s.period - a%s.period + s.period) % s.period
		if ga == gb {
			turn = min(turn, s.period-turn)
			if 2*turn == s.period {
				return -1
			}
		}
	}
	return (ga*groups+gb)*s.period + turn
}

// group returns the class of a player; a fixed point is alone.
func (s *starter) group(p int) int {
	if s.fixed(p) == 1 {
		return s.classes + p - s.classes*s.period
	}
	return p / s.period
}

// place continues a table with the players from this place in the order, and reports whether all starters could be
// completed. The tables follow each other in a single array, as the search makes and drops millions.
func (s *starter) place(table []int, from int) bool {
	perRound := len(s.sizes)
	if len(s.tables) == perRound*s.rounds {
		return true
	}
	s.steps++
	if s.steps >= attemptSteps {
		return false
	}
	size := s.sizes[len(s.tables)%perRound]
	if len(table) == size {
		s.tables = append(s.tables, table)
		free := s.free
		if len(s.tables)%perRound == 0 {
			s.free = slices.Repeat([]bool{true}, s.players)
		}
		if s.place(table[size:size], 0) {
			return true
		}
		s.tables, s.free = s.tables[:len(s.tables)-1], free
		return false
	}
	for i := from; i < s.players; i++ {
		p := s.order[i]
		if !s.free[p] {
			continue
		}
		if s.take(table, p) {
			s.free[p] = false
			if s.place(append(table, p), i+1) {
				return true
			}
			s.free[p] = true
			s.release(table, p)
		}
		if len(table) == 0 && s.uniform() {
			return false // the first free player is at the next table
		}
	}
	return false
}

// uniform reports whether all tables have the same size.
func (s *starter) uniform() bool { return slices.Min(s.sizes) == slices.Max(s.sizes) }

// take marks the pairs of a player with those at a table; nothing if any of them has been used.
func (s *starter) take(table []int, p int) bool {
	orbits := s.orbits[p*s.players:]
	for k, q := range table {
		if id := orbits[q]; id < 0 || s.used[id] {
			s.release(table[:k], p)
			return false
		}
		s.used[orbits[q]] = true
	}
	return true
}

// release unmarks the pairs of a player with those at a table.
func (s *starter) release(table []int, p int) {
	for _, q := range table {
		s.used[s.orbits[p*s.players+q]] = false
	}
}

// turn returns the rounds.
func (s *starter) turn(rounds int) Plan {
	var plan Plan
	for by := range s.period {
		for r := range s.rounds {
			var round [][]int
			for _, t := range s.tables[r*len(s.sizes) : (r+1)*len(s.sizes)] {
				turned := make([]int, len(t))
				for k, p := range t {
					turned[k] = p + 1
					if s.fixed(p) == 0 {
						turned[k] = p/s.period*s.period + (p+by)%s.period + 1
					}
				}
				round = append(round, turned)
			}
			plan = append(plan, round)
			if len(plan) == rounds {
				return plan
			}
		}
	}
	return plan
}
