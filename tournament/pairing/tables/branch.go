package tables

import "math"

// branching is a branch and bound for a single criterion. At each node tallies of sets of scores have bounds, some
// pairs of entries must be at the same table, and others must not (Ryan and Foster 1981); a linear program bounds the
// rest.
type branching struct {
	*program
	most    int64                     // exclusive bound of the cost of a wanted round
	found   func(round []int32) int64 // takes a better round, returns the cost of the best now
	end     int64                     // of work
	open    int64                     // least bound of the nodes that were not searched
	tallies []tally                   // to branch on before pairs of entries
}

// run searches for better rounds among the active columns and returns the proved bound: no round costs less.
func (b *branching) run(active []int32) int64 {
	b.open = math.MaxInt64
	for j := range b.dead {
		b.dead[j] = true
	}
	b.node(active, math.MinInt64)
	return min(b.most, b.open)
}

// node searches the rounds of the active columns; none of them costs less than bound.
func (b *branching) node(active []int32, bound int64) {
	if bound >= b.most {
		return
	}
	if b.work > b.end {
		b.open = min(b.open, bound)
		return
	}
	for _, j := range active {
		b.dead[j] = false
	}
	b.solve(active, 30*b.m)
	p := b.bound(active)
	bound = max(bound, p.floor())
	if round, whole := b.whole(); whole && bound < b.most {
		b.most = b.found(round)
	}
	t, sum, tallied := b.tally()
	i, j, split := b.pair()
	for _, k := range active {
		b.dead[k] = true
	}
	if bound >= b.most {
		return
	}
	switch active = b.keep(active, p, b.most-1); {
	case tallied:
		b.sides(t, int64(sum), active, bound)
	case split:
		b.pairs(i, j, active, bound)
	default:
		b.open = min(b.open, bound)
	}
}

// sides searches the rounds with at most this tally, then those with more.
func (b *branching) sides(t tally, sum int64, active []int32, bound int64) {
	for _, side := range [2]cut{{t, 1, sum}, {t, -1, -sum - 1}} {
		before := b.save()
		b.addCuts([]cut{side})
		b.node(active, bound)
		b.restore(before)
	}
}

// pairs searches the rounds with two entries at the same table, then those with the two apart.
func (b *branching) pairs(i, j int, active []int32, bound int64) {
	b.node(together(b.cols, active, i, j), bound)
	b.node(apart(b.cols, active, i, j), bound)
}

// whole returns the round that the program has found, if it has taken no table in part.
func (b *branching) whole() ([]int32, bool) {
	var round []int32
	for r, j := range b.basis {
		switch x := b.x[r]; {
		case x < 1e-3 || j < 0 && b.missingCost(j) == 0:
		case x < 1-1e-3 || j < 0 || b.dead[j]:
			return nil, false
		default:
			round = append(round, j)
		}
	}
	tables := 0
	for _, count := range b.counts {
		tables += count
	}
	return round, len(round) == tables
}

// pair returns two entries that the program has put at the same table in part.
func (b *branching) pair() (i, j int, ok bool) {
	together := make([]float64, b.n*b.n)
	for r, k := range b.basis {
		if k < 0 || b.x[r] < 1e-4 {
			continue
		}
		c := &b.cols[k]
		for x := range c.size {
			for y := range x {
				together[int(c.t[y])*b.n+int(c.t[x])] += b.x[r]
			}
		}
	}
	best := 0.45
	for k, x := range together {
		if d := math.Abs(x - 0.55); x > 1e-3 && x < 1-1e-3 && d < best {
			i, j, best, ok = k/b.n, k%b.n, d, true
		}
	}
	return i, j, ok
}

// tally returns a tally that is not whole in the solution, and its sum.
func (b *branching) tally() (t tally, sum float64, ok bool) {
	best := 0.2
	for _, now := range b.tallies {
		s := 0.0
		for r, j := range b.basis {
			if j >= 0 {
				s += float64(b.x[r] * float64(now.of(&b.cols[j])))
			}
		}
		if d := math.Abs(s - math.Floor(s) - 0.5); d < best {
			t, sum, best, ok = now, s, d, true
		}
	}
	b.work += int64(len(b.tallies) * b.m)
	return t, sum, ok
}

// tallies returns the tallies to branch on for a criterion, before single pairs of entries: how many of a set of scores
// are at tables of another than the preferred size, or how often some of them share a table.
func (p *problem) tallies(c criterion) []tally {
	var out []tally
	for _, set := range p.ranges() {
		if c.lone != nil {
			out = append(out, tally{set: set, k: 1, away: uint8(p.Preferred)})
			continue
		}
		for k := 2; k <= 5; k++ {
			out = append(out, tally{set: set, k: k})
		}
	}
	for i := range p.n {
		if c.lone != nil {
			out = append(out, tally{set: 1 << i, k: 1, away: uint8(p.Preferred)})
		}
	}
	return out
}
