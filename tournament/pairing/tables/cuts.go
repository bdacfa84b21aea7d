package tables

import (
	"cmp"
	"math/bits"
	"slices"
)

// tally is a whole number of every table: how many times k of a set of entries are at it. It may leave out tables of a
// given size.
type tally struct {
	set  uint64
	k    int
	away uint8
}

// of returns the number for a table.
func (t tally) of(c *column) int64 {
	if c.size == t.away {
		return 0
	}
	return int64(bits.OnesCount64(c.mask&t.set) / t.k)
}

// cut is an inequality: the tally of all tables times sign is most or less. If every round satisfies it, but a round of
// tables taken in part may not, most is the tally of the set itself (Chvátal 1973; Jepsen and others 2008 for sets of
// three).
type cut struct {
	tally
	sign, most int64
}

// cutOf returns the inequality that every round satisfies.
func cutOf(set uint64, k int) cut {
	return cut{tally: tally{set: set, k: k}, sign: 1, most: int64(bits.OnesCount64(set) / k)}
}

// of returns the number for a table.
func (c cut) of(t *column) int64 { return c.sign * c.tally.of(t) }

// Bounds on cuts: rounds of searching, new cuts a round, and cuts in all.
const (
	cutRounds = 12
	newCuts   = 12
	maxCuts   = 70
)

// tighten solves the program, adds cuts that its solution violates, and so on until the bound reaches the value that
// is known or nothing helps. Columns that cannot be part of a round with this value are left out; the others are
// returned with the last prices.
func (lp *program) tighten(active []int32, value int64, ranges []uint64) ([]int32, prices) {
	lp.solve(active, 100*lp.m)
	p := lp.bound(active)
	active = lp.without(active, p, value)
	for range cutRounds {
		if p.floor() >= value || len(lp.cuts) >= maxCuts {
			break
		}
		found := lp.violated(ranges)
		if len(found) == 0 {
			break
		}
		lp.addCuts(found)
		lp.solve(active, 100*lp.m)
		p = lp.bound(active)
		active = lp.without(active, p, value)
	}
	return active, p
}

// without returns the active columns that can be part of a round that costs no more than value; the others are dead.
func (lp *program) without(active []int32, p prices, value int64) []int32 {
	kept := lp.keep(active, p, value)
	for _, j := range active {
		lp.dead[j] = true
	}
	for _, j := range kept {
		lp.dead[j] = false
	}
	return kept
}

// needed returns the cuts that the prices use.
func (lp *program) needed(p prices) []cut {
	var needed []cut
	for k, c := range lp.cuts {
		if p.u[lp.cutRow+k] < 0 {
			needed = append(needed, c)
		}
	}
	return needed
}

// addCuts adds rows; what the solution has beyond them is missing at first.
func (lp *program) addCuts(cuts []cut) {
	for range cuts {
		lp.basis = append(lp.basis, int32(-2-2*lp.m))
		lp.m++
	}
	lp.cuts = append(slices.Clip(lp.cuts), cuts...)
	lp.resize()
	lp.refactor()
}

// violated returns the cuts that the solution violates most: of the ranges, and of three entries.
func (lp *program) violated(ranges []uint64) []cut {
	type candidate struct {
		cut
		by float64
	}
	var found []candidate
	consider := func(c cut) {
		sum := 0.0
		for r, j := range lp.basis {
			if j >= 0 {
				sum += float64(lp.x[r] * float64(c.of(&lp.cols[j])))
			}
		}
		if by := sum - float64(c.most); by > 0.02 && !slices.Contains(lp.cuts, c) {
			found = append(found, candidate{c, by})
		}
	}
	for _, set := range ranges {
		for k := 2; k <= 5; k++ {
			consider(cutOf(set, k))
		}
	}
	if len(found) == 0 {
		for a := range lp.n {
			for b := range a {
				for c := range b {
					if lp.often(a, b, c) {
						consider(cutOf(1<<a|1<<b|1<<c, 2))
					}
				}
			}
		}
	}
	lp.work += int64(len(ranges) * 4 * lp.m)
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.by, a.by) })
	var out []cut
	for _, f := range found[:min(len(found), newCuts, maxCuts-len(lp.cuts))] {
		out = append(out, f.cut)
	}
	return out
}

// often reports whether the tables with two or three of these entries are taken more than once in sum.
func (lp *program) often(a, b, c int) bool {
	sum := 0.0
	set := uint64(1<<a | 1<<b | 1<<c)
	for r, j := range lp.basis {
		if j >= 0 && bits.OnesCount64(lp.cols[j].mask&set) > 1 {
			sum += lp.x[r]
		}
	}
	lp.work += int64(lp.m)
	return sum > 1.02
}

// ranges returns the sets of entries with points between two of the scores that occur.
func (p *problem) ranges() []uint64 {
	var out []uint64
	for a := range p.n {
		if a > 0 && p.points[a] == p.points[a-1] {
			continue
		}
		set := uint64(0)
		for b := a; b < p.n; b++ {
			set |= 1 << b
			if b == p.n-1 || p.points[b+1] != p.points[b] {
				out = append(out, set)
			}
		}
	}
	return out
}
