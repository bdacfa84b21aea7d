package tables

import (
	"math"
	"slices"
)

// scale turns prices into integers.
const scale = 1 << 20

// program is a linear program: tables are taken in part, so that every entry is seated once, the number of tables of
// each size is right, and criteria that are proved keep their value. It is solved by the primal simplex method with a
// dense inverse of the basis. Products are rounded before they are added, so that every machine has the same result;
// and whatever the prices are, the bound computed from them in integers is valid.
type program struct {
	n       int
	counts  [6]int // tables by size
	sizeRow [6]int // row that counts tables of a size; -1 if the others imply it
	cols    []column
	cost    []int64
	extra   [][]int64 // rows of proved criteria: value of each column
	want    []int64   // and in all
	cuts    []cut     // the last rows
	rhs     []float64
	big     float64 // price of what is missing

	m, extraRow, cutRow int
	basis               []int32 // column; −1−2r more of row r, −2−2r less of it
	inv                 []float64
	x                   []float64
	u                   []float64 // prices
	dead                []bool    // columns that are not allowed at present
	alpha               []float64
	pivots              int
	work                int64
}

func newProgram(p *problem, cols []column, cost []int64, extra [][]int64, want []int64, cuts []cut) *program {
	lp := &program{
		n: p.n, cols: cols, cost: cost, extra: extra, want: want, cuts: slices.Clone(cuts),
		dead: make([]bool, len(cols)),
	}
	for _, s := range p.sizes {
		lp.counts[s]++
	}
	lp.m = p.n
	first := true
	for s := range lp.sizeRow {
		lp.sizeRow[s] = -1
		if lp.counts[s] > 0 && !first {
			lp.sizeRow[s] = lp.m
			lp.m++
		}
		first = first && lp.counts[s] == 0
	}
	lp.extraRow = lp.m
	lp.m += len(extra)
	lp.cutRow = lp.m
	lp.m += len(cuts)
	most := int64(1)
	for _, c := range cost {
		most = max(most, c, -c)
	}
	lp.big = float64(most) * float64(2*len(p.sizes)+8)
	lp.resize()
	return lp
}

// resize makes room for all rows.
func (lp *program) resize() {
	lp.rhs = make([]float64, lp.m)
	for r := range lp.rhs {
		// A little more, different in every row, keeps the method from going round in circles.
		lp.rhs[r] = float64(lp.target(r)) + float64(float64((r*7919+104729)%1009)*1e-8)
	}
	lp.inv, lp.x = make([]float64, lp.m*lp.m), make([]float64, lp.m)
	lp.u, lp.alpha = make([]float64, lp.m), make([]float64, lp.m)
}

// target returns the sum required of a row, for a cut the greatest allowed.
func (lp *program) target(r int) int64 {
	switch {
	case r < lp.n:
		return 1
	case r < lp.extraRow:
		return int64(lp.counts[slices.Index(lp.sizeRow[:], r)])
	case r < lp.cutRow:
		return lp.want[r-lp.extraRow]
	}
	return lp.cuts[r-lp.cutRow].most
}

// entries calls do for every row of a column.
func (lp *program) entries(j int32, do func(row int, value float64)) {
	c := &lp.cols[j]
	for _, i := range c.t[:c.size] {
		do(int(i), 1)
	}
	if r := lp.sizeRow[c.size]; r >= 0 {
		do(r, 1)
	}
	for k := range lp.extra {
		do(lp.extraRow+k, float64(lp.extra[k][j]))
	}
	for k := range lp.cuts {
		if v := lp.cuts[k].of(c); v != 0 {
			do(lp.cutRow+k, float64(v))
		}
	}
}

// begin makes a basis of the columns of a round.
func (lp *program) begin(round []int32) {
	lp.basis = make([]int32, lp.m)
	for r := range lp.basis {
		lp.basis[r] = int32(-1 - 2*r)
	}
	for _, j := range round {
		lp.basis[lp.cols[j].t[0]] = j
	}
	lp.refactor()
	for r := range lp.x {
		if lp.x[r] < 0 && lp.basis[r] < 0 {
			lp.basis[r]--
		}
	}
	lp.refactor()
}

// refactor computes the inverse of the basis, the part taken of each column, and the prices.
func (lp *program) refactor() {
	m := lp.m
	a := make([]float64, m*m)
	for k, j := range lp.basis {
		if j < 0 {
			row, sign := missing(j)
			a[row*m+k] = sign
			continue
		}
		lp.entries(j, func(row int, value float64) { a[row*m+k] = value })
	}
	clear(lp.inv)
	for i := range m {
		lp.inv[i*m+i] = 1
	}
	for c := range m {
		best := c
		for r := c + 1; r < m; r++ {
			if math.Abs(a[r*m+c]) > math.Abs(a[best*m+c]) {
				best = r
			}
		}
		if best != c {
			for k := range m {
				a[c*m+k], a[best*m+k] = a[best*m+k], a[c*m+k]
				lp.inv[c*m+k], lp.inv[best*m+k] = lp.inv[best*m+k], lp.inv[c*m+k]
			}
		}
		pivot := a[c*m+c]
		for k := range m {
			a[c*m+k] /= pivot
			lp.inv[c*m+k] /= pivot
		}
		for r := range m {
			if f := a[r*m+c]; r != c && f != 0 {
				for k := range m {
					a[r*m+k] -= float64(f * a[c*m+k])
					lp.inv[r*m+k] -= float64(f * lp.inv[c*m+k])
				}
			}
		}
	}
	lp.work += int64(m * m * m)
	for r := range m {
		lp.x[r] = 0
		for k := range m {
			lp.x[r] += float64(lp.inv[r*m+k] * lp.rhs[k])
		}
	}
	lp.reprice()
}

// missing returns the row of an artificial column, and its sign.
func missing(j int32) (row int, sign float64) {
	k := int(-1 - j)
	return k / 2, float64(1 - 2*(k%2))
}

// costOf returns the cost of a column of the basis.
func (lp *program) costOf(j int32) float64 {
	switch {
	case j < 0:
		return lp.missingCost(j)
	case lp.dead[j]:
		return lp.big
	}
	return float64(lp.cost[j])
}

// reprice computes the prices from the basis.
func (lp *program) reprice() {
	clear(lp.u)
	for r, j := range lp.basis {
		c := lp.costOf(j)
		if c == 0 {
			continue
		}
		row := lp.inv[r*lp.m : r*lp.m+lp.m]
		for k := range row {
			lp.u[k] += float64(c * row[k])
		}
	}
	lp.work += int64(lp.m * lp.m)
}

// reduced returns the cost of a column less its prices.
func (lp *program) reduced(j int32) float64 {
	c := &lp.cols[j]
	rc := float64(lp.cost[j]) - lp.u[c.t[0]] - lp.u[c.t[1]] - lp.u[c.t[2]]
	for _, i := range c.t[3:max(c.size, 3)] {
		rc -= lp.u[i]
	}
	if r := lp.sizeRow[c.size]; r >= 0 {
		rc -= lp.u[r]
	}
	for k := range lp.extra {
		rc -= float64(lp.u[lp.extraRow+k] * float64(lp.extra[k][j]))
	}
	for k := range lp.cuts {
		if u := lp.u[lp.cutRow+k]; u < 0 {
			rc -= float64(u * float64(lp.cuts[k].of(c)))
		}
	}
	return rc
}

const tolerance = 1e-6

// solve minimizes over the active columns; all others must be dead. It stops after this number of pivots.
func (lp *program) solve(active []int32, pivots int) {
	lp.reprice()
	var pool []int32
	for end := lp.pivots + pivots; lp.pivots < end; {
		pool = lp.candidates(active, pool[:0])
		if len(pool) == 0 {
			return
		}
		first := 0.0
		for lp.pivots < end {
			best, least := int32(0), -tolerance
			found := false
			for _, j := range pool {
				if rc := lp.reducedOrMissing(j); rc < least {
					best, least, found = j, rc, true
				}
			}
			lp.work += lp.glances(len(pool))
			if !found || least > first/10 {
				break
			}
			first = min(first, least)
			lp.pivot(best, least)
		}
	}
}

// reducedOrMissing is reduced for artificial columns, too.
func (lp *program) reducedOrMissing(j int32) float64 {
	if j >= 0 {
		return lp.reduced(j)
	}
	row, sign := missing(j)
	return lp.missingCost(j) - float64(sign*lp.u[row])
}

// glances returns the work of reducing the costs of this number of columns.
func (lp *program) glances(columns int) int64 { return int64((4 + len(lp.cuts)/4) * columns) }

// missingCost returns the cost of an artificial column; slack below a cut is free.
func (lp *program) missingCost(j int32) float64 {
	if row, sign := missing(j); row >= lp.cutRow && sign > 0 {
		return 0
	}
	return lp.big
}

// candidates appends the columns that would help most.
func (lp *program) candidates(active, pool []int32) []int32 {
	least := -tolerance
	for _, j := range active {
		rc := lp.reduced(j)
		if rc < least/4 && rc < -tolerance {
			pool = append(pool, j)
			least = min(least, rc)
		}
	}
	lp.work += lp.glances(len(active))
	kept := pool[:0]
	for _, j := range pool {
		if lp.reduced(j) < least/4 {
			kept = append(kept, j)
		}
	}
	if len(kept) > 1000 {
		kept = kept[len(kept)-1000:]
	}
	for j := int32(-1); j >= int32(-2*lp.m); j-- {
		if lp.reducedOrMissing(j) < -tolerance {
			kept = append(kept, j)
		}
	}
	return kept
}

// pivot takes a column into the basis.
func (lp *program) pivot(j int32, rc float64) {
	m := lp.m
	clear(lp.alpha)
	take := func(row int, value float64) {
		for r := range m {
			lp.alpha[r] += float64(lp.inv[r*m+row] * value)
		}
	}
	if j < 0 {
		take(missing(j))
	} else {
		lp.entries(j, take)
	}
	out, ratio := -1, math.Inf(1)
	for r := range m {
		if lp.alpha[r] > 1e-9 {
			if q := max(lp.x[r], 0) / lp.alpha[r]; q < ratio || q == ratio && lp.alpha[r] > lp.alpha[out] {
				out, ratio = r, q
			}
		}
	}
	lp.pivots++
	lp.work += int64(m * m)
	if out < 0 {
		lp.refactor() // rounding has gone too far
		return
	}
	row := lp.inv[out*m : out*m+m]
	inverse := 1 / lp.alpha[out]
	for k := range row {
		row[k] = float64(row[k] * inverse)
	}
	for r := range m {
		if f := lp.alpha[r]; r != out && f != 0 {
			other := lp.inv[r*m : r*m+m]
			for k, v := range row {
				other[k] -= float64(f * v)
			}
			lp.x[r] -= float64(f * ratio)
		}
	}
	lp.x[out] = ratio
	for k, v := range row {
		lp.u[k] += float64(rc * v)
	}
	lp.basis[out] = j
	if lp.pivots%150 == 0 {
		lp.refactor()
	}
}

// prices are the integer prices of a bound.
type prices struct {
	u     []int64
	least [6]int64 // least reduced cost of a table of each size
	bound int64    // in 1/scale
}

// bound returns the prices as integers and the bound that follows from them for the active columns: the cost of the
// rows, and for each table the least cost of any of its size beyond its prices.
func (lp *program) bound(active []int32) prices {
	p := prices{u: make([]int64, lp.m)}
	for r, v := range lp.u {
		p.u[r] = int64(math.Round(float64(v * scale)))
		if r >= lp.cutRow {
			p.u[r] = min(p.u[r], 0)
		}
		p.bound += p.u[r] * lp.target(r)
	}
	for s := range p.least {
		p.least[s] = math.MaxInt64
	}
	for _, j := range active {
		s := lp.cols[j].size
		p.least[s] = min(p.least[s], lp.exactly(j, p.u))
	}
	lp.work += lp.glances(len(active))
	for s, count := range lp.counts {
		switch {
		case count == 0:
		case p.least[s] == math.MaxInt64: // no table of this size is left
			p.bound = math.MaxInt64 / 2
			return p
		default:
			p.bound += int64(count) * p.least[s]
		}
	}
	return p
}

// exactly returns the cost of a column less its prices, in 1/scale.
func (lp *program) exactly(j int32, u []int64) int64 {
	c := &lp.cols[j]
	rc := lp.cost[j] * scale
	for _, i := range c.t[:c.size] {
		rc -= u[i]
	}
	if r := lp.sizeRow[c.size]; r >= 0 {
		rc -= u[r]
	}
	for k := range lp.extra {
		rc -= u[lp.extraRow+k] * lp.extra[k][j]
	}
	for k := range lp.cuts {
		rc -= u[lp.cutRow+k] * lp.cuts[k].of(c)
	}
	return rc
}

// keep returns the active columns that can be part of a round that costs no more than most.
func (lp *program) keep(active []int32, p prices, most int64) []int32 {
	var out []int32
	for _, j := range active {
		if lp.exactly(j, p.u)-p.least[lp.cols[j].size] <= most*scale-p.bound {
			out = append(out, j)
		}
	}
	return out
}

// floor returns the least whole cost that a bound allows.
func (p prices) floor() int64 {
	f := p.bound / scale
	if p.bound > f*scale {
		f++
	}
	return f
}

// state is the state of a program before rows are added.
type state struct {
	m              int
	cuts           []cut
	basis          []int32
	rhs, inv, x, u []float64
}

// save returns the state of the program. It stays valid after rows were added, which reallocates.
func (lp *program) save() state {
	return state{lp.m, lp.cuts, slices.Clone(lp.basis), lp.rhs, lp.inv, lp.x, lp.u}
}

// restore goes back there.
func (lp *program) restore(s state) {
	lp.m = s.m
	lp.cuts = s.cuts
	lp.basis = s.basis
	lp.rhs = s.rhs
	lp.inv = s.inv
	lp.x = s.x
	lp.u = s.u
	lp.alpha = make([]float64, lp.m)
}
