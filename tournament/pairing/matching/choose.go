package matching

import "slices"

// Pick matches u for good with the first vertex of the order that is its partner in some minimum-cost perfect matching,
// and returns it; the two leave the graph. Otherwise it changes nothing and returns -1. The graph must have been
// solved.
func (m *Matching) Pick(u int, order []int) int {
	if int(m.top[u]) != u {
		return m.pickAnew(u, order)
	}
	var v int
	if len(order) > 0 && m.Mate(u) == order[0] {
		v = order[0]
	} else {
		v = m.shift(int32(u), order)
	}
	if v == none {
		return none
	}
	m.takeOut(u, v)
	return v
}

// Narrow removes all edges of u except those to the vertices allowed, if a perfect matching of the same minimum
// cost remains; else it changes nothing and returns false. The graph must have been solved.
func (m *Matching) Narrow(u int, allowed Set) bool {
	if int(m.top[u]) != u {
		return m.narrowAnew(u, allowed)
	}
	if !allowed.Has(m.Mate(u)) {
		if m.shift(int32(u), slices.Collect(allowed.All())) == none {
			return false
		}
	}
	m.cutOthers(u, allowed)
	return true
}

// shift matches u with the first vertex of the order that is possible without changing the total cost, and returns
// it, or -1. A vertex v is possible if the edge has slack zero and, once u is removed, an even alternating path
// leads from u's mate to v: the path and the edge from u to v then exchange matched and unmatched edges.
func (m *Matching) shift(u int32, order []int) int {
	var possible []int32
	for _, v := range order {
		if m.edges[u].Has(v) && !m.gone.Has(v) && m.tight(u, int32(v)) {
			possible = append(possible, int32(v))
		}
	}
	if len(possible) == 0 {
		return none
	}
	mate := m.mate[u]
	m.gone.Add(int(u))
	m.mate[u], m.mate[mate] = none, none
	m.reach(mate, func() bool { return m.label[m.top[possible[0]]] == outer })
	at := slices.IndexFunc(possible, func(v int32) bool { return m.label[m.top[v]] == outer })
	if at >= 0 {
		m.augment(possible[at], u)
	} else {
		m.mate[u], m.mate[mate] = mate, u
	}
	m.clear()
	m.gone.Remove(int(u))
	if at < 0 {
		return none
	}
	return int(possible[at])
}

// takeOut removes a matched pair; its first vertex must be in no blossom. The rest remains solved: if the second was in
// blossoms, the only edge out of them is gone with it, and their surcharges are passed on to the vertices.
func (m *Matching) takeOut(u, v int) {
	for int(m.top[v]) != v {
		m.dissolve(m.top[v])
	}
	m.releaseEmpty()
	m.gone.Add(u)
	m.gone.Add(v)
}

// dissolve releases a blossom with a surcharge. Edges inside keep their slack, edges out of it get more.
func (m *Matching) dissolve(b int32) {
	extra := m.extra(b)
	for _, v := range m.appendVertices(nil, b) {
		for i, x := range extra {
			m.potential[int(v)*m.words+i] -= x / 2
		}
	}
	clear(extra)
	m.release(b)
}

func (m *Matching) cutOthers(u int, allowed Set) {
	for v := range m.edges[u].All() {
		if !allowed.Has(v) {
			m.edges.Cut(u, v)
		}
	}
}

// pickAnew is Pick for a vertex inside a blossom with a surcharge, where the edges of slack zero are not enough.
func (m *Matching) pickAnew(u int, order []int) int {
	for _, v := range order {
		if m.edges[u].Has(v) && !m.gone.Has(v) {
			only := NewSet(m.n)
			only.Add(v)
			if m.narrowAnew(u, only) {
				return v
			}
		}
	}
	return none
}

// narrowAnew is Narrow for a vertex inside a blossom with a surcharge: it solves again what the change leaves
// open, and rolls back if that costs more.
func (m *Matching) narrowAnew(u int, allowed Set) bool {
	saved, before := m.Clone(), m.Cost()
	for int(m.top[u]) != u {
		m.open(m.top[u])
	}
	m.releaseEmpty()
	m.narrowOpen(u, allowed)
	return m.stillCosts(before, saved)
}

// NarrowAll narrows many vertices at once: allowed[u] holds the mates that u keeps, nil if it keeps all. It does so if
// a perfect matching of the same minimum cost remains; else it changes nothing and returns false.
func (m *Matching) NarrowAll(allowed []Set) bool {
	saved, before := m.Clone(), m.Cost()
	for len(m.unused) < len(m.blossoms) {
		m.eachOutermost(m.open)
	}
	for u, set := range allowed {
		if set != nil {
			m.narrowOpen(u, set)
		}
	}
	return m.stillCosts(before, saved)
}

// Try returns the minimum cost if u's mate must be in allowed; false if that leaves no perfect matching. It changes
// nothing.
func (m *Matching) Try(u int, allowed Set) ([]int64, bool) {
	trial := m.Clone()
	for int(trial.top[u]) != u {
		trial.open(trial.top[u])
	}
	trial.releaseEmpty()
	trial.narrowOpen(u, allowed)
	if !trial.repair() {
		return nil, false
	}
	return trial.Cost(), true
}

// open dissolves a blossom, and unmatches the pair that leaves it: its edge has slack now.
func (m *Matching) open(b int32) {
	m.dissolve(b)
	m.unmatch(m.base[b])
}

// narrowOpen removes edges of a vertex that is in no blossom.
func (m *Matching) narrowOpen(u int, allowed Set) {
	m.cutOthers(u, allowed)
	if v := m.Mate(u); v != none && !allowed.Has(v) {
		m.unmatch(int32(u))
	}
}

// stillCosts solves what was left open; if that is impossible, or costs more than before, it rolls back to saved.
func (m *Matching) stillCosts(before []int64, saved *Matching) bool {
	if m.repair() && slices.Equal(m.Cost(), before) {
		return true
	}
	*m = *saved
	return false
}

func (m *Matching) unmatch(u int32) {
	if v := m.mate[u]; v != none {
		m.mate[u], m.mate[v] = none, none
	}
}
