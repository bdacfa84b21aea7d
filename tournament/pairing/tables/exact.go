package tables

import (
	"math/bits"
	"slices"
)

// exact returns the best tables of up to ExactLimit entries.
func (p *problem) exact() [][]int {
	e := newSubsets(p, 0)
	for s := 3; s <= 5; s++ {
		if slices.Contains(p.sizes, s) {
			e.add(nil, s)
		}
	}
	tables, _ := e.run()
	return tables
}

// subsets is dynamic programming over the sets of entries that are still to be seated. The next table is always that
// of the first of them, so the k-th table taken is number k of criterion T, and T is a sum as well: entry i at table k
// adds k in the i-th group of four bits.
type subsets struct {
	*problem
	left   uint32 // tables of each size in all, a byte each
	states []subset
	words  []int64
	extra  int // words of a cost after the first
	more   int // and of slack
	limit  []int64
	most   int     // states; 0 for any number
	slots  []int32 // hash table of states, by index + 1; a power of two long
	pieces [maxProved][6][]piece
	masks  [maxProved][6][]uint64 // of the pieces, close together: most of them are only looked at here
}

// spots are the entries of criterion T, fifteen to a word, the first most significant.
type spots [3]uint64

// subset is a state: the entries still to be seated and the tables used, with the best way there.
type subset struct {
	open  uint64
	table uint64 // the last table
	cost  int64  // first word
	order spots  // T
	used  uint32 // tables of sizes 3, 4, 5 so far, a byte each
	from  int32
	rest  int32 // index of the words after the first
}

// piece is a table.
type piece struct {
	cost  int64 // first word
	order spots
	rest  int32 // index of the words after the first
}

func newSubsets(p *problem, slacks int) *subsets {
	e := &subsets{problem: p, extra: max(p.nwords-1, 0), more: slacks, slots: make([]int32, 1<<10)}
	for _, s := range p.sizes {
		e.left += 1 << (8 * (s - 3))
	}
	return e
}

// add adds the tables of a size that begin with these entries and have no forbidden pair.
func (e *subsets) add(t []int, size int) {
	if len(t) == size {
		e.take(t, nil)
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

// take adds a table.
func (e *subsets) take(t []int, slack []int64) {
	cost := e.cost(t)
	made, mask := piece{cost: cost[0], rest: int32(len(e.words))}, uint64(0)
	e.words = append(append(e.words, cost[1:1+e.extra]...), slack...)
	for _, i := range t {
		mask |= 1 << i
		made.order[i/15] |= 1 << (4 * (14 - i%15))
	}
	e.pieces[t[0]][len(t)] = append(e.pieces[t[0]][len(t)], made)
	e.masks[t[0]][len(t)] = append(e.masks[t[0]][len(t)], mask)
}

// barredAt reports whether i may not meet an entry of a table.
func (p *problem) barredAt(t []int, i int) bool {
	for _, j := range t {
		if p.barred[i][j] {
			return true
		}
	}
	return false
}

// run returns the best round; false if none exists or the states are too many.
func (e *subsets) run() ([][]int, bool) {
	e.states = append(e.states, subset{open: 1<<e.n - 1, rest: int32(len(e.words)), from: -1})
	e.words = append(e.words, make([]int64, e.extra+e.more)...)
	layer := []int32{0}
	for range e.sizes {
		var next []int32
		for _, s := range layer {
			next = e.expand(s, next)
			if e.most > 0 && len(e.states) > e.most {
				return nil, false
			}
		}
		layer = next
	}
	if len(layer) == 0 {
		return nil, false
	}
	return e.trace(layer[0]), true
}

// expand seats the first open entry in all ways, and appends the states that are new to next.
func (e *subsets) expand(at int32, next []int32) []int32 {
	s := e.states[at]
	first := bits.TrailingZeros64(s.open)
	depth := uint64(1)
	for k := range 3 {
		depth += uint64(s.used >> (8 * k) & 255)
	}
	for size := 3; size <= 5; size++ {
		shift := 8 * (size - 3)
		if (s.used>>shift)&255 >= (e.left>>shift)&255 {
			continue
		}
		pieces := e.pieces[first][size]
		for k, mask := range e.masks[first][size] {
			if mask&^s.open != 0 {
				continue
			}
			t := &pieces[k]
			if e.more > 0 && e.beyond(s.rest, t.rest) {
				continue
			}
			way := subset{open: s.open &^ mask, used: s.used + 1<<shift, from: at, table: mask, cost: s.cost + t.cost}
			for k := range way.order {
				way.order[k] = s.order[k] + t.order[k]*depth
			}
			next = e.relax(&way, s.rest, t.rest, next)
		}
	}
	return next
}

// beyond reports whether the slacks at a and b add up to more than a round can have.
func (e *subsets) beyond(a, b int32) bool {
	for k, limit := range e.limit {
		at := int32(e.extra + k)
		if e.words[a+at]+e.words[b+at] > limit {
			return true
		}
	}
	return false
}

// relax takes a way to a state if it is the best so far; the words after the first are the sums of those at a and b.
func (e *subsets) relax(way *subset, a, b int32, next []int32) []int32 {
	slot := e.find(way.used, way.open)
	if e.slots[slot] == 0 {
		id := int32(len(e.states))
		e.slots[slot] = id + 1
		way.rest = int32(len(e.words))
		e.states = append(e.states, *way)
		for k := range int32(e.extra + e.more) {
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
	*old = *way
	for k := range int32(e.extra + e.more) {
		e.words[way.rest+k] = e.words[a+k] + e.words[b+k]
	}
	return next
}

// find returns the slot of a state, or the free slot where it belongs.
func (e *subsets) find(used uint32, open uint64) int {
	last := len(e.slots) - 1
	slot := int((open^uint64(used)<<40)*0x9E3779B97F4A7C15>>30) & last
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
		if id > 0 {
			e.slots[e.find(e.states[id].used, e.states[id].open)] = int32(id) + 1
		}
	}
}

// better reports whether a way with the same first word is better than the old way.
func (e *subsets) better(way, old *subset, a, b int32) bool {
	for k := range int32(e.extra) {
		if sum := e.words[a+k] + e.words[b+k]; sum != e.words[old.rest+k] {
			return sum < e.words[old.rest+k]
		}
	}
	return slices.Compare(way.order[:], old.order[:]) < 0
}

// trace returns the tables on the way to a state.
func (e *subsets) trace(at int32) [][]int {
	var out [][]int
	for ; e.states[at].from >= 0; at = e.states[at].from {
		var t []int
		for m := e.states[at].table; m != 0; m &= m - 1 {
			t = append(t, bits.TrailingZeros64(m))
		}
		out = append(out, t)
	}
	return out
}
