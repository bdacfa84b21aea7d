// Package matching finds minimum-cost perfect matchings in general graphs, and chooses among all of them.
//
// Costs are vectors that are compared lexicographically, the first word being the most important. They depend on
// the classes of the two vertices alone, so that a graph of hundreds of vertices needs a small table; the graph
// itself holds the edges that are allowed.
//
// The method is Edmonds' primal-dual blossom algorithm. Every vertex has a potential and every blossom (an odd set of
// vertices, shrunk) a surcharge, so that no edge has negative slack:
//
//	slack(u, v) = 2·cost(u, v) − potential(u) − potential(v) + surcharges of the blossoms that hold both
//
// and a perfect matching has minimum cost if every edge of it has slack zero, and every blossom with a surcharge is
// left by a single edge. Unmatched vertices are matched in turn: an alternating tree is grown from an unmatched vertex
// over edges of slack zero, and when it can grow no more the potentials are changed until it can. A search looks at
// each vertex a bounded number of times, so that a matching of n vertices costs O(n³).
//
// The potentials also separate all other minimum-cost matchings from the rest: these are the perfect matchings of the
// edges with slack zero that leave each surcharged blossom once. [Matching.Pick] and [Matching.Narrow] enumerate them
// by a search each, without recomputing any cost.
package matching

import "slices"

// none is no vertex or blossom.
const none = -1

// Matching is a graph with costs and a matching in it. [New] makes it.
type Matching struct {
	n, words int
	edges    Graph
	class    []int32
	costs    *Costs

	potential []int64 // words for each vertex; in halves of a cost
	mate      []int32 // of each vertex
	gone      Set     // vertices that were taken out together with their mates

	// Blossoms have the ids n and up; a vertex is a trivial blossom, with its own number as id.
	parent    []int32 // of each id: the blossom right around it
	top       []int32 // of each vertex: the outermost blossom around it, or itself
	base      []int32 // of each id: the vertex with its mate outside
	blossoms  []blossom
	surcharge []int64 // words for each blossom, in halves of a cost
	unused    []int32 // ids of blossoms that do not exist now

	search
}

// blossom is an odd cycle of vertices or smaller blossoms. Its base is in ring[0], and links[i] joins ring[i] with the
// next; the links with an odd index are matched.
type blossom struct {
	ring  []int32
	links []link
}

// link is an edge, seen from either end.
type link struct{ from, to int32 }

// New returns an unsolved matching of the graph's vertices; class is each vertex's class in the table of costs.
// The matching takes ownership of the graph.
func New(g Graph, class []int32, costs *Costs) *Matching {
	n := len(g)
	ids := n + n/2 + 1
	m := &Matching{
		n: n, words: costs.words, edges: g, class: class, costs: costs,
		potential: make([]int64, n*costs.words),
		mate:      make([]int32, n), gone: NewSet(n),
		parent: make([]int32, ids), top: make([]int32, n), base: make([]int32, ids),
		blossoms: make([]blossom, ids-n), surcharge: make([]int64, (ids-n)*costs.words),
	}
	for id := range m.parent {
		m.parent[id] = none
		if id < n {
			m.mate[id], m.top[id], m.base[id] = none, int32(id), int32(id)
		} else {
			m.unused = append(m.unused, int32(id))
		}
	}
	m.search.init(n, ids, costs.words)
	m.setPotentials()
	return m
}

// Mate returns the vertex matched with u, or -1.
func (m *Matching) Mate(u int) int { return int(m.mate[u]) }

// Suggest matches u with v if both are unmatched and the edge has slack zero: a warm start for Solve.
func (m *Matching) Suggest(u, v int) {
	if m.mate[u] == none && m.mate[v] == none && u != v && m.edges[u].Has(v) && m.tight(int32(u), int32(v)) {
		m.mate[u], m.mate[v] = int32(v), int32(u)
	}
}

// Solve matches all vertices at minimum cost. It returns false if no perfect matching exists.
func (m *Matching) Solve() bool {
	for u := range m.n {
		if m.mate[u] == none {
			m.suggestAny(int32(u))
		}
	}
	return m.repair()
}

// suggestAny matches u with the first free vertex along an edge of slack zero.
func (m *Matching) suggestAny(u int32) {
	for v := range m.edges[u].All() {
		if m.mate[v] == none && v != int(u) && m.tight(u, int32(v)) {
			m.mate[u], m.mate[v] = int32(v), u
			return
		}
	}
}

// repair matches every vertex that is unmatched.
func (m *Matching) repair() bool {
	for u := range m.n {
		if m.mate[u] == none && !m.gone.Has(u) && !m.match(int32(u)) {
			return false
		}
	}
	return true
}

// Drop removes vertices from the graph and rematches those that lose their mates. If that is impossible it changes
// nothing and returns false. It is meant for graphs without costs.
func (m *Matching) Drop(vertices []int) bool { return m.drop(vertices, true) }

// CanDrop reports whether Drop would succeed, and changes nothing.
func (m *Matching) CanDrop(vertices []int) bool { return m.drop(vertices, false) }

func (m *Matching) drop(vertices []int, keep bool) bool {
	mates, gone := slices.Clone(m.mate), slices.Clone(m.gone)
	for _, u := range vertices {
		m.gone.Add(u)
	}
	for _, u := range vertices {
		if v := m.mate[u]; v != none && !m.gone.Has(int(v)) {
			m.mate[v] = none
		}
	}
	done := m.repair()
	if !done || !keep {
		m.mate, m.gone = mates, gone
	}
	return done
}

// Cost returns the sum of the costs of the matched edges, word by word, without pairs that were picked.
func (m *Matching) Cost() []int64 {
	sum := make([]int64, m.words)
	for u := range m.n {
		if v := m.mate[u]; int(v) > u && !m.gone.Has(u) {
			for i, c := range m.cost(int32(u), v) {
				sum[i] += c / 2
			}
		}
	}
	return sum
}

// Clone returns a copy of the matching, for trying something.
func (m *Matching) Clone() *Matching {
	c := *m
	c.edges = m.edges.Clone()
	c.potential = slices.Clone(m.potential)
	c.mate = slices.Clone(m.mate)
	c.gone = slices.Clone(m.gone)
	c.parent = slices.Clone(m.parent)
	c.top = slices.Clone(m.top)
	c.base = slices.Clone(m.base)
	c.surcharge, c.unused = slices.Clone(m.surcharge), slices.Clone(m.unused)
	c.blossoms = slices.Clone(m.blossoms)
	for i, b := range c.blossoms {
		c.blossoms[i] = blossom{slices.Clone(b.ring), slices.Clone(b.links)}
	}
	c.search.init(m.n, len(m.parent), m.words)
	return &c
}

// cost returns the doubled cost of an edge.
func (m *Matching) cost(u, v int32) []int64 {
	at := (int(m.class[u])*m.costs.classes + int(m.class[v])) * m.words
	return m.costs.table[at : at+m.words]
}

// tight reports whether the edge between two outermost blossoms has slack zero.
func (m *Matching) tight(u, v int32) bool {
	a, b := int(u)*m.words, int(v)*m.words
	for i, c := range m.cost(u, v) {
		if c != m.potential[a+i]+m.potential[b+i] {
			return false
		}
	}
	return true
}

// setPotentials starts with the highest potentials that are easy to find: half of each class's cheapest edge,
// raised in turn as far as the other classes allow.
func (m *Matching) setPotentials() {
	if m.words == 0 {
		return
	}
	present := make([]bool, m.costs.classes)
	twice := make([]bool, m.costs.classes)
	for _, c := range m.class {
		twice[c] = present[c]
		present[c] = true
	}
	byClass := m.costs.potentials(present, twice)
	for u, c := range m.class {
		copy(m.potential[u*m.words:(u+1)*m.words], byClass[int(c)*m.words:])
	}
}
