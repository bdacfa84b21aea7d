package swiss

import (
	"slices"

	"quatuor/tournament/pairing/matching"
)

// set makes a set of vertices.
func (p *problem) set(vertices []int) matching.Set {
	s := matching.NewSet(len(p.ranks))
	for _, v := range vertices {
		s.Add(v)
	}
	return s
}

func (p *problem) outside() []int {
	var out []int
	for v := p.inside; v < len(p.ranks); v++ {
		out = append(out, v)
	}
	return out
}

// chooseMovers fixes which movers are paired: the first that may be, in their order. The others are the limbo (3.3.3).
func (p *problem) chooseMovers() []int {
	var paired []int
	inside, outside := matching.NewSet(len(p.ranks)), p.set(p.outside())
	for v := range p.inside {
		inside.Add(v)
	}
	for v := range p.bracket.movers {
		if p.match.Narrow(v, inside) {
			paired = append(paired, v)
		} else {
			p.match.Narrow(v, outside)
		}
	}
	return paired
}

// pairMovers gives each mover that is paired the highest resident possible, and returns the remainder.
func (p *problem) pairMovers(movers []int, out *outcome) []int {
	var rest []int
	for v := len(p.bracket.movers); v < p.inside; v++ {
		rest = append(rest, v)
	}
	for _, v := range movers {
		rest = p.pick(v, rest, out)
	}
	return rest
}

// pick pairs a vertex with the first possible of those in order, and returns the others.
func (p *problem) pick(v int, order []int, out *outcome) []int {
	w := p.match.Pick(v, order)
	if w < 0 {
		panic("no partner")
	}
	out.pairs = append(out.pairs, [2]int{p.ranks[v], p.ranks[w]})
	at := slices.Index(order, w)
	return slices.Delete(order, at, at+1)
}

// pairRemainder pairs a homogeneous bracket, or what the movers have left of one: the upper half S1 against the lower
// half S2, with as few exchanges as possible (4.3), and with the first transposition of S2 (4.2).
func (p *problem) pairRemainder(rest []int, out *outcome) {
	pairs := 0
	for _, v := range rest {
		if w := p.match.Mate(v); w > v && w < p.inside {
			pairs++
		}
	}
	s1, s2 := rest[:pairs], slices.Clone(rest[pairs:])
	if !p.split(s1, s2) {
		p.exchange(rest, pairs, out)
		return
	}
	for _, v := range s1 {
		s2 = p.pick(v, s2, out)
	}
	out.below = p.pairedBelow()
}

// split leaves the players of S1 only those of S2, and these no others of their half; false if that cannot be.
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

// exchange pairs a remainder in which players of S1 and S2 must change places. How many, and how far apart they are,
// are made two more criteria; then the lowest that may move down do, and the highest that may move up.
func (p *problem) exchange(rest []int, pairs int, out *outcome) {
	q := p.remainder(rest, pairs)
	if !q.solve() {
		panic("no remainder")
	}
	s1, s2 := q.exchanged(len(rest), pairs)
	if !q.split(s1, s2) {
		panic("no split")
	}
	for _, v := range s1 {
		s2 = q.pick(v, s2, out)
	}
	out.below = q.pairedBelow()
}

// remainder is the problem that is left once the movers are paired, the players numbered anew.
func (p *problem) remainder(rest []int, pairs int) *problem {
	q := &problem{draw: p.draw, bracket: &bracket{}, scales: p.scales, inside: len(rest)}
	q.exchanges = len(rest)
	q.residents = len(rest)
	for i, v := range rest {
		q.ranks = append(q.ranks, p.ranks[v])
		k := p.kinds[v]
		k.place2, k.upperHalf = i+1, i < pairs
		q.kinds = append(q.kinds, k)
	}
	for v := range p.ranks {
		limbo := v < len(p.bracket.movers) && p.match.Mate(v) >= p.inside
		if v >= p.inside || limbo {
			q.ranks = append(q.ranks, p.ranks[v])
			q.kinds = append(q.kinds, p.kinds[v])
		}
	}
	return q
}

// exchanged chooses who changes places among the first n vertices, the halves being the first pairs and the others:
// among the best, the largest numbers move down, then the smallest up. It returns the new halves.
func (q *problem) exchanged(n, pairs int) (s1, s2 []int) {
	moves := 0
	for v := pairs; v < n; v++ {
		if w := q.match.Mate(v); w > v && w < n {
			moves++
		}
	}
	out := q.outside()
	span := func(from, to int) []int {
		var vs []int
		for v := from; v < to; v++ {
			vs = append(vs, v)
		}
		return vs
	}
	left := moves
	moved := make([]bool, n)
	for v := pairs - 1; v >= 0 && left > 0; v-- {
		if moved[v] = q.match.Narrow(v, q.set(append(span(0, v), out...))); moved[v] {
			left--
		} else {
			q.match.Narrow(v, q.set(span(v+1, n)))
		}
	}
	left = moves
	for v := pairs; v < n && left > 0; v++ {
		if moved[v] = q.match.Narrow(v, q.set(span(v+1, n))); moved[v] {
			left--
		} else {
			q.match.Narrow(v, q.set(append(span(0, v), out...)))
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
