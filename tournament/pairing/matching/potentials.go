package matching

import "slices"

// raise changes the potentials of the tree as far as possible: until an edge that lets the tree grow has slack
// zero, or an inner blossom has no surcharge left. It returns false if that never happens: the root has no mate.
func (m *Matching) raise() bool {
	if !m.findStep() {
		return false
	}
	if isZero(m.step) {
		return true
	}
	for v := range m.n {
		if m.gone.Has(v) {
			continue
		}
		slack, potential := m.slack[v*m.words:][:m.words], m.potential[v*m.words:][:m.words]
		label := m.label[m.top[v]]
		for i, s := range m.step {
			switch label {
			case outer:
				potential[i] += s / 2
				slack[i] -= s
			case inner:
				potential[i] -= s / 2
			case unlabelled:
				slack[i] -= s / 2
			}
		}
	}
	m.eachOutermost(func(b int32) {
		extra := m.extra(b)
		for i, s := range m.step {
			switch m.label[b] {
			case outer:
				extra[i] += s
			case inner:
				extra[i] -= s
			}
		}
	})
	return true
}

// eachOutermost calls do for the outermost blossoms that are not single vertices.
func (m *Matching) eachOutermost(do func(b int32)) {
	if len(m.unused) == len(m.blossoms) {
		return
	}
	for i := range m.blossoms {
		if b := int32(m.n + i); m.blossoms[i].ring != nil && m.parent[b] == none {
			do(b)
		}
	}
}

// findStep sets step to the smallest change after which the tree can grow, doubled.
func (m *Matching) findStep() bool {
	found := false
	take := func(doubled []int64) {
		if !found || slices.Compare(doubled, m.step) < 0 {
			copy(m.step, doubled)
			found = true
		}
	}
	for v := range int32(m.n) {
		if m.nearest[v] == none {
			continue
		}
		slack := m.slack[int(v)*m.words:][:m.words]
		switch m.label[m.top[v]] {
		case unlabelled:
			for i, s := range slack {
				m.other[i] = 2 * s
			}
			take(m.other)
		case outer:
			if m.top[m.nearest[v]] == m.top[v] && !m.renote(v) {
				continue
			}
			take(slack)
		}
	}
	m.eachOutermost(func(b int32) {
		if m.label[b] == inner {
			take(m.extra(b))
		}
	})
	return found
}

// renote searches for the outer vertex with the least slack to v again, after the last has come into v's own blossom.
func (m *Matching) renote(v int32) bool {
	m.nearest[v] = none
	for u := range m.edges[v].All() {
		if b := m.top[u]; b != m.top[v] && m.label[b] == outer && !m.gone.Has(u) {
			m.note(int32(u), v)
		}
	}
	return m.nearest[v] != none
}

// meetTight adds all edges without slack to the tree, and expands the inner blossoms without surcharge; it returns true
// if the root was matched.
func (m *Matching) meetTight() bool {
	for v := range int32(m.n) {
		u := m.nearest[v]
		if u == none || m.label[m.top[v]] == inner || m.top[u] == m.top[v] || !isZero(m.slack[int(v)*m.words:][:m.words]) {
			continue
		}
		if m.meet(u, v) {
			return true
		}
	}
	var empty []int32
	m.eachOutermost(func(b int32) {
		if m.label[b] == inner && isZero(m.extra(b)) {
			empty = append(empty, b)
		}
	})
	for _, b := range empty {
		m.expand(b)
	}
	return false
}
