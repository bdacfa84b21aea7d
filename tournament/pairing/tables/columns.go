package tables

import (
	"math/bits"
	"slices"
)

// maxColumns bounds the tables that are listed; larger problems are not proved beyond simple bounds.
const maxColumns = 1_000_000

// column is a table that may be part of the best round.
type column struct {
	mask uint64
	size uint8
	t    [5]uint8 // ascending
}

// members returns the entries of a table.
func (c *column) members(into []int) []int {
	into = into[:0]
	for _, i := range c.t[:c.size] {
		into = append(into, int(i))
	}
	return into
}

// lister lists tables under bans.
type lister struct {
	*problem
	meet  []uint64     // by entry: possible opponents
	plain uint64       // entries that may be at tables of another than the preferred size
	pots  [6][5]uint64 // by size and place at the table: possible entries
	cols  []column
}

// ban forbids tables with a cost by a criterion that costs the round nothing; it reports whether the bans are
// exhaustive.
func (l *lister) ban(c criterion) bool {
	for i := range l.n {
		if c.lone != nil && c.lone(i) > 0 {
			l.plain &^= 1 << i
		}
		if c.pair != nil {
			for j := range l.n {
				if i != j && c.pair(i, j) > 0 {
					l.meet[i] &^= 1 << j
				}
			}
		}
	}
	return c.pair != nil || c.lone != nil
}

func newLister(p *problem) *lister {
	l := &lister{problem: p, meet: make([]uint64, p.n), plain: 1<<p.n - 1}
	for s := range l.pots {
		for k := range l.pots[s] {
			l.pots[s][k] = ^uint64(0)
		}
	}
	for i := range p.n {
		for j := range p.n {
			if i != j && !p.barred[i][j] {
				l.meet[i] |= 1 << j
			}
		}
	}
	return l
}

// list lists the tables; false if they are too many.
func (l *lister) list() bool {
	for _, size := range slices.Compact(slices.Clone(l.sizes)) {
		open := uint64(1<<l.n - 1)
		if size != l.Preferred {
			open &= l.plain
		}
		if !l.extend(column{size: uint8(size)}, 0, open) {
			return false
		}
	}
	return true
}

// extend adds the tables that begin with k entries and go on with some that are open.
func (l *lister) extend(c column, k int, open uint64) bool {
	if k == int(c.size) {
		l.cols = append(l.cols, c)
		return len(l.cols) <= maxColumns
	}
	for m := open & l.pots[c.size][k]; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		next := c
		next.mask |= 1 << i
		next.t[k] = uint8(i)
		if !l.extend(next, k+1, open&l.meet[i]&^(1<<(i+1)-1)) {
			return false
		}
	}
	return true
}

// evaluator computes values of a criterion in its unit.
type evaluator struct {
	*problem
	criterion
	pairs, lones []int64
}

func (p *problem) evaluator(c criterion) *evaluator {
	e := &evaluator{problem: p, criterion: c}
	if c.pair != nil {
		e.pairs = make([]int64, p.n*p.n)
		for i := range p.n {
			for j := range p.n {
				if i != j {
					e.pairs[i*p.n+j] = c.pair(i, j) / c.unit
				}
			}
		}
	}
	if c.lone != nil {
		e.lones = make([]int64, p.n)
		for i := range p.n {
			e.lones[i] = c.lone(i) / c.unit
		}
	}
	return e
}

// of returns the value of a table.
func (e *evaluator) of(c *column) int64 {
	var sum int64
	switch {
	case e.pairs != nil:
		for a := 1; a < int(c.size); a++ {
			row := e.pairs[int(c.t[a])*e.n:]
			for b := range a {
				sum += row[c.t[b]]
			}
		}
	case e.lones != nil:
		if int(c.size) != e.Preferred {
			for _, i := range c.t[:c.size] {
				sum += e.lones[i]
			}
		}
	default:
		var t [5]int
		sum = e.value(e.criterion, c.members(t[:])) / e.unit
	}
	return sum
}
