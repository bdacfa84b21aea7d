package teamswiss

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/matching"
)

// bracket is the set of teams paired at a time, in ranks.
type bracket struct {
	top        []int // the teams left with the highest score
	upfloaters []int // best first
	rest       []int
	notFloated PassedOver
}

// scoregroup is a score below the top and the number of teams left that have it.
type scoregroup struct {
	score tournament.Points
	size  int
}

// bracketOf returns the next bracket of the teams left, best first (3.5).
func (d *draw) bracketOf(left []int) *bracket {
	size := d.groupEnd(left, 0)
	b := &bracket{top: left[:size], rest: left[size:]}
	if size == len(left) || size%2 == 0 && d.solvable(b.top) && d.solvable(b.rest) {
		d.compareUpfloaters(b, nil, nil)
		return b
	}
	p := d.upfloaterProblem(b, true)
	if !d.pairer.Readings.C6Graded && !d.nextReached(p) {
		p = d.upfloaterProblem(b, false) // no set lets the next scoregroup do with so few, so all are equal by C6
	}
	d.chooseUpfloaters(b, p)
	return b
}

// groupEnd returns the index after the last team with the score of the team at an index.
func (d *draw) groupEnd(left []int, at int) int {
	end := at
	for end < len(left) && d.teams[left[end]].score == d.teams[left[at]].score {
		end++
	}
	return end
}

func (d *draw) solvable(ranks []int) bool { return d.unweighted(d.graph(ranks)).Solve() }

// upfloaterProblem returns the problem of pairing all teams left by C4 to C7, solved.
func (d *draw) upfloaterProblem(b *bracket, countNext bool) *problem {
	ranks := slices.Concat(b.top, b.rest)
	var groups []scoregroup
	kinds := make([]kind, len(ranks)) // those of the top are alike
	for at := 0; at < len(b.rest); {
		end := d.groupEnd(b.rest, at)
		score := d.teams[b.rest[at]].score
		for v := at; v < end; v++ {
			k := kind{place: next, score: score, floated: !d.final && d.teams[b.rest[v]].floated}
			if len(groups) > 0 {
				k.place = lower
			}
			kinds[len(b.top)+v] = k
		}
		groups, at = append(groups, scoregroup{score, end - at}), end
	}
	p := d.problem(ranks, kinds, d.upfloaterLevels(len(b.top), groups, countNext))
	p.mustSolve()
	return p
}

// nextReached reports whether what is left of the next scoregroup needs no more upfloaters than its number allows (C6).
func (d *draw) nextReached(p *problem) bool {
	left := int64(0)
	for v, k := range p.kinds {
		if k.place == next && p.kinds[p.match.Mate(v)].place != top {
			left++
		}
	}
	return p.total(C6) <= left%2
}

// chooseUpfloaters takes the first set in order by score and number (3.5.4) of those that are best by C4 to C7: each
// team in order that some best pairing pairs with a team of the top.
func (d *draw) chooseUpfloaters(b *bracket, p *problem) {
	n := int(p.total(C4))
	solved := p.match
	if d.explain {
		solved = p.match.Clone()
	}
	tops := set(len(p.ranks), 0, len(b.top))
	chosen := make(map[int]bool, n)
	for v := len(b.top); len(chosen) < n; v++ {
		if p.match.Narrow(v, tops) {
			chosen[p.ranks[v]] = true
			b.upfloaters = append(b.upfloaters, p.ranks[v])
		}
	}
	b.rest = slices.DeleteFunc(slices.Clone(b.rest), func(rank int) bool { return chosen[rank] })
	d.explainUpfloaters(b, p, solved, tops)
	d.compareUpfloaters(b, p, solved)
}

// set returns the vertices in [from, to).
func set(n, from, to int) matching.Set {
	s := matching.NewSet(n)
	for v := from; v < to; v++ {
		s.Add(v)
	}
	return s
}

// pairBracket pairs a bracket (3.6). The vertices are its teams in the order of their seats.
func (d *draw) pairBracket(b *bracket) {
	ranks := slices.Concat(b.top, b.upfloaters)
	slices.SortFunc(ranks, func(i, j int) int {
		if d.pairer.Readings.SeatByScore {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(d.teams[i].number, d.teams[j].number)
	})
	kinds := make([]kind, len(ranks))
	for v, rank := range ranks {
		t := d.teams[rank]
		kinds[v] = kind{preference: t.preference, floated: !d.final && t.floated}
		if t.score != d.teams[b.top[0]].score {
			kinds[v].place, kinds[v].floated = float, false
		}
	}
	p := d.problem(ranks, kinds, d.pairLevels(len(ranks)))
	p.mustSolve()
	loose := p.match
	if d.explain {
		loose = p.match.Clone()
	}
	tops := p.chooseTops()
	order := make([]int, 0, len(ranks))
	for v := range ranks {
		if !tops[v] {
			order = append(order, v)
		}
	}
	for v := range ranks {
		if !tops[v] {
			continue
		}
		w := p.match.Pick(v, order)
		d.explainPair(b, p, loose, v, order, w)
		d.pairs = append(d.pairs, [2]int{ranks[v], ranks[w]})
		order = slices.DeleteFunc(order, func(x int) bool { return x == w })
	}
}

// chooseTops returns the first set of tops in order (3.6.3) that some best pairing has, a top being the team of a pair
// with the smaller seat, and keeps the pairings that have it.
func (p *problem) chooseTops() map[int]bool {
	n := len(p.ranks)
	tops := make(map[int]bool, n/2)
	upper, below := set(n, 0, n/2), set(n, n/2, n)
	halves := make([]matching.Set, n)
	for v := range halves {
		halves[v] = upper
		if v < n/2 {
			halves[v] = below
		}
	}
	if p.match.NarrowAll(halves) {
		for v := range n / 2 {
			tops[v] = true
		}
		return tops
	}
	for v := 0; len(tops) < n/2; v++ {
		if p.match.Narrow(v, set(n, v+1, n)) {
			tops[v] = true
		}
	}
	return tops
}
