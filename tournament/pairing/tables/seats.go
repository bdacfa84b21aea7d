package tables

import "slices"

// seat returns the table in the order of seats: least often had this seat before; then least often these neighbours in
// the order of play; then the lower-ranked first.
func (p *problem) seat(table []int) []int {
	t := slices.Sorted(slices.Values(table))
	var best []int
	var bestHad, bestBefore int32
	for order := range permutations(t) {
		if p.rotated && !p.sideBySide(t, order) {
			continue
		}
		had, before := p.seatCost(order)
		if best == nil || had < bestHad || had == bestHad && (before < bestBefore ||
			before == bestBefore && slices.Compare(order, best) > 0) {
			best, bestHad, bestBefore = slices.Clone(order), had, before
		}
	}
	return best
}

// seatCost returns how often those at a table had their seats, and their neighbours, before.
func (p *problem) seatCost(order []int) (had, before int32) {
	for k, i := range order {
		had += p.had[p.seated[i]][k+1]
		before += p.before[p.seated[i]][p.seated[order[(k+1)%len(order)]]]
	}
	return had, before
}

// sideBySide reports whether the partners of a table have the seats of a side.
func (p *problem) sideBySide(t, order []int) bool {
	way, _ := p.bestWay(t)
	for _, side := range p.Sides {
		a, b := order[side[0]-1], order[side[1]-1]
		first, second := slices.Index(way[:], a), slices.Index(way[:], b)
		if first/2 != second/2 {
			return false
		}
	}
	return true
}

// permutations returns all orders of a slice; each is valid until the next.
func permutations(of []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		order := slices.Clone(of)
		var walk func(k int) bool
		walk = func(k int) bool {
			if k == len(order) {
				return yield(order)
			}
			for l := k; l < len(order); l++ {
				order[k], order[l] = order[l], order[k]
				if !walk(k + 1) {
					return false
				}
				order[k], order[l] = order[l], order[k]
			}
			return true
		}
		walk(0)
	}
}
