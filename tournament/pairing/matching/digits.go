package matching

// Digits packs the digits of a mixed-radix number, the most important first, into the words of a cost vector, several
// to a word: a smaller total of a more important digit outweighs all digits after it.
type Digits struct {
	max   []int64
	word  []int
	unit  []int64
	words int
}

// fullWord is the greatest product of digits in a word; it leaves room for the sums and multiples of costs that
// the matching forms.
const fullWord = 1 << 56

// NewDigits returns the packing of digits whose totals over a whole matching do not exceed these.
func NewDigits(maxTotals []int64) Digits {
	d := Digits{max: maxTotals, word: make([]int, len(maxTotals)), unit: make([]int64, len(maxTotals))}
	unit, back := int64(1), 0 // words are counted from the least important first
	for i := len(maxTotals) - 1; i >= 0; i-- {
		if unit > fullWord/(maxTotals[i]+1) {
			unit, back = 1, back+1
		}
		d.word[i], d.unit[i] = back, unit
		unit *= maxTotals[i] + 1
	}
	d.words = back + 1
	for i := range d.word {
		d.word[i] = back - d.word[i]
	}
	return d
}

// Words returns the length of the vectors.
func (d Digits) Words() int { return d.words }

// Pack returns the vector of digits; digit returns the one at a place.
func (d Digits) Pack(digit func(place int) int64) []int64 {
	out := make([]int64, d.words)
	for i := range d.max {
		out[d.word[i]] += digit(i) * d.unit[i]
	}
	return out
}

// Totals decodes the sum of a whole matching's vectors into the totals of the digits.
func (d Digits) Totals(sum []int64) []int64 {
	out := make([]int64, len(d.max))
	for i := range d.max {
		out[i] = sum[d.word[i]] / d.unit[i] % (d.max[i] + 1)
	}
	return out
}
