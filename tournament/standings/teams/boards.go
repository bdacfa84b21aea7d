package teams

import (
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
// who are tied have the same game points.
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
func topBoards(b *book, page int, _ modifiers) value { return boardValues(b.onBoards(page)) }

// bottomBoards is the points without the last board, then without the last two, and so on (12.3).
func bottomBoards(b *book, page int, _ modifiers) value {
	boards := b.onBoards(page)
	var sums []int64
	var sum int64
	for _, points := range boards[:max(len(boards)-1, 0)] {
		sum += points
		sums = append([]int64{sum}, sums...)
	}
	return boardValues(sums)
}

func boardValues(points []int64) value {
	texts := make([]string, len(points))
	for i, n := range points {
		texts[i] = tenths(n)
	}
	return value{key: points, text: strings.Join(texts, " ")}
}
