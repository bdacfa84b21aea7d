package tables

import "slices"

// maxProved is the largest field that is proved by linear programs.
const maxProved = 45

// prove returns the best round found and how far it is proved.
func (p *problem) prove() ([][]int, Certificate) {
	s := p.good()
	if p.n > maxProved {
		return s.tables, p.certify(s.tables)
	}
	v := &prover{problem: p, search: s, best: s.tables}
	certificate := v.run()
	return v.best, certificate
}

// good returns a local search at the best round it found.
func (p *problem) good() *search {
	var best *search
	for _, start := range p.starts() {
		s := newSearch(p, start)
		s.exchanges(nil)
		if best == nil || p.less(s.sum(), best.sum()) {
			best = s
		}
	}
	steps, reach := 150_000, 5
	if p.n > maxProved {
		steps, reach = 3_000_000, 8
	}
	best.improve(reach)
	best.shake(steps)
	best.improve(reach)
	return best
}

// certify compares a round with bounds that need no search.
func (p *problem) certify(tables [][]int) Certificate {
	for _, c := range p.criteria {
		if v, bound := p.total(c, tables), p.simple(c); v > bound {
			return p.gap(tables, c, v, bound)
		}
	}
	return Certificate{Criterion: "T"}
}

// gap returns a certificate that is not "optimal"; the criterion has this value and this bound.
func (p *problem) gap(tables [][]int, c criterion, value, bound int64) Certificate {
	out := Certificate{Criterion: c.name, Value: []int64{value}, Bound: []int64{bound}}
	if cost := p.costOf(tables); c.name == "P" || c.name == "M" {
		out.Value = cost.M
		top := p.topM
		if c.name == "P" {
			out.Value, top = cost.P, p.topP
		}
		out.Bound = slices.Clone(out.Value)
		clear(out.Bound[top-c.level:]) // nothing is known of pairs with fewer meetings
		out.Bound[top-c.level] = bound
	}
	return out
}

// prover proves a round criterion by criterion.
type prover struct {
	*problem
	search *search
	best   [][]int
	cols   []column
	extra  [][]int64 // of proved criteria with a value that the columns alone do not ensure
	want   []int64
	cuts   []cut
	slack  [][]int64 // of the same criteria: cost of a column beyond its prices, in 1/scale
	limit  []int64   // and all tables together at most
	work   int64
}

// maxWork bounds the work of all linear programs of a round. Half of the rest is for a search that branches on tallies,
// which is better where many have equal scores, and half for a search that branches on pairs alone.
const maxWork = 500_000_000

// run proves as many criteria as it can.
func (v *prover) run() Certificate {
	l := newLister(v.problem)
	listed := false
	for k, c := range v.criteria {
		value := v.total(c, v.best)
		free := value == 0 && c.low == 0 // nothing can be better
		switch {
		case c.ban:
			continue
		case free && !listed && l.ban(c):
			continue
		case !listed && c.name == "D" && v.level() && value == v.potsBound(c):
			l.restrict()
			continue
		case !listed:
			if !l.list() {
				return v.certify(v.best)
			}
			v.cols, listed = l.cols, true
		}
		if free {
			v.drop(c)
			continue
		}
		if bound, ok := v.stage(c); !ok {
			return v.gap(v.best, c, v.total(c, v.best), bound)
		}
		if k < len(v.criteria)-1 && len(v.cols) < 3000 && v.finish(30_000) {
			return Certificate{}
		}
	}
	if !listed && l.list() {
		v.cols, listed = l.cols, true
	}
	if !listed || !v.finish(100_000) && !v.settleOrder() {
		return Certificate{Criterion: "T"}
	}
	return Certificate{}
}

// drop drops the columns with a cost by a criterion that costs the round nothing.
func (v *prover) drop(c criterion) {
	e := v.evaluator(c)
	var keep []int32
	for j := range v.cols {
		if e.of(&v.cols[j]) == 0 {
			keep = append(keep, int32(j))
		}
	}
	v.shrink(keep)
}

// shrink keeps only these columns.
func (v *prover) shrink(keep []int32) {
	for n, j := range keep {
		v.cols[n] = v.cols[j]
		for k := range v.extra {
			v.extra[k][n], v.slack[k][n] = v.extra[k][j], v.slack[k][j]
		}
	}
	v.cols = v.cols[:len(keep)]
	for k := range v.extra {
		v.extra[k], v.slack[k] = v.extra[k][:len(keep)], v.slack[k][:len(keep)]
	}
}

// stage proves the value of a criterion, improving the round if possible. It returns a lower bound, and whether that is
// reached; then the only columns left are those of rounds that reach it.
func (v *prover) stage(c criterion) (bound int64, ok bool) {
	e := v.evaluator(c)
	cost := make([]int64, len(v.cols))
	same := true
	most := int64(0)
	var known [6]int64
	var seen [6]bool
	for j := range v.cols {
		size := v.cols[j].size
		cost[j] = e.of(&v.cols[j])
		same = same && (!seen[size] || known[size] == cost[j])
		known[size], seen[size] = cost[j], true
		most = max(most, cost[j], -cost[j])
	}
	value := v.total(c, v.best) / c.unit
	if same {
		return value * c.unit, true
	}
	if most > 1<<32 {
		return c.low, false
	}
	lp := newProgram(v.problem, v.cols, cost, v.extra, v.want, v.cuts)
	lp.begin(v.round())
	active := make([]int32, len(v.cols))
	for j := range active {
		active[j] = int32(j)
	}
	active, root := lp.tighten(active, value, v.ranges())
	proved := max(root.floor(), c.low/c.unit, v.simple(c)/c.unit)
	left := maxWork - v.work
	for k, tallies := range [][]tally{v.tallies(c), nil} {
		if proved >= value {
			break
		}
		b := branching{
			program: lp, tallies: tallies, most: value, end: left * int64(k+1) / 2,
			found: func(round []int32) int64 {
				v.take(round)
				return v.total(c, v.best) / c.unit
			},
		}
		proved = max(proved, b.run(lp.keep(active, root, value-1)))
		value = b.most
	}
	v.work += lp.work
	v.cuts = lp.needed(root)
	if proved < value {
		return proved * c.unit, false
	}
	v.settle(lp, active, root, value)
	return value * c.unit, true
}

// settle drops the columns that cannot be part of a round with the proved value, and notes the value if that does not
// ensure it.
func (v *prover) settle(lp *program, active []int32, root prices, value int64) {
	slack := make([]int64, len(v.cols))
	worst := int64(0)
	keep := lp.keep(active, root, value)
	for _, j := range keep {
		slack[j] = lp.exactly(j, root.u) - root.least[v.cols[j].size]
		worst = max(worst, slack[j])
	}
	// The cost of a round: its prices, the slack of its tables, and more for unused cuts.
	if root.bound+worst*int64(len(v.sizes)) >= (value+1)*scale || len(lp.needed(root)) > 0 {
		v.extra, v.want = append(v.extra, lp.cost), append(v.want, value)
		v.slack, v.limit = append(v.slack, slack), append(v.limit, value*scale-root.bound)
	}
	v.shrink(keep)
}

// simple returns a lower bound of a criterion, among rounds that are best by those before it, that needs no search.
func (p *problem) simple(c criterion) int64 {
	// With tables of equal size, squares of differences are least if the order is cut into tables: that spreads the
	// sums most.
	if c.name == "G" && p.sizes[0] == p.sizes[len(p.sizes)-1] {
		return p.total(c, p.slices())
	}
	return p.potsBound(c)
}

// round returns the columns of the best round.
func (v *prover) round() []int32 {
	wanted := map[uint64]bool{}
	for _, t := range v.best {
		var mask uint64
		for _, i := range t {
			mask |= 1 << i
		}
		wanted[mask] = true
	}
	var out []int32
	for j := range v.cols {
		if wanted[v.cols[j].mask] {
			out = append(out, int32(j))
		}
	}
	return out
}

// take improves a round of some columns, and keeps it as the best if it is better.
func (v *prover) take(round []int32) {
	tables := v.tablesOf(round)
	best := newSearch(v.problem, v.best).sum()
	v.search.load(tables)
	v.search.improve(len(tables))
	if v.less(v.search.sum(), best) {
		v.best = v.search.tables
	}
}

// tablesOf returns the tables of some columns.
func (v *prover) tablesOf(round []int32) [][]int {
	tables := make([][]int, len(round))
	for k, j := range round {
		tables[k] = v.cols[j].members(make([]int, 0, 5))
	}
	return tables
}

// finish finds the best round of the columns that are left, by all criteria at once; false if that takes too many
// states.
func (v *prover) finish(states int) bool {
	e := newSubsets(v.problem, len(v.slack))
	e.most, e.limit = states, v.limit
	var t [5]int
	slack := make([]int64, len(v.slack))
	for j := range v.cols {
		for k := range slack {
			slack[k] = v.slack[k][j]
		}
		e.take(v.cols[j].members(t[:]), slack)
	}
	tables, ok := e.run()
	if ok {
		v.best = tables
	}
	return ok
}
