package standings

import (
	"math"
	"strconv"

	"quatuor/tournament"
)

// Undefined stands where a tie-break cannot be computed, such as a mean of no opponents.
const Undefined = "-"

// value is what a tie-break gives one entry: the greater key ranks first.
type value struct {
	key  int64
	text string
}

var undefined = value{key: math.MinInt64, text: Undefined}

// Cut says whether a term counts, and if not, why.
type Cut uint8

// What becomes of a term.
const (
	Counted      Cut = iota
	CutLowest        // the least significant value (14.1)
	CutVoluntary     // a round that was not played by one's own wish goes first (16.5)
	CutHighest       // the most significant value (14.3)
	CutEarly         // among the first rounds (7.5)
	BelowLimit       // the opponent scored too little (9.2)
)

var cutWords = map[Cut]string{
	CutLowest: "lowest", CutVoluntary: "not played by choice", CutHighest: "highest", CutEarly: "first rounds",
	BelowLimit: "opponent below the limit",
}

// String says why in a few words; "" for what counts.
func (c Cut) String() string { return cutWords[c] }

// term is one contribution to a tie-break: what explains it, and no more, since there are many.
type term struct {
	round     int32 // from 0
	opponent  int32 // index of the page of who was met or should have been, −1 for byes
	dummy     bool  // the strength is that of a dummy
	voluntary bool  // and the round a VUR
	cut       Cut
	points    tournament.Points // what the round brought
	strength  int64             // what the opponent or dummy is worth: in tenths of a point, or a rating
	value     int64             // the contribution, in units of the tie-break
}

// termOf starts the term of a round (from 0).
func termOf(i int, r *round) term {
	return term{round: int32(i), opponent: int32(r.opponent), points: r.points}
}

// total adds up what counts of the terms, and says whether there was anything.
func (b *book) total() (sum int64, any bool) {
	for i := range b.terms {
		if t := &b.terms[i]; t.cut == Counted {
			sum += t.value
			any = true
		}
	}
	return sum, any
}

// sum returns the total of the terms, printed in a unit; nothing at all is "0".
func (b *book) sum(print func(int64) string) value {
	sum, any := b.total()
	if !any {
		return value{text: "0"}
	}
	return value{key: sum, text: print(sum)}
}

// whole prints whole numbers.
func whole(n int64) string { return strconv.FormatInt(n, 10) }

// tenths prints points with one decimal, as tables of tie-breaks do.
func tenths(n int64) string { return decimals(n, 10) }

// hundredths prints products of two numbers of points, and means of points.
func hundredths(n int64) string { return decimals(n, 100) }

// decimals prints a number of parts, ten or a hundred of which make one.
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
