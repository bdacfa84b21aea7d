package teams

import (
	"slices"
	"strings"
)

// onBoards returns a page's points on each board, from the first.
func (b *book) onBoards(page int) []int64 {
	out := make([]int64, b.Scoring.Boards)
	for _, r := range b.pages[page].Rounds {
		for i, points := range r.Boards {
			if i < len(out) {
				out[i] += int64(points)
			}
		}
	}
	return out
}

// boardCount is the sum of the boards times the points on them, the lower first (12.1). It decides nothing unless all
// tied teams have the same game points.
func boardCount(b *book, group []int, _ modifiers) []value {
	equal := true
	out := make([]value, len(group))
	for i, page := range group {
		var n int64
		for board, points := range b.onBoards(page) {
			n += int64(board+1) * points
		}
		equal = equal && b.pages[page].total.GP == b.pages[group[0]].total.GP
		out[i] = value{key: []int64{-n}, text: tenths(n)}
	}
	if !equal {
		for i := range out {
			out[i].key = nil
		}
	}
	return out
}

// topBoards is the points on board 1, then on 2, and so on (12.2).
func topBoards(b *book, page int, _ modifiers) value {
	return b.boardValue(page, func(boards []int64) []int64 { return boards })
}

// bottomBoards is the points without the last board, then without the last two, and so on (12.3).
func bottomBoards(b *book, page int, _ modifiers) value {
	return b.boardValue(page, func(boards []int64) []int64 {
		var sums []int64
		var sum int64
		for _, points := range boards[:max(len(boards)-1, 0)] {
			sum += points
			sums = slices.Insert(sums, 0, sum)
		}
		return sums
	})
}

// boardValue returns the value that follows from the points on each board, with those of each round as its terms.
func (b *book) boardValue(page int, of func(boards []int64) []int64) value {
	p := &b.pages[page]
	var terms []Term
	for i, r := range p.Rounds {
		if r.Boards == nil {
			continue
		}
		boards := make([]int64, b.Scoring.Boards)
		for k := range min(len(boards), len(r.Boards)) {
			boards[k] = int64(r.Boards[k])
		}
		t := b.term(p, i)
		t.Text = joined(of(boards))
		terms = append(terms, t)
	}
	key := of(b.onBoards(page))
	return value{key: key, text: joined(key), terms: terms}
}

// joined prints points with blanks between them.
func joined(points []int64) string {
	texts := make([]string, len(points))
	for i, n := range points {
		texts[i] = tenths(n)
	}
	return strings.Join(texts, " ")
}
