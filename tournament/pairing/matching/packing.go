package matching

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
