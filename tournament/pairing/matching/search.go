package matching

import (
	"math/bits"
	"slices"
)

// Labels of outermost blossoms in an alternating tree.
const (
	unlabelled uint8 = iota
	outer            // at an even distance from the root: may get a new mate
	inner            // at an odd distance
)

// search is the alternating tree of a search, and the data for growing it further.
type search struct {
	label []uint8 // of each id that is an outermost blossom
	entry []link  // of each inner blossom: the edge from the outer vertex to it
	queue []int32 // outer vertices with edges still to scan
	// nearest is, for each vertex, the outer vertex of another blossom with the least slack, and slack is that
	// slack. They are not kept for inner single vertices, nor in searches that leave the potentials alone.
	nearest []int32
	slack   []int64
	step    []int64 // twice the next change of the potentials
	other   []int64
	fixed   bool // potentials stay as they are: only edges of slack zero count
}

func (s *search) init(n, ids, words int) {
	s.label = make([]uint8, ids)
	s.entry = make([]link, ids)
	s.queue = nil
	s.nearest, s.slack = make([]int32, n), make([]int64, n*words)
	s.step, s.other = make([]int64, words), make([]int64, words)
	for v := range s.nearest {
		s.nearest[v] = none
	}
}

// match finds a mate for the unmatched vertex, at minimum total cost, or returns false.
func (m *Matching) match(root int32) bool {
	m.fixed = false
	m.addOuter(m.top[root])
	defer m.clear()
	for {
		if m.scanAll() {
			return true
		}
		if !m.raise() {
			return false
		}
		if m.meetTight() {
			return true
		}
	}
}

// reach grows the tree of the unmatched vertex over edges of slack zero until it can grow no more, or until enough
// returns true. It matches nothing; the caller must call clear.
func (m *Matching) reach(root int32, enough func() bool) {
	m.fixed = true
	m.addOuter(m.top[root])
	for len(m.queue) > 0 && !enough() {
		u := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		m.scan(u)
	}
}

// addOuter adds an outermost blossom to the tree at an even distance.
func (m *Matching) addOuter(b int32) {
	m.label[b] = outer
	m.queue = m.appendVertices(m.queue, b)
}

// appendVertices appends the vertices of a blossom.
func (m *Matching) appendVertices(to []int32, b int32) []int32 {
	if int(b) < m.n {
		return append(to, b)
	}
	for _, child := range m.ring(b) {
		to = m.appendVertices(to, child)
	}
	return to
}

func (m *Matching) ring(b int32) []int32 { return m.blossoms[int(b)-m.n].ring }

func (m *Matching) extra(b int32) []int64 {
	return m.surcharge[(int(b)-m.n)*m.words:][:m.words]
}

// scanAll scans the edges of all outer vertices; it returns true if the root has found a mate.
func (m *Matching) scanAll() bool {
	for len(m.queue) > 0 {
		u := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		if m.scan(u) {
			return true
		}
	}
	return false
}

// scan looks at the edges of an outer vertex.
func (m *Matching) scan(u int32) bool {
	for i, word := range m.edges[u] {
		for word &^= m.gone[i]; word != 0; word &= word - 1 {
			v := int32(i*64 + bits.TrailingZeros64(word))
			b := m.top[v]
			if b == m.top[u] || m.label[b] == inner && b == v {
				continue
			}
			if m.tight(u, v) {
				if m.label[b] != inner {
					if m.meet(u, v) {
						return true
					}
					continue
				}
			}
			if !m.fixed {
				m.note(u, v)
			}
		}
	}
	return false
}

// note records the edge from the outer vertex u if it has the least slack for v.
func (m *Matching) note(u, v int32) {
	a, b := int(u)*m.words, int(v)*m.words
	least := m.slack[b : b+m.words]
	smaller := m.nearest[v] == none
	for i, c := range m.cost(u, v) {
		s := c - m.potential[a+i] - m.potential[b+i]
		if !smaller {
			if s > least[i] {
				return
			}
			smaller = s < least[i]
		}
		if smaller {
			least[i] = s
		}
	}
	if smaller {
		m.nearest[v] = u
	}
}

// meet adds an edge of slack zero from the outer vertex u to a vertex of another blossom to the tree; it returns
// true if that matched the root.
func (m *Matching) meet(u, v int32) bool {
	b := m.top[v]
	switch m.label[b] {
	case outer:
		if m.top[u] != b {
			m.shrink(u, v)
		}
	case unlabelled:
		mate := m.mate[m.base[b]]
		if mate == none {
			m.augment(u, v)
			return true
		}
		m.label[b], m.entry[b] = inner, link{u, v}
		m.addOuter(m.top[mate])
	}
	return false
}

// augment matches the outer vertex u with v, which is in a blossom outside the tree, and shifts the mates on the path
// from u to the root.
func (m *Matching) augment(u, v int32) {
	m.rebase(m.top[v], v)
	for {
		b := m.top[u]
		mate := m.mate[m.base[b]]
		m.rebase(b, u)
		m.mate[u], m.mate[v] = v, u
		if mate == none {
			return
		}
		e := m.entry[m.top[mate]]
		m.rebase(m.top[mate], e.to)
		u, v = e.from, e.to
	}
}

// rebase makes v the vertex of the blossom that is matched outside, and rematches the others inside it.
func (m *Matching) rebase(b, v int32) {
	if int(b) < m.n {
		return
	}
	child := v
	for m.parent[child] != b {
		child = m.parent[child]
	}
	m.rebase(child, v)
	m.base[b] = v
	bl := &m.blossoms[int(b)-m.n]
	at := slices.Index(bl.ring, child)
	if at == 0 {
		return
	}
	from, to := 0, at // the links to be matched now: every second link on the even way from child to the old base
	if at%2 == 1 {
		from, to = at+1, len(bl.ring)
	}
	for i := from; i < to; i += 2 {
		e := bl.links[i]
		m.rebase(bl.ring[i], e.from)
		m.rebase(bl.ring[(i+1)%len(bl.ring)], e.to)
		m.mate[e.from], m.mate[e.to] = e.to, e.from
	}
	rotate(bl.ring, at)
	rotate(bl.links, at)
}

// rotate moves the element at this index to the front.
func rotate[T any](s []T, at int) {
	slices.Reverse(s[:at])
	slices.Reverse(s[at:])
	slices.Reverse(s)
}

// shrink contracts the odd cycle that the edge between two outer vertices closes into a single outer blossom.
func (m *Matching) shrink(u, v int32) {
	left, right := m.ways(m.top[u], m.top[v])
	slices.Reverse(left.ring)
	slices.Reverse(left.links)
	for i, e := range left.links {
		left.links[i] = link{e.to, e.from}
	}
	last := len(m.unused) - 1
	b := m.unused[last]
	m.unused = m.unused[:last]
	bl := blossom{
		ring:  append(left.ring, right.ring[:len(right.ring)-1]...),
		links: append(append(left.links, link{u, v}), right.links...),
	}
	m.blossoms[int(b)-m.n] = bl
	clear(m.extra(b))
	m.base[b], m.label[b], m.parent[b] = m.base[bl.ring[0]], outer, none
	for _, child := range bl.ring {
		m.parent[child] = b
		if m.label[child] == inner {
			m.queue = m.appendVertices(m.queue, child)
		}
	}
	m.setTop(b, b)
}

// ways returns the paths up the tree from two outer blossoms to their lowest common ancestor: the blossoms, the
// ancestor included, and the links between them.
func (m *Matching) ways(a, b int32) (left, right blossom) {
	left, right = blossom{ring: []int32{a}}, blossom{ring: []int32{b}}
	for {
		if i := slices.Index(right.ring, left.ring[len(left.ring)-1]); i >= 0 {
			return left, blossom{right.ring[:i+1], right.links[:i]}
		}
		if i := slices.Index(left.ring, right.ring[len(right.ring)-1]); i >= 0 {
			return blossom{left.ring[:i+1], left.links[:i]}, right
		}
		m.up(&left)
		m.up(&right)
	}
}

// up extends a path up the tree by an inner blossom and the outer blossom above; at the root it stays.
func (m *Matching) up(w *blossom) {
	base := m.base[w.ring[len(w.ring)-1]]
	mate := m.mate[base]
	if mate == none {
		return
	}
	e := m.entry[m.top[mate]]
	w.ring = append(w.ring, m.top[mate], m.top[e.from])
	w.links = append(w.links, link{base, mate}, link{e.to, e.from})
}

func (m *Matching) setTop(b, top int32) {
	if int(b) < m.n {
		m.top[b] = top
		return
	}
	for _, child := range m.ring(b) {
		m.setTop(child, top)
	}
}

// release makes the children of a blossom outermost blossoms; the blossom no longer exists.
func (m *Matching) release(b int32) {
	for _, child := range m.ring(b) {
		m.parent[child] = none
		m.setTop(child, child)
	}
	m.blossoms[int(b)-m.n] = blossom{}
	m.label[b] = unlabelled
	m.unused = append(m.unused, b)
}

// expand replaces an inner blossom in the tree by its children: those on the even path from where the tree enters
// it to its base become inner and outer in turn, the others leave the tree.
func (m *Matching) expand(b int32) {
	e, bl := m.entry[b], m.blossoms[int(b)-m.n]
	m.release(b)
	at := slices.Index(bl.ring, m.top[e.to])
	next, end := 1, len(bl.ring)
	if at%2 == 0 {
		next, end = -1, 0
	}
	for _, child := range bl.ring {
		m.label[child] = unlabelled
	}
	m.label[bl.ring[at]], m.entry[bl.ring[at]] = inner, e
	for i := at; i != end; i += 2 * next {
		m.addOuter(bl.ring[i+next])
		var on link
		if next > 0 {
			on = bl.links[i+1]
		} else {
			on = link{bl.links[i-2].to, bl.links[i-2].from}
		}
		child := bl.ring[(i+2*next)%len(bl.ring)]
		m.label[child], m.entry[child] = inner, on
	}
}

// clear removes the tree, and with it the blossoms that have no surcharge.
func (m *Matching) clear() {
	clear(m.label)
	m.queue = m.queue[:0]
	if !m.fixed {
		for v := range m.nearest {
			m.nearest[v] = none
		}
	}
	m.releaseEmpty()
}

// releaseEmpty releases the outermost blossoms without surcharge, until none is left.
func (m *Matching) releaseEmpty() {
	for again := len(m.unused) < len(m.blossoms); again; {
		again = false
		for i := range m.blossoms {
			b := int32(m.n + i)
			if m.blossoms[i].ring != nil && m.parent[b] == none && isZero(m.extra(b)) {
				m.release(b)
				again = true
			}
		}
	}
}

func isZero(v []int64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
