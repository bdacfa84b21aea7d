package standings

import (
	"fmt"
	"slices"

	"quatuor/tournament"
)

// placed counts the rounds that ended in a place at a table; tied entries share the better place.
func placed(place int) func(*book, int, modifiers) value {
	return func(b *book, page int, _ modifiers) value { return b.placed(page, place) }
}

func (b *book) placed(page, place int) value {
	b.record(page, func(i int, r *round, t *term) bool {
		rank := 1
		for _, other := range r.opponents {
			if b.pages[other].rounds[i].points > r.points {
				rank++
			}
		}
		drawn := b.rotate && rank == 1 && r.points < b.points.Win // by the sides
		t.value = 1
		return r.kind == tournament.Played && rank == place && !drawn
	})
	return b.sum(whole)
}

// twelfth is the fraction of a tenth of a point that makes sums of means of two to four scores exact.
const twelfth = 12

// tableBuchholz is the sum, round by round, of the mean points of the others at the table. A round without a table
// counts as a table of equals.
func tableBuchholz(b *book, page int, m modifiers) value {
	b.record(page, func(i int, r *round, t *term) bool {
		others := b.there(i, r)
		if n := len(others); r.kind == tournament.Played && n > 0 {
			for _, other := range others {
				t.value += int64(b.pages[other].score)
			}
			t.value = t.value * twelfth / int64(n)
		} else {
			t.dummy, t.voluntary = true, r.voluntary()
			t.value = int64(b.pages[page].score) * twelfth
		}
		t.strength = t.value
		return r.kind != tournament.Pending
	})
	b.cut(m)
	return b.sum(twelfths)
}

// there returns the opponents present at the table of a round (from 0).
func (b *book) there(i int, r *round) []int {
	if !slices.ContainsFunc(r.opponents, func(other int) bool {
		return b.pages[other].rounds[i].kind == tournament.ForfeitLoss
	}) {
		return r.opponents
	}
	var out []int
	for _, other := range r.opponents {
		if b.pages[other].rounds[i].kind != tournament.ForfeitLoss {
			out = append(out, other)
		}
	}
	return out
}

// tableShare is the sum of the shares of the points given at the tables. It is exact: all shares have a common
// denominator.
func tableShare(b *book, page int, _ modifiers) value {
	unit := b.shareUnit()
	var sum int64
	b.record(page, func(i int, r *round, t *term) bool {
		given := int64(b.given(i, r))
		if r.kind == tournament.Pending || r.kind == tournament.Absent || given <= 0 {
			return false
		}
		t.value = halfUp(int64(r.points)*million, given)
		sum += halfUp(int64(r.points)*unit, given)
		return true
	})
	return value{key: sum, text: millionths(halfUp(sum*1000, unit) * 1000)}
}

// given returns the points given at the table of a round (from 0); without a table those of a table of the preferred
// size.
func (b *book) given(i int, r *round) tournament.Points {
	if r.kind != tournament.Played || len(r.opponents) == 0 {
		return b.table
	}
	sum := r.points
	for _, other := range r.opponents {
		sum += b.pages[other].rounds[i].points
	}
	return sum
}

// maxUnit bounds the common denominator of shares: sums of some hundred shares stay below 2^63 after a multiplication
// by a thousand. Only with many odd lists of points it is not enough for exactness.
const maxUnit = 10_000_000_000_000

// shareUnit returns the least common multiple of all points given at tables.
func (b *book) shareUnit() int64 {
	const name = "TSH unit"
	if kept, ok := b.known[name]; ok {
		return kept[0]
	}
	unit := int64(1)
	for p := range b.pages {
		for i := range b.pages[p].rounds {
			given := int64(b.given(i, &b.pages[p].rounds[i]))
			if given > 0 && unit%given != 0 {
				unit *= given / divisor(unit, given)
			}
			if unit > maxUnit {
				unit = maxUnit
			}
		}
	}
	b.known[name] = []int64{unit}
	return unit
}

// divisor returns the greatest common divisor.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

const million = 1_000_000

// millionths formats millionths with three decimals.
func millionths(n int64) string {
	n = halfUp(n, 1000)
	return fmt.Sprintf("%d.%03d", n/1000, n%1000)
}

// meanSeat is the mean number of the seats that an entry had at tables that were played.
func meanSeat(b *book, page int, _ modifiers) value {
	b.record(page, func(_ int, r *round, t *term) bool {
		t.value = int64(r.seat)
		return r.kind == tournament.Played && len(r.opponents) > 1
	})
	sum, n := b.total()
	if n == 0 {
		return undefined
	}
	// Means of at most some hundred seats differ by more than a millionth, or are equal.
	return value{key: sum * million / n, text: hundredths(halfUp(100*sum, n))}
}

// twelfths formats twelfths of a tenth with two decimals.
func twelfths(n int64) string { return hundredths(halfUp(10*n, twelfth)) }
