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
