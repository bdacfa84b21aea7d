package tables

import (
	"cmp"
	"math/bits"
	"slices"
)

// search is a local search: it improves a round step by step. All its choices are fixed, so that the same problem has
// the same answer.
type search struct {
	*problem
	tables [][]int // ascending each
	costs  []words
	side   []words // cost of the sides at each table
	spare  [2][5]int
	at     []int // table of each entry
	dice   uint64
	steps  int            // looked at so far
	sets   [16][6][][]int // see subsetsOf
}

// newSearch starts from a round.
func newSearch(p *problem, tables [][]int) *search {
	s := &search{problem: p, at: make([]int, p.n), dice: 0x9E3779B97F4A7C15}
	s.load(tables)
	return s
}

// load sets the round.
func (s *search) load(tables [][]int) {
	s.tables = make([][]int, len(tables))
	s.costs = make([]words, len(tables))
	s.side = make([]words, len(tables))
	for k, t := range tables {
		s.set(k, slices.Clone(t))
	}
}

// set puts these entries at a table.
func (s *search) set(k int, t []int) {
	slices.Sort(t)
	s.tables[k], s.costs[k] = t, s.cost(t)
	if s.rotated {
		_, s.side[k] = s.bestWay(t)
	}
	for _, i := range t {
		s.at[i] = k
	}
}

// sum returns the cost of the round.
func (s *search) sum() words {
	var sum words
	for _, c := range s.costs {
		sum = s.plus(sum, c)
	}
	return sum
}

// maxSteps bounds the steps after which triples are no longer tried.
const maxSteps = 120_000_000

// improve exchanges entries, and reseats three tables at a time, until neither helps.
func (s *search) improve(reach int) {
	s.exchanges(nil)
	for s.steps < maxSteps && s.triples(reach) {
		s.exchanges(nil)
	}
}

// exchanges makes exchanges with an entry of a table of the list (nil: any) until none helps.
func (s *search) exchanges(dirty []int) {
	if dirty == nil {
		for k := range s.tables {
			dirty = append(dirty, k)
		}
	}
	queued := make([]bool, len(s.tables))
	for _, k := range dirty {
		queued[k] = true
	}
	for len(dirty) > 0 {
		k := dirty[0]
		dirty = dirty[1:]
		queued[k] = false
		for other, ok := s.exchange(k); ok; other, ok = s.exchange(k) {
			for _, t := range [2]int{k, other} {
				if !queued[t] {
					queued[t] = true
					dirty = append(dirty, t)
				}
			}
		}
	}
}

// exchange makes the first exchange that helps of an entry of a table with an entry of another; it returns that table.
func (s *search) exchange(k int) (other int, ok bool) {
	for x := range s.tables[k] {
		for l := range s.tables {
			if l == k {
				continue
			}
			for y := range s.tables[l] {
				if s.gain(k, x, l, y) {
					i, j := s.tables[k][x], s.tables[l][y]
					s.set(k, exchanged(s.tables[k], i, j))
					s.set(l, exchanged(s.tables[l], j, i))
					return l, true
				}
			}
		}
	}
	return 0, false
}

// gain reports whether it helps to exchange two entries, given by table and place there.
func (s *search) gain(k, x, l, y int) bool {
	s.steps++
	own, theirs := s.tables[k], s.tables[l]
	for w := range s.nwords {
		change := s.change(w, own, theirs, own[x], theirs[y])
		if !s.rotated {
			if change != 0 {
				return change < 0
			}
			continue
		}
		// Sides cost nothing at best: what they cost now is the most that can be saved.
		saved := s.side[k][w] + s.side[l][w]
		if change > saved {
			return false
		}
		if change < 0 || saved > 0 {
			s.steps += 10
			after := s.plus(s.cost(s.replaced(0, own, x, theirs[y])), s.cost(s.replaced(1, theirs, y, own[x])))
			return s.less(after, s.plus(s.costs[k], s.costs[l]))
		}
	}
	return false
}

// replaced returns a table in ascending order with another entry at place x; it is valid until the next.
func (s *search) replaced(spare int, t []int, x, comes int) []int {
	out := s.spare[spare][:len(t)]
	copy(out, t)
	for ; x > 0 && out[x-1] > comes; x-- {
		out[x] = out[x-1]
	}
	for ; x < len(out)-1 && out[x+1] < comes; x++ {
		out[x] = out[x+1]
	}
	out[x] = comes
	return out
}

// change returns the change of a word of the cost, sides left out, if i of its own table and j of their table change
// places.
func (s *search) change(w int, own, theirs []int, i, j int) int64 {
	ri, rj := s.pair[w][i*s.n:i*s.n+s.n], s.pair[w][j*s.n:j*s.n+s.n]
	var change int64
	for _, m := range own {
		if m != i {
			change += rj[m] - ri[m]
		}
	}
	for _, m := range theirs {
		if m != j {
			change += ri[m] - rj[m]
		}
	}
	lone := s.lone[w][j] - s.lone[w][i]
	if len(own) != s.Preferred {
		change += lone
	}
	if len(theirs) != s.Preferred {
		change -= lone
	}
	return change
}

// triples reseats the entries of three tables if that helps, and reports whether it did. Tables further apart than
// reach, in the order of their points, are not tried together.
func (s *search) triples(reach int) bool {
	order := make([]int, len(s.tables))
	for k := range order {
		order[k] = k
	}
	total := func(k int) (sum int64) {
		for _, i := range s.tables[k] {
			sum += s.points[i]
		}
		return sum
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(total(b), total(a)) })
	better := false
	for a := range order {
		for b := a + 1; b < min(len(order), a+reach); b++ {
			for c := b + 1; c < min(len(order), a+reach); c++ {
				better = s.reseat(order[a], order[b], order[c]) || better
			}
		}
	}
	return better
}

// reseat seats the entries of some tables in the best way, and reports whether that is better than before.
func (s *search) reseat(which ...int) bool {
	r := reseating{search: s}
	for _, k := range which {
		r.pool = append(r.pool, s.tables[k]...)
		r.sizes = append(r.sizes, len(s.tables[k]))
		r.best = s.plus(r.best, s.costs[k])
	}
	slices.Sort(r.pool)
	r.known, r.first = make([]bool, 1<<len(r.pool)), make([]int64, 1<<len(r.pool))
	r.walk(0, 1<<len(r.pool)-1, 0)
	if r.found == nil {
		return false
	}
	for k, mask := range r.found {
		s.set(which[k], r.table(mask))
	}
	return true
}

// reseating looks through all ways to seat a few entries.
type reseating struct {
	*search
	pool  []int
	sizes []int
	first []int64 // first word of the cost of each set of the pool
	known []bool
	now   []int // sets of the pool, by table
	best  words
	found []int
}

// table returns a set of the pool.
func (r *reseating) table(mask int) []int {
	t := make([]int, 0, 5)
	for m := uint(mask); m != 0; m &= m - 1 {
		t = append(t, r.pool[bits.TrailingZeros(m)])
	}
	return t
}

// walk seats the rest of the pool at the tables from the k-th on; sum is the first word of the cost so far.
func (r *reseating) walk(k, rest int, sum int64) {
	if k == len(r.sizes)-1 {
		if r.firstOf(rest)+sum <= r.best[0] {
			r.compare(rest)
		}
		return
	}
	same := true // tables of equal size: the first entry left is at the first of them
	for _, size := range r.sizes[k:] {
		same = same && size == r.sizes[k]
	}
	lows := r.subsetsOf(len(r.pool))[r.sizes[k]]
	for low := range lows {
		if rest>>low&1 == 0 {
			continue
		}
		for _, set := range lows[low] {
			if set&^rest == 0 {
				r.now = append(r.now[:k], set)
				r.walk(k+1, rest&^set, sum+r.firstOf(set))
			}
		}
		if same {
			return
		}
	}
}

// compare takes the way of the moment, with rest at the last table, if it is better than the best.
func (r *reseating) compare(rest int) {
	sum := r.cost(r.table(rest))
	for _, set := range r.now {
		sum = r.plus(sum, r.cost(r.table(set)))
	}
	r.steps += 20
	if r.less(sum, r.best) {
		r.best = sum
		r.found = append(slices.Clone(r.now), rest)
	}
}

// firstOf returns the first word of the cost of a set.
func (r *reseating) firstOf(set int) int64 {
	if !r.known[set] {
		r.known[set] = true
		r.first[set] = r.cost(r.table(set))[0]
		r.steps += 6
	}
	r.steps++
	return r.first[set]
}

// subsetsOf returns the sets of three to five of n, by size and least element.
func (s *search) subsetsOf(n int) [6][][]int {
	if s.sets[n][3] == nil {
		for size := 3; size <= 5; size++ {
			s.sets[n][size] = make([][]int, n)
		}
		for set := 1; set < 1<<n; set++ {
			if size := bits.OnesCount(uint(set)); size >= 3 && size <= 5 {
				low := bits.TrailingZeros(uint(set))
				s.sets[n][size][low] = append(s.sets[n][size][low], set)
			}
		}
	}
	return s.sets[n]
}

// roll returns a number below n, the same sequence in every run.
func (s *search) roll(n int) int {
	s.dice ^= s.dice << 13
	s.dice ^= s.dice >> 7
	s.dice ^= s.dice << 17
	return int(s.dice >> 11 % uint64(n))
}

// shake moves entries around among tables that are near each other, improves the disturbed tables, and goes back unless
// the round is at least as good, for this number of steps.
func (s *search) shake(steps int) {
	for end := s.steps + steps; s.steps < end && len(s.tables) > 2; {
		before := s.sum()
		tables, costs, side, at := slices.Clone(s.tables), slices.Clone(s.costs), slices.Clone(s.side), slices.Clone(s.at)
		dirty := s.kick()
		s.exchanges(dirty)
		if s.less(before, s.sum()) {
			s.tables = tables
			s.costs = costs
			s.side = side
			s.at = at
		}
		s.steps += 10
	}
}

// kick moves an entry of a table to the next, and so on around three or four tables.
func (s *search) kick() []int {
	length := 3 + s.roll(2)
	first := s.roll(s.n)
	ring := []int{first}
	for tries := 0; len(ring) < min(length, len(s.tables)) && tries < 50; tries++ {
		i := first + s.roll(25) - 12
		if i < 0 || i >= s.n || slices.ContainsFunc(ring, func(j int) bool { return s.at[i] == s.at[j] }) {
			continue
		}
		ring = append(ring, i)
	}
	where := make([]int, len(ring))
	for k, i := range ring {
		where[k] = s.at[i]
	}
	for k, i := range ring {
		next := where[(k+1)%len(ring)]
		s.set(next, exchanged(s.tables[next], ring[(k+1)%len(ring)], i))
	}
	return where
}
