package matching

import "slices"

// Costs is a table of cost vectors for pairs of classes. A pair that was never set costs nothing.
type Costs struct {
	classes, words int
	table          []int64 // doubled, so that half a cost is a whole number
}

// NewCosts returns a table for this many classes and words of each vector. Zero words are right where only the
// edges count.
func NewCosts(classes, words int) *Costs {
	return &Costs{classes, words, make([]int64, classes*classes*words)}
}

// Set sets the cost of an edge between vertices of two classes. Sums of costs over a matching, and their multiples
// by eight, must fit into each word.
func (c *Costs) Set(a, b int, vector []int64) {
	for i, v := range vector[:c.words] {
		c.table[(a*c.classes+b)*c.words+i] = 2 * v
		c.table[(b*c.classes+a)*c.words+i] = 2 * v
	}
}

func (c *Costs) at(a, b int) []int64 {
	return c.table[(a*c.classes+b)*c.words:][:c.words]
}

// potentials returns a potential for each class that leaves no edge between present classes with negative slack; edges
// inside a class count where it is present twice.
func (c *Costs) potentials(present, twice []bool) []int64 {
	out := make([]int64, c.classes*c.words)
	of := func(a int) []int64 { return out[a*c.words:][:c.words] }
	edge := func(a, b int) bool { return present[b] && (a != b || twice[a]) }
	for a := range c.classes {
		if !present[a] {
			continue
		}
		first := true
		for b := range c.classes {
			if edge(a, b) && (first || slices.Compare(c.at(a, b), double(of(a))) < 0) {
				first = false
				for i, v := range c.at(a, b) {
					of(a)[i] = v / 2
				}
			}
		}
	}
	room := make([]int64, c.words)
	for a := range c.classes {
		if !present[a] || twice[a] && slices.Equal(c.at(a, a), double(of(a))) {
			continue
		}
		first := true
		for b := range c.classes {
			if !edge(a, b) {
				continue
			}
			slack := make([]int64, c.words)
			for i, v := range c.at(a, b) {
				slack[i] = v - of(a)[i] - of(b)[i]
				if a == b {
					slack[i] /= 2
				}
			}
			if first || slices.Compare(slack, room) < 0 {
				first = false
				copy(room, slack)
			}
		}
		if !first {
			for i := range room {
				of(a)[i] += room[i]
			}
		}
	}
	return out
}

func double(v []int64) []int64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] *= 2
	}
	return out
}

// Packing packs the digits of a mixed-radix number, the most important first, into the words of a cost vector, several
// to a word: a smaller total of a more important digit outweighs all digits after it.
type Packing struct {
	max   []int64
	word  []int
	unit  []int64
	words int
}

// fullWord is the greatest product of digits in a word; it leaves room for the sums and multiples of costs that
// the matching forms.
const fullWord = 1 << 56

// NewPacking returns the packing of digits with these maximum totals over a whole matching.
func NewPacking(maxTotals []int64) Packing {
	p := Packing{max: maxTotals, word: make([]int, len(maxTotals)), unit: make([]int64, len(maxTotals))}
	unit, back := int64(1), 0 // words are counted from the least important first
	for i := len(maxTotals) - 1; i >= 0; i-- {
		if unit > fullWord/(maxTotals[i]+1) {
			unit, back = 1, back+1
		}
		p.word[i], p.unit[i] = back, unit
		unit *= maxTotals[i] + 1
	}
	p.words = back + 1
	for i := range p.word {
		p.word[i] = back - p.word[i]
	}
	return p
}

// Words returns the length of the vectors.
func (p Packing) Words() int { return p.words }

// Pack returns the vector of digits; digit returns the digit at a place.
func (p Packing) Pack(digit func(place int) int64) []int64 {
	out := make([]int64, p.words)
	for i := range p.max {
		out[p.word[i]] += digit(i) * p.unit[i]
	}
	return out
}

// Totals decodes the sum of a whole matching's vectors into the totals of the digits.
func (p Packing) Totals(sum []int64) []int64 {
	out := make([]int64, len(p.max))
	for i := range p.max {
		out[i] = sum[p.word[i]] / p.unit[i] % (p.max[i] + 1)
	}
	return out
}
