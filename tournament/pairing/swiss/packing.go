package swiss

import "quatuor/tournament/pairing/matching"

// packing encodes the levels of the criteria as digits in the words of a cost vector.
type packing struct {
	levels []level
	digits matching.Packing
}

func pack(levels []level) packing {
	totals := make([]int64, len(levels))
	for i, l := range levels {
		totals[i] = l.max
	}
	return packing{levels, matching.NewPacking(totals)}
}

// cost returns the cost vector of an edge.
func (p packing) cost(a, b kind) []int64 {
	if a.place > b.place {
		a, b = b, a
	}
	return p.digits.Pack(func(place int) int64 { return p.levels[place].cost(a, b) })
}

// totals decodes the sum of a whole pairing into the totals of its levels.
func (p packing) totals(sum []int64) []int64 { return p.digits.Totals(sum) }

// table returns the costs of all pairs of kinds.
func (p packing) table(kinds []kind) *matching.Costs {
	costs := matching.NewCosts(len(kinds), p.digits.Words())
	for a := range kinds {
		for b := range a + 1 {
			costs.Set(a, b, p.cost(kinds[a], kinds[b]))
		}
	}
	return costs
}
