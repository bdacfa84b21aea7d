package swiss

import "quatuor/tournament/pairing/matching"

// packing encodes the levels of the criteria as digits in the words of a cost vector (a mixed-radix number),
// several to a word, so that a smaller total of a more important level outweighs all levels after it.
type packing struct {
	levels []level
	word   []int
	unit   []int64
	words  int
}

// fullWord is the greatest product of digits in a word; it leaves room for the sums and multiples of costs that
// the matching forms.
const fullWord = 1 << 56

func pack(levels []level) packing {
	p := packing{levels: levels, word: make([]int, len(levels)), unit: make([]int64, len(levels))}
	unit, back := int64(1), 0 // words are counted from the least important first
	for i := len(levels) - 1; i >= 0; i-- {
		if unit > fullWord/(levels[i].max+1) {
			unit, back = 1, back+1
		}
		p.word[i], p.unit[i] = back, unit
		unit *= levels[i].max + 1
	}
	p.words = back + 1
	for i := range p.word {
		p.word[i] = back - p.word[i]
	}
	return p
}

// cost returns the cost vector of an edge.
func (p packing) cost(a, b kind) []int64 {
	if a.place > b.place {
		a, b = b, a
	}
	out := make([]int64, p.words)
	for i, l := range p.levels {
		out[p.word[i]] += l.cost(a, b) * p.unit[i]
	}
	return out
}

// totals decodes the sum of a whole pairing into the totals of its levels.
func (p packing) totals(sum []int64) []int64 {
	out := make([]int64, len(p.levels))
	for i, l := range p.levels {
		out[i] = sum[p.word[i]] / p.unit[i] % (l.max + 1)
	}
	return out
}

// table returns the costs of all pairs of kinds.
func (p packing) table(kinds []kind) *matching.Costs {
	costs := matching.NewCosts(len(kinds), p.words)
	for a := range kinds {
		for b := range a + 1 {
			costs.Set(a, b, p.cost(kinds[a], kinds[b]))
		}
	}
	return costs
}
