package standings

import (
	"math"
	"strconv"

	"quatuor/tournament"
)

// Undefined is printed where a tie-break cannot be computed, for example a mean of no opponents.
const Undefined = "-"

// value is an entry's value of a tie-break: the greater key ranks first.
type value struct {
	key  int64
	text string
}

var undefined = value{key: math.MinInt64, text: Undefined}

// Cut is the reason for leaving a term out, or Counted.
type Cut uint8

// The values of Cut.
const (
	Counted      Cut = iota
	CutLowest        // the least significant value (14.1)
	CutVoluntary     // a round that the entry chose not to play goes first (16.5)
	CutHighest       // the most significant value (14.3)
	CutEarly         // among the first rounds (7.5)
	BelowLimit       // the opponent scored too little (9.2)
)

var cutWords = map[Cut]string{
	CutLowest: "lowest", CutVoluntary: "not played by choice", CutHighest: "highest", CutEarly: "first rounds",
	BelowLimit: "opponent below the limit",
}

// String returns the reason in a few words; "" for a term that counts.
func (c Cut) String() string { return cutWords[c] }

// term is a contribution to a tie-break. To save memory it holds only the data that explanations need.
type term struct {
	round     int32 // from 0
	opponent  int32 // page of the entry that was met or should have been, −1 for byes
	dummy     bool  // the strength is that of a dummy
	voluntary bool  // and the round a VUR
	cut       Cut
	points    tournament.Points // points of the round
	strength  int64             // worth of the opponent or dummy: in tenths of a point, or a rating
	value     int64             // the contribution, in units of the tie-break
	text      string            // the contribution as printed, where no unit is fine enough
}

// termOf returns the term of a round (from 0), without its value.
func termOf(i int, r *round) term {
	return term{round: int32(i), opponent: int32(r.opponent), points: r.points}
}

// record records a term for each round of a page that the function accepts, after it has filled the term in.
func (b *book) record(page int, fill func(i int, r *round, t *term) bool) {
	for i := range b.pages[page].rounds {
		r, last := &b.pages[page].rounds[i], len(b.terms)
		b.terms = append(b.terms, termOf(i, r))
		if !fill(i, r, &b.terms[last]) {
			b.terms = b.terms[:last]
		}
	}
}

// total returns the sum of the terms that count, and their number.
func (b *book) total() (sum, n int64) {
	for i := range b.terms {
		if t := &b.terms[i]; t.cut == Counted {
			sum += t.value
			n++
		}
	}
	return sum, n
}

// sum returns the total of the terms, printed in a unit; without terms it is "0".
func (b *book) sum(print func(int64) string) value {
	sum, n := b.total()
	if n == 0 {
		return value{text: "0"}
	}
	return value{key: sum, text: print(sum)}
}

// meanOfTerms returns the rounded mean of the terms that count.
func (b *book) meanOfTerms() value {
	sum, n := b.total()
	if n == 0 {
		return undefined
	}
	mean := halfUp(sum, n)
	return value{key: mean, text: whole(mean)}
}

// whole formats whole numbers.
func whole(n int64) string { return strconv.FormatInt(n, 10) }

// tenths formats points with a decimal, as tables of tie-breaks do.
func tenths(n int64) string { return decimals(n, 10) }

// hundredths formats products of two numbers of points, and means of points.
func hundredths(n int64) string { return decimals(n, 100) }

// decimals formats a number of tenths or hundredths.
func decimals(n, parts int64) string {
	buffer := make([]byte, 0, 12)
	if n < 0 {
		buffer, n = append(buffer, '-'), -n
	}
	buffer = append(strconv.AppendInt(buffer, n/parts, 10), '.')
	if rest := n % parts; parts == 100 && rest < 10 {
		buffer = append(buffer, '0')
	}
	return string(strconv.AppendInt(buffer, n%parts, 10))
}

// halfUp divides and rounds to the nearest, .5 up.
func halfUp(n, by int64) int64 {
	n, by = 2*n+by, 2*by
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}
