package standings

import (
	"cmp"
	"math"
	"slices"
)

// rating returns an entry's rating as tie-breaks use it: a whole number, .5 up.
func (b *book) rating(page int) int64 { return int64(math.Floor(b.pages[page].entry.Rating + 0.5)) }

// ownRating is the entry's own rating (10.6).
func ownRating(b *book, page int, _ modifiers) value {
	r := b.rating(page)
	if r <= 0 {
		return undefined
	}
	return value{key: r, text: whole(r)}
}

// rated records a term for every game at the board, worth the opponent's rating; none if some entry is unrated.
func (b *book) rated(page int) {
	if b.unrated {
		return
	}
	ratings, ok := b.known["RTNG"]
	if !ok {
		ratings = make([]int64, len(b.pages))
		for i := range b.pages {
			ratings[i] = b.rating(i)
		}
		b.known["RTNG"] = ratings
	}
	b.opponents(page, ratings)
}

// averageRating is the mean rating of the opponents met at the board (10.1).
func averageRating(b *book, page int, m modifiers) value {
	b.rated(page)
	b.cut(m)
	return b.meanOfTerms()
}

// halves returns the score of the games at the board in halves of a win: 2 for a win, 1 for a draw, whatever these
// are worth in the tournament.
func (b *book) halves(page int) int64 {
	n := int64(0)
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if !r.played() {
			continue
		}
		switch other := b.pages[r.opponent].rounds[i].points; {
		case r.points > other:
			n += 2
		case r.points == other && r.points >= b.points.Draw: // and not lost by both
			n++
		}
	}
	return n
}

// performance is TPR: the mean rating of the opponents plus the difference for this share of the points (10.2).
func performance(b *book, page int, _ modifiers) value {
	average := averageRating(b, page, modifiers{})
	if average == undefined {
		return undefined
	}
	share := halfUp(50*b.halves(page), int64(len(b.terms)))
	p := average.key + difference(share)
	return value{key: p, text: whole(p)}
}

// perfectPerformance is PTP: the lowest rating with an expected score that reaches the points; without points, 800 less
// than the weakest opponent (10.3).
func perfectPerformance(b *book, page int, _ modifiers) value {
	b.rated(page)
	if len(b.terms) == 0 {
		return undefined
	}
	byRating := func(x, y term) int { return cmp.Compare(x.value, y.value) }
	low := slices.MinFunc(b.terms, byRating).value - farthest
	high := slices.MaxFunc(b.terms, byRating).value + farthest
	points := b.halves(page)
	if points == 0 {
		return value{key: low, text: whole(low)}
	}
	for high-low > 1 { // low is always too low, high always high enough
		middle := (low + high) / 2
		expected := int64(0)
		for _, t := range b.terms {
			expected += expectation(middle - t.value)
		}
		if expected >= 50*points {
			high = middle
		} else {
			low = middle
		}
	}
	return value{key: high, text: whole(high)}
}

// averageOf is the mean of a rating tie-break of the opponents met at the board (10.4, 10.5).
func averageOf(name string, of func(*book, int, modifiers) value) func(*book, int, modifiers) value {
	return func(b *book, page int, _ modifiers) value {
		if b.unrated {
			return undefined
		}
		b.opponents(page, b.all(name, of, modifiers{}))
		return b.meanOfTerms()
	}
}

// farthest is the rating difference that makes the stronger sure to win; it is also the difference for scores of 0 and
// 100 %.
const farthest = 800

// steps are the smallest rating differences with an expected score of the stronger of 50, 51, … 100 % (FIDE Rating
// Regulations B.02, 8.1.2).
var steps = [...]int64{
	0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189,
	198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518, 560,
	620, 736,
}

// expectation is PD: the expected score in a game, in per cent, for this advantage in rating (negative if weaker). It
// has no limit at 400.
func expectation(stronger int64) int64 {
	if stronger < 0 {
		return 100 - expectation(-stronger)
	}
	i, found := slices.BinarySearch(steps[:], stronger)
	if !found {
		i--
	}
	return 50 + int64(i)
}

// differences are the differences of ratings that go with scores of 50, 51, … 100 % (B.02, 8.1.1).
var differences = [...]int64{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
	202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
	677, farthest,
}

// difference is dp: the advantage in rating over the opponents for this share of the points, in per cent.
func difference(share int64) int64 {
	if share < 50 {
		return -differences[50-share]
	}
	return differences[share-50]
}

// Expectation returns the expected score in a game, in hundredths, for this advantage in rating (B.02, 8.1.2), without a
// limit at 400.
func Expectation(advantage int) int { return int(expectation(int64(advantage))) }
