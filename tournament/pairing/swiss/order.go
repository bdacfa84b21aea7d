package swiss

import (
	"slices"

	"quatuor/tournament/pairing/matching"
)

// firstInOrder returns the first of the best pairings in the order of the candidates (Art. 3 and 4).
func (p *problem) firstInOrder() outcome {
	var o outcome
	p.keepLoose()
	solved := p.loose
	p.explaining(func() { solved = p.loose.Clone() })
	rest := p.pairMovers(p.chooseMovers(), &o)
	p.pairRemainder(rest, &o)
	for _, rank := range p.ranks[:p.inside] {
		if !slices.ContainsFunc(o.pairs, func(pair [2]int) bool { return pair[0] == rank || pair[1] == rank }) {
			o.floats = append(o.floats, rank)
		}
	}
	slices.Sort(o.floats)
	p.explaining(func() { o.left = p.whyLeft(solved, o.floats) })
	return o
}

// chooseMovers fixes the movers that are paired: the first possible set, in their order. The others are the limbo.
func (p *problem) chooseMovers() []int {
	var paired []int
	inside, outside := p.set(span(0, p.inside)), p.set(p.outside())
	for v := range p.bracket.movers {
		if p.match.Narrow(v, inside) {
			paired = append(paired, v)
		} else {
			p.match.Narrow(v, outside)
		}
	}
	return paired
}

// set returns a set of vertices.
func (p *problem) set(vertices []int) matching.Set {
	s := matching.NewSet(len(p.ranks))
	for _, v := range vertices {
		s.Add(v)
	}
	return s
}

func (p *problem) outside() []int { return span(p.inside, len(p.ranks)) }

// pairMovers pairs each mover that is paired with the highest resident possible, and returns the remainder.
func (p *problem) pairMovers(movers []int, o *outcome) []int {
	rest := span(len(p.bracket.movers), p.inside)
	for _, v := range movers {
		rest = p.pick(v, rest, o)
	}
	return rest
}

// pick pairs a vertex with the first possible vertex in order, and returns the others.
func (p *problem) pick(v int, order []int, o *outcome) []int {
	w := p.match.Pick(v, order)
	at := slices.Index(order, w)
	if at < 0 {
		panic("swiss: the best pairing has lost a partner")
	}
	p.explaining(func() { o.reasons = append(o.reasons, p.whyPair(v, order, at)) })
	o.pairs = append(o.pairs, [2]int{p.ranks[v], p.ranks[w]})
	return slices.Delete(order, at, at+1)
}

// pairRemainder pairs a homogeneous bracket, or what the movers have left of a heterogeneous bracket: the upper half S1
// against the lower half S2, with as few exchanges as possible (Art. 4.3), and with the first transposition of S2 (Art.
// 4.2).
func (p *problem) pairRemainder(rest []int, o *outcome) {
	pairs := 0
	for _, v := range rest {
		if w := p.match.Mate(v); w > v && w < p.inside {
			pairs++
		}
	}
	s1, s2 := rest[:pairs], slices.Clone(rest[pairs:])
	if !p.split(s1, s2) {
		p = p.remainder(rest, pairs)
		p.mustSolve()
		p.keepLoose()
		s1, s2 = p.exchanged(len(rest), pairs)
		if !p.split(s1, s2) {
			panic("swiss: the best exchange has no transposition")
		}
	}
	for _, v := range s1 {
		s2 = p.pick(v, s2, o)
	}
	o.below = p.pairedBelow()
}

// split restricts the players of S1 to opponents in S2, and those of S2 to opponents outside their half; false if
// that is impossible.
func (p *problem) split(s1, s2 []int) bool {
	allowed := make([]matching.Set, len(p.ranks))
	upper, lower := p.set(append(p.outside(), s1...)), p.set(s2)
	for _, v := range s1 {
		allowed[v] = lower
	}
	for _, v := range s2 {
		allowed[v] = upper
	}
	return p.match.NarrowAll(allowed)
}

// remainder returns the problem that is left once the movers are paired, if players of S1 and S2 must change places:
// their number and distance are two more criteria.
func (p *problem) remainder(rest []int, pairs int) *problem {
	q := &problem{draw: p.draw, bracket: &bracket{residents: p.ranksOf(rest)}, scope: p.scope, inside: len(rest)}
	q.residents, q.exchanges = len(rest), len(rest)
	for i, v := range rest {
		k := p.kinds[v]
		k.sequence, k.upper = i+1, i < pairs
		q.ranks, q.kinds = append(q.ranks, p.ranks[v]), append(q.kinds, k)
	}
	for v := range p.ranks {
		limbo := v < len(p.bracket.movers) && p.match.Mate(v) >= p.inside
		if v >= p.inside || limbo {
			q.ranks, q.kinds = append(q.ranks, p.ranks[v]), append(q.kinds, p.kinds[v])
		}
	}
	return q
}

// exchanged chooses the players to exchange among the n of the remainder, S1 being the first pairs: the largest
// possible numbers move down, then the smallest up. It returns S1 and S2 after that.
func (p *problem) exchanged(n, pairs int) (s1, s2 []int) {
	moves := 0
	for v := pairs; v < n; v++ {
		if w := p.match.Mate(v); w > v && w < n {
			moves++
		}
	}
	moved := make([]bool, n)
	up := func(v int) []int { return span(v+1, n) }                         // the mates of v in S1
	down := func(v int) []int { return append(span(0, v), p.outside()...) } // and in S2
	for v, left := pairs-1, moves; v >= 0 && left > 0; v-- {
		moved[v] = p.match.Narrow(v, p.set(down(v)))
		if moved[v] {
			left--
		}
	}
	for v, left := pairs, moves; v < n && left > 0; v++ {
		moved[v] = p.match.Narrow(v, p.set(up(v)))
		if moved[v] {
			left--
		}
	}
	for v := range n {
		if moved[v] == (v >= pairs) {
			s1 = append(s1, v)
		} else {
			s2 = append(s2, v)
		}
	}
	return s1, s2
}

// packing encodes the levels of the criteria as digits in the words of a cost vector.
type packing struct {
	levels []level
	digits matching.Packing
}

func pack(levels []level) packing {
	totals := make([]int64, len(levels))
	for i, l := range levels {
		totals[i] = l.max
	}
	return packing{levels, matching.NewPacking(totals)}
}

// cost returns the cost vector of an edge.
func (p packing) cost(a, b kind) []int64 {
	if a.place > b.place {
		a, b = b, a
	}
	return p.digits.Pack(func(place int) int64 { return p.levels[place].cost(a, b) })
}

// totals decodes the sum of a whole pairing into the totals of its levels.
func (p packing) totals(sum []int64) []int64 { return p.digits.Totals(sum) }

// table returns the costs of all pairs of kinds.
func (p packing) table(kinds []kind) *matching.Costs {
	costs := matching.NewCosts(len(kinds), p.digits.Words())
	for a := range kinds {
		for b := range a + 1 {
			costs.Set(a, b, p.cost(kinds[a], kinds[b]))
		}
	}
	return costs
}
