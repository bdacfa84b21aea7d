package swiss_test

import (
	"cmp"
	"math/bits"
	"slices"

	"quatuor/tournament/pairing"
)

// literalBracket generates and judges the candidates of a bracket.
type literalBracket struct {
	l                 *literal
	movers, residents []int
	below, next       uint
	best              [][2]int
	worth             [][]int // of the best, a list for each criterion from C7 on
	outlooks          map[uint][][]int
}

// generate tries all numbers of pairs, most first (C6), and stops at the first with a candidate that leaves a complete
// pairing (C4).
func (b *literalBracket) generate() {
	b.outlooks = map[uint][][]int{}
	for pairs := (len(b.movers) + len(b.residents)) / 2; pairs >= 0 && b.worth == nil; pairs-- {
		for k := min(pairs, len(b.movers)); k >= 0; k-- {
			subsets(b.movers, k, func(movers []int) {
				b.assign(slices.Clone(movers), b.residents, nil, func(done [][2]int, rest []int) {
					b.remainder(rest, pairs-k, done)
				})
			})
		}
	}
}

// assign matches each of left, in order, with an element of right, in all ways and in lexicographic order.
func (b *literalBracket) assign(left, right []int, done [][2]int, use func(done [][2]int, rest []int)) {
	if len(left) == 0 {
		use(done, right)
		return
	}
	for i, j := range right {
		if b.l.legal(left[0], j) {
			rest := slices.Delete(slices.Clone(right), i, i+1)
			b.assign(left[1:], rest, append(slices.Clip(done), [2]int{left[0], j}), use)
		}
	}
}

// subsets goes through the subsets of this size, in lexicographic order.
func subsets(of []int, size int, use func([]int)) {
	if size == 0 {
		use(nil)
		return
	}
	for i := 0; i+size <= len(of); i++ {
		subsets(of[i+1:], size-1, func(rest []int) { use(append([]int{of[i]}, rest...)) })
	}
}

// exchange is a set of places that move down from the upper half and a set of places that move up from the lower.
type exchange struct{ down, up []int }

// remainder makes this number of pairs of the players: exchanges in their order, and for each all transpositions.
func (b *literalBracket) remainder(players []int, pairs int, done [][2]int) {
	if 2*pairs > len(players) {
		return
	}
	for _, x := range exchanges(pairs, len(players)) {
		var s1, s2 []int
		for place, i := range players {
			moves := slices.Contains(x.down, place) || slices.Contains(x.up, place)
			if (place < pairs) != moves {
				s1 = append(s1, i)
			} else {
				s2 = append(s2, i)
			}
		}
		b.assign(s1, s2, done, func(done [][2]int, _ []int) { b.judge(done) })
	}
}

// exchanges lists all exchanges between the first places and the others: fewest players first, then the smallest
// difference, then the largest that move down, then the smallest that move up.
func exchanges(half, n int) []exchange {
	var upper, lower []int
	for place := range n {
		if place < half {
			upper = append(upper, place)
		} else {
			lower = append(lower, place)
		}
	}
	var out []exchange
	for size := 0; size <= min(half, n-half); size++ {
		subsets(upper, size, func(down []int) {
			slices.Reverse(down) // the largest first
			subsets(lower, size, func(up []int) { out = append(out, exchange{slices.Clone(down), slices.Clone(up)}) })
		})
	}
	slices.SortFunc(out, func(a, b exchange) int {
		return cmp.Or(len(a.down)-len(b.down), a.difference()-b.difference(),
			slices.Compare(b.down, a.down), slices.Compare(a.up, b.up))
	})
	return out
}

func (x exchange) difference() int {
	sum := 0
	for i := range x.up {
		sum += x.up[i] - x.down[i]
	}
	return sum
}

func (b *literalBracket) floats(pairs [][2]int) []int {
	out := slices.Concat(b.movers, b.residents)
	for _, p := range pairs {
		out = slices.DeleteFunc(out, func(i int) bool { return i == p[0] || i == p[1] })
	}
	slices.Sort(out)
	return out
}

// judge keeps a candidate if it is better than all before.
func (b *literalBracket) judge(pairs [][2]int) {
	floats := b.floats(pairs)
	rest := b.below
	for _, i := range floats {
		rest |= 1 << i
	}
	if !b.l.completable(rest) {
		return
	}
	worth := b.judged(pairs, floats, rest)
	if b.worth == nil || slices.CompareFunc(worth, b.worth, slices.Compare) < 0 {
		b.worth, b.best = worth, slices.Clone(pairs)
	}
}

// judged lists what a candidate is worth by C7 to C21; less is better.
func (b *literalBracket) judged(pairs [][2]int, floats []int, rest uint) [][]int {
	l := b.l
	var scores []int
	for _, i := range floats {
		scores = append(scores, l.players[i].score)
	}
	worth := [][]int{descending(scores)}
	if b.outlooks[rest] == nil {
		b.outlooks[rest] = b.outlook(floats, rest)
	}
	worth = append(worth, b.outlooks[rest]...)
	unplayed := 0
	if len(floats) == 1 && l.byeScore >= l.players[b.residents[0]].score {
		unplayed = l.players[floats[0]].unplayed
	}
	worth = append(worth, []int{unplayed})
	worth = append(worth, b.colours(pairs)...)
	var counts, differences [][]int
	for back := range 2 {
		floated, raised, far, farUp := b.repeated(pairs, floats, back)
		counts = append(counts, []int{floated}, []int{raised})
		differences = append(differences, far, farUp)
	}
	return slices.Concat(worth, counts, differences)
}

func descending(list []int) []int {
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// outlook is C8: over all pairings of the following bracket that leave a complete pairing, the most pairs (as a
// negative number), and then the lowest scores of the floaters.
func (b *literalBracket) outlook(floats []int, rest uint) [][]int {
	if b.next == 0 {
		return [][]int{{0}, {}}
	}
	bracket := b.next
	for _, i := range floats {
		bracket |= 1 << i
	}
	var best [][]int
	var try func(left, rest uint, pairs int)
	try = func(left, rest uint, pairs int) {
		if left == 0 {
			if b.l.completable(rest) {
				var scores []int
				for i, p := range b.l.players {
					if rest&bracket>>i&1 == 1 {
						scores = append(scores, p.score)
					}
				}
				worth := [][]int{{-pairs}, descending(scores)}
				if best == nil || slices.CompareFunc(worth, best, slices.Compare) < 0 {
					best = worth
				}
			}
			return
		}
		i := bits.TrailingZeros(left)
		left &^= 1 << i
		try(left, rest, pairs)
		for j := range b.l.players {
			if left>>j&1 == 1 && b.l.legal(i, j) {
				try(left&^(1<<j), rest&^(1<<i|1<<j), pairs+1)
			}
		}
	}
	try(bracket, rest, 0)
	return best
}

// colours is C10 to C13, read off the colours that would be given.
func (b *literalBracket) colours(pairs [][2]int) [][]int {
	var far, third, denied, strong int
	for _, pair := range pairs {
		colour := b.l.colour(min(pair[0], pair[1]), max(pair[0], pair[1]))
		tooFar, repeats := 0, 0
		for _, i := range []int{min(pair[0], pair[1]), max(pair[0], pair[1])} {
			p := b.l.players[i]
			n := len(p.colours)
			difference := map[bool]int{true: 1, false: -1}[colour == pairing.White]
			for _, c := range p.colours {
				difference += map[bool]int{true: 1, false: -1}[c == pairing.White]
			}
			if max(difference, -difference) > 2 {
				tooFar = 1
			}
			if n > 1 && p.colours[n-1] == colour && p.colours[n-2] == colour {
				repeats = 1
			}
			if p.due != 0 && p.due != colour {
				denied++
				if p.strength == 2 {
					strong++
				}
			}
			colour = opposite(colour)
		}
		far, third = far+tooFar, third+repeats
	}
	return [][]int{{far}, {third}, {denied}, {strong}}
}

// repeated is C14 to C21 for either of the two last rounds: the number of residents that float down again, the number
// of opponents of movers that float up again, and the differences of score of the movers and of these pairs.
func (b *literalBracket) repeated(pairs [][2]int, floats []int, back int) (floated, raised int, far, farUp []int) {
	const outside = 100_000 // a float is farther than any pair
	for _, i := range floats {
		p := b.l.players[i]
		if p.floats[back] == 1 {
			if slices.Contains(b.movers, i) {
				far = append(far, outside+p.score)
			} else {
				floated++
			}
		}
	}
	for _, pair := range pairs {
		if !slices.Contains(b.movers, pair[0]) {
			continue
		}
		p, q := b.l.players[pair[0]], b.l.players[pair[1]]
		if p.floats[back] == 1 {
			far = append(far, p.score-q.score)
		}
		if q.floats[back] == -1 {
			raised++
			farUp = append(farUp, p.score-q.score)
		}
	}
	return floated, raised, descending(far), descending(farUp)
}
