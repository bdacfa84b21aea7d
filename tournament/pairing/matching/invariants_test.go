package matching

import (
	"testing"

	"pgregory.net/rapid"
)

// checkInvariants demands the proof that the matching is of least cost: no slack is negative, matched edges and those
// along the rings have none, and every blossom is left by a single matched edge, at its base.
func checkInvariants(t *rapid.T, m *Matching) {
	for u := range m.n {
		if m.gone.Has(u) {
			continue
		}
		if v := m.Mate(u); v < 0 || m.Mate(v) != u || !m.edges[u].Has(v) {
			t.Fatalf("%d is matched with %d, which has no or another mate, or without an edge", u, v)
		}
		for v := range m.edges[u].All() {
			if m.gone.Has(v) {
				continue
			}
			s := m.fullSlack(int32(u), int32(v))
			if less(s) || m.Mate(u) == v && !isZero(s) {
				t.Fatalf("edge %d-%d has slack %v; matched: %v", u, v, s, m.Mate(u) == v)
			}
		}
	}
	ids := len(m.unused)
	for _, bl := range m.blossoms {
		if bl.ring != nil {
			ids++
		}
	}
	if ids != len(m.blossoms) {
		t.Fatalf("%d blossoms and unused ids, want %d", ids, len(m.blossoms))
	}
	for i, bl := range m.blossoms {
		b := int32(m.n + i)
		if bl.ring == nil {
			continue
		}
		if less(m.extra(b)) || m.parent[b] == none && isZero(m.extra(b)) || m.base[b] != m.base[bl.ring[0]] ||
			len(bl.ring)%2 == 0 || len(bl.links) != len(bl.ring) {
			t.Fatalf("blossom %d is not sound: %+v", b, bl)
		}
		for j, e := range bl.links {
			if !m.inside(e.from, bl.ring[j]) || !m.inside(e.to, bl.ring[(j+1)%len(bl.ring)]) {
				t.Fatalf("link %v of blossom %d does not join its neighbours", e, b)
			}
			if !m.edges[e.from].Has(int(e.to)) || !isZero(m.fullSlack(e.from, e.to)) || (m.mate[e.from] == e.to) != (j%2 == 1) {
				t.Fatalf("link %v of blossom %d: cut, slack, or matched wrongly", e, b)
			}
		}
	}
}

func less(v []int64) bool {
	for _, x := range v {
		if x != 0 {
			return x < 0
		}
	}
	return false
}

func (m *Matching) inside(v, b int32) bool {
	for ; v != b; v = m.parent[v] {
		if m.parent[v] == none {
			return false
		}
	}
	return true
}

func (m *Matching) fullSlack(u, v int32) []int64 {
	out := make([]int64, m.words)
	for i, c := range m.cost(u, v) {
		out[i] = c - m.potential[int(u)*m.words+i] - m.potential[int(v)*m.words+i]
	}
	for b := m.parent[u]; b != none; b = m.parent[b] {
		if m.inside(v, b) {
			for i, x := range m.extra(b) {
				out[i] += x
			}
		}
	}
	return out
}

// TestLessJudges keeps the test's own judge honest.
func TestLessJudges(t *testing.T) {
	if less([]int64{0, 0}) || less([]int64{1, -5}) || !less([]int64{0, -1, 7}) {
		t.Error("the order of vectors is wrong")
	}
}
