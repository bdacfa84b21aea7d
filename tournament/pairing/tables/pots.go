package tables

import (
	"cmp"
	"slices"
)

// With equal points (round 1) criterion D of a table in the order is the sum of its places times 1−s, 3−s, …, s−1 for
// the first, the second … of s. By the rearrangement inequality no round is better than that with the least factors at
// the first places; and a round that is as good has the same factor at each place.

// level reports whether all seated have equal points.
func (p *problem) level() bool { return p.points[0] == p.points[p.n-1] }

// factors returns the factors of all seats in ascending order.
func (p *problem) factors() []int {
	var out []int
	for _, s := range p.sizes {
		for k := range s {
			out = append(out, 2*k+1-s)
		}
	}
	slices.SortFunc(out, cmp.Compare[int])
	return out
}

// potsBound returns a lower bound for D and, if all tables have equal sizes, for E (which is least if the sums of
// places are equal), among rounds that reach that of D; for other criteria, and unequal points, the criterion's own
// bound.
func (p *problem) potsBound(c criterion) int64 {
	if !p.level() {
		return c.low
	}
	var sum, squares, d int64
	for i, f := range p.factors() {
		d -= int64(f) * p.rank[i]
		sum, squares = sum+p.rank[i], squares+p.rank[i]*p.rank[i]
	}
	tables, size := int64(len(p.sizes)), int64(p.sizes[0])
	switch {
	case c.name == "D":
		return d
	case c.name == "E" && p.sizes[0] == p.sizes[len(p.sizes)-1]:
		low := sum / tables
		higher := sum - low*tables // the number of tables with a sum of low + 1
		return higher*(low+1)*(low+1) + (tables-higher)*low*low - size*squares
	}
	return c.low
}

// restrict bans the tables that are in no round with the best D.
func (l *lister) restrict() {
	factors := l.factors()
	for s := 3; s <= 5; s++ {
		for k := range s {
			l.pots[s][k] = 0
			for i, f := range factors {
				if f == 2*k+1-s {
					l.pots[s][k] |= 1 << i
				}
			}
		}
	}
}
