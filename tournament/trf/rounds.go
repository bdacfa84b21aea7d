package trf

import "slices"

// NextRound returns the round to be paired: the one after the last in which any player has a game, a forfeit or a
// pairing-allocated bye. An earlier round without players counts.
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

// Held returns how many rounds are over or under way: those before the next one, and the following rounds for which
// every player has a bye on request, since none is left to be paired.
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
