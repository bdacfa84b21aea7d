package trf

import "slices"

// NextRound returns the round to be paired: the round after the last game, forfeit or pairing-allocated bye of any
// player. An earlier round without players counts.
func (r *Report) NextRound() int {
	last := 0
	for i := range r.Players {
		for round, c := range r.Players[i].Cells {
			if c.Opponent > 0 || c.Result.isForfeit() || c.Result == Allocated {
				last = max(last, round+1)
			}
		}
	}
	return last + 1
}

// Held returns how many rounds are over or under way: those before the next round, and the following rounds with every
// player on a requested bye, since none is left to be paired.
func (r *Report) Held() int {
	round := r.NextRound()
	for r.Vacant(round) {
		round++
	}
	return round - 1
}

// Vacant reports whether every player has a bye on request in a round.
func (r *Report) Vacant(round int) bool {
	return len(r.Players) > 0 && !slices.ContainsFunc(r.Players, func(p Player) bool {
		c := p.Cell(round)
		return !c.Result.isBye() || c.Result == Allocated
	})
}
