package matching

import (
	"iter"
	"math/bits"
)

// Set is a bit set of vertices.
type Set []uint64

// NewSet returns an empty set for n vertices.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether u is in the set.
func (s Set) Has(u int) bool { return s[u/64]&(1<<(u%64)) != 0 }

// Add puts u into the set.
func (s Set) Add(u int) { s[u/64] |= 1 << (u % 64) }

// Remove takes u out of the set.
func (s Set) Remove(u int) { s[u/64] &^= 1 << (u % 64) }

// All returns an iterator over the set in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// Graph is an adjacency matrix: the set of neighbours of each vertex.
type Graph []Set

// NewGraph returns a graph of n vertices without edges.
func NewGraph(n int) Graph {
	g := make(Graph, n)
	size := (n + 63) / 64
	all := make(Set, n*size)
	for u := range g {
		g[u] = all[u*size : (u+1)*size : (u+1)*size]
	}
	return g
}

// Join adds an edge between two different vertices.
func (g Graph) Join(u, v int) {
	g[u].Add(v)
	g[v].Add(u)
}

// Cut removes the edge between two vertices.
func (g Graph) Cut(u, v int) {
	g[u].Remove(v)
	g[v].Remove(u)
}

// Clone returns a copy of the graph.
func (g Graph) Clone() Graph {
	out := NewGraph(len(g))
	for u, row := range g {
		copy(out[u], row)
	}
	return out
}
