package tables

import (
	"cmp"
	"slices"
)

// past is a field with its history counted. Indices are places in the order: points (most first), then number.
type past struct {
	Field
	entries  []Entry // in the order
	met      [][]int32
	partners [][]int32
	before   [][]int32
	had      [][6]int32 // by seat, from 1
	byesHad  []int
	odd      []int
	barred   [][]bool // forbidden pairs
	index    map[int]int
}

func newPast(f Field) *past {
	p := &past{Field: f, entries: slices.Clone(f.Entries), index: map[int]int{}}
	slices.SortFunc(p.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Number, b.Number))
	})
	n := len(p.entries)
	for i, e := range p.entries {
		p.index[e.Number] = i
	}
	p.met = square[int32](n)
	p.partners = square[int32](n)
	p.before = square[int32](n)
	p.barred = square[bool](n)
	p.had = make([][6]int32, n)
	p.byesHad = make([]int, n)
	p.odd = make([]int, n)
	for _, pair := range f.Forbidden {
		a, okA := p.index[pair[0]]
		b, okB := p.index[pair[1]]
		if okA && okB {
			p.barred[a][b], p.barred[b][a] = true, true
		}
	}
	for _, r := range f.Rounds {
		for _, t := range r.Tables {
			p.countTable(t)
		}
		for _, number := range r.Byes {
			if i, ok := p.index[number]; ok {
				p.byesHad[i]++
			}
		}
	}
	return p
}

// square returns a matrix of n rows and columns.
func square[T any](n int) [][]T {
	cells := make([]T, n*n)
	rows := make([][]T, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

// countTable counts a table of an earlier round; it skips entries that are not present now.
func (p *past) countTable(table []int) {
	at := make([]int, len(table))
	for k, number := range table {
		at[k] = -1
		if i, ok := p.index[number]; ok {
			at[k] = i
			p.had[i][k+1]++
			if len(table) != p.Preferred {
				p.odd[i]++
			}
		}
	}
	for k, i := range at {
		for l, j := range at {
			if k != l && i >= 0 && j >= 0 {
				p.met[i][j]++
			}
		}
		if j := at[(k+1)%len(at)]; i >= 0 && j >= 0 {
			p.before[i][j]++
		}
	}
	for _, side := range p.Sides {
		if len(table) == 4 && at[side[0]-1] >= 0 && at[side[1]-1] >= 0 {
			a, b := at[side[0]-1], at[side[1]-1]
			p.partners[a][b]++
			p.partners[b][a]++
		}
	}
}

// top returns the greatest number off the diagonal.
func top(m [][]int32) int {
	most := int32(0)
	for i := range m {
		for j := range i {
			most = max(most, m[i][j])
		}
	}
	return int(most)
}
