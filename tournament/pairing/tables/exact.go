package tables

import (
	"math/bits"
	"slices"
)

// exact returns the best tables of up to ExactLimit entries: dynamic programming over the sets of entries that are
// still to be seated. The next table is always that of the first of them, so the k-th table taken is number k of
// criterion T, and T is a sum as well: entry i at table k adds k in the i-th group of three bits.
func (p *problem) exact() [][]int {
	e := newSubsets(p)
	layer := []int32{e.start()}
	for range p.sizes {
		var next []int32
		for _, s := range layer {
			next = e.expand(s, next)
		}
		layer = next
	}
	return e.trace(layer[0])
}

// subset is a state: the entries still to be seated and the tables used, with the best way there.
type subset struct {
	open  uint32
	used  uint32 // tables of sizes 3, 4, 5 so far, a byte each
	from  int32
	table uint32 // the last one
	rest  int32  // index of the words after the first
	cost  int64  // first word
	order uint64 // T
}

// piece is a table.
type piece struct {
	mask  uint32
	cost  int64 // first word
	rest  int32 // index of the words after the first
	spots uint64
}

type subsets struct {
	*problem
	left   uint32 // tables of each size in all, a byte each
	states []subset
	words  []int64
	extra  int                    // words after the first
	slots  []int32                // hash table of states, one more than their index; a power of two long
	pieces [ExactLimit][6][]piece // by first entry and size
}

func newSubsets(p *problem) *subsets {
	e := &subsets{problem: p, extra: max(p.nwords-1, 0), slots: make([]int32, 1<<10)}
	for _, s := range p.sizes {
		e.left += 1 << (8 * (s - 3))
	}
	for s := 3; s <= 5; s++ {
		if slices.Contains(p.sizes, s) {
			e.add(nil, s)
		}
	}
	return e
}

// add adds the tables of a size that begin with these entries and have no forbidden pair.
func (e *subsets) add(t []int, size int) {
	if len(t) == size {
		cost := e.cost(t)
		made := piece{cost: cost[0], rest: int32(len(e.words))}
		e.words = append(e.words, cost[1:1+e.extra]...)
		for _, i := range t {
			made.mask |= 1 << i
			made.spots |= 1 << (3 * (ExactLimit - 1 - i))
		}
		e.pieces[t[0]][size] = append(e.pieces[t[0]][size], made)
		return
	}
	first := 0
	if len(t) > 0 {
		first = t[len(t)-1] + 1
	}
	for i := first; i < e.n; i++ {
		if !e.barredAt(t, i) {
			e.add(append(t[:len(t):len(t)], i), size)
		}
	}
}

// barredAt reports whether i may not meet one of a table.
func (p *problem) barredAt(t []int, i int) bool {
	for _, j := range t {
		if p.barred[i][j] {
			return true
		}
	}
	return false
}

func (e *subsets) start() int32 {
	e.states = append(e.states, subset{open: 1<<e.n - 1, rest: int32(len(e.words)), from: -1})
	e.words = append(e.words, make([]int64, e.extra)...)
	return 0
}

// expand seats the first of those who are open in all ways, and appends the states that are new to next.
func (e *subsets) expand(at int32, next []int32) []int32 {
	s := e.states[at]
	if s.open == 0 {
		return next
	}
	first := bits.TrailingZeros32(s.open)
	depth := uint64(0)
	for k := range 3 {
		depth += uint64(s.used >> (8 * k) & 255)
	}
	for size := 3; size <= 5; size++ {
		unit := uint32(1) << (8 * (size - 3))
		if (s.used>>(8*(size-3)))&255 >= (e.left>>(8*(size-3)))&255 {
			continue
		}
		for k := range e.pieces[first][size] {
			t := &e.pieces[first][size][k]
			if t.mask&^s.open != 0 {
				continue
			}
			way := subset{
				open: s.open &^ t.mask, used: s.used + unit, from: at, table: t.mask,
				cost: s.cost + t.cost, order: s.order + t.spots*(depth+1),
			}
			next = e.relax(way, s.rest, t.rest, next)
		}
	}
	return next
}

// relax takes a way to a state if it is the best so far; the words after the first are the sums of those at a and b.
func (e *subsets) relax(way subset, a, b int32, next []int32) []int32 {
	slot := e.find(way.used, way.open)
	if e.slots[slot] == 0 {
		id := int32(len(e.states))
		e.slots[slot] = id + 1
		way.rest = int32(len(e.words))
		e.states = append(e.states, way)
		for k := range int32(e.extra) {
			e.words = append(e.words, e.words[a+k]+e.words[b+k])
		}
		e.grow()
		return append(next, id)
	}
	old := &e.states[e.slots[slot]-1]
	if way.cost > old.cost || way.cost == old.cost && !e.better(way, old, a, b) {
		return next
	}
	way.rest = old.rest
	*old = way
	for k := range int32(e.extra) {
		e.words[way.rest+k] = e.words[a+k] + e.words[b+k]
	}
	return next
}

// find returns the slot of a state, or the free one where it belongs.
func (e *subsets) find(used, open uint32) int {
	last := len(e.slots) - 1
	slot := int((uint64(used)<<32|uint64(open))*0x9E3779B97F4A7C15>>32) & last
	for e.slots[slot] != 0 {
		if s := &e.states[e.slots[slot]-1]; s.used == used && s.open == open {
			break
		}
		slot = (slot + 1) & last
	}
	return slot
}

// grow keeps half of the slots free.
func (e *subsets) grow() {
	if 2*len(e.states) < len(e.slots) {
		return
	}
	e.slots = make([]int32, 2*len(e.slots))
	for id := range e.states {
		e.slots[e.find(e.states[id].used, e.states[id].open)] = int32(id) + 1
	}
}

// better reports whether a way with the same first word is better than the old one.
func (e *subsets) better(way subset, old *subset, a, b int32) bool {
	for k := range int32(e.extra) {
		if sum := e.words[a+k] + e.words[b+k]; sum != e.words[old.rest+k] {
			return sum < e.words[old.rest+k]
		}
	}
	return way.order < old.order
}

// trace returns the tables on the way to a state.
func (e *subsets) trace(at int32) [][]int {
	var out [][]int
	for ; e.states[at].from >= 0; at = e.states[at].from {
		var t []int
		for m := e.states[at].table; m != 0; m &= m - 1 {
			t = append(t, bits.TrailingZeros32(m))
		}
		out = append(out, t)
	}
	return out
}
