package dutch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf/check"
)

// differences prints the pairs of a round that differ, in two columns: by the rules, and of the file.
func (e Runner) differences(r check.RebuiltRound) {
	given := make(map[int]swiss.Game) // by number
	for _, g := range pairsOf(r.Given) {
		given[g.White] = g
		if g.Black > 0 {
			given[g.Black] = g
		}
	}
	var right, wrong []swiss.Game
	for _, g := range pairsOf(r.Drawn) {
		if given[g.White] == g {
			continue
		}
		right = append(right, g)
		for _, number := range []int{g.White, g.Black} {
			if other := given[number]; number > 0 && number == lower(other) {
				wrong = append(wrong, other)
			}
		}
	}
	if len(right) == 0 {
		return
	}
	sortBoards(right, r.History)
	sortBoards(wrong, r.History)
	fmt.Fprintf(e.Out, "  Checker pairings        Tournament pairings \n")
	for i, g := range wrong {
		correct := fmt.Sprintf("%9s", "")
		if i < len(right) {
			correct = printed(right[i])
		}
		fmt.Fprintf(e.Out, "    %s%16s%s\n", correct, "", printed(g))
	}
	fmt.Fprintln(e.Out)
}

func printed(g swiss.Game) string { return fmt.Sprintf("%3d - %3s", g.White, strconv.Itoa(g.Black)) }

// lower returns the lower number of a pair, under which it is listed.
func lower(g swiss.Game) int {
	if g.Black == 0 {
		return g.White
	}
	return min(g.White, g.Black)
}

// sortBoards sorts pairs as boards are published (C.04.2), by real points as bbpPairings does.
func sortBoards(games []swiss.Game, h pairing.History) {
	score := func(number int) tournament.Points { return h.Field[number-1].Score() }
	type board struct {
		bye        bool
		high, low  tournament.Points
		bestNumber int
	}
	of := func(g swiss.Game) board {
		if g.Black == 0 {
			return board{true, score(g.White), score(g.White), g.White}
		}
		a, b := g.White, g.Black
		if score(b) > score(a) || score(b) == score(a) && b < a {
			a, b = b, a
		}
		return board{false, score(a), score(b), a}
	}
	slices.SortStableFunc(games, func(x, y swiss.Game) int {
		a, b := of(x), of(y)
		last := 0
		if a.bye != b.bye {
			last = map[bool]int{true: 1, false: -1}[a.bye]
		}
		return cmp.Or(last, cmp.Compare(b.high, a.high), cmp.Compare(b.low, a.low), cmp.Compare(a.bestNumber, b.bestNumber))
	})
}
