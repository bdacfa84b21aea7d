package tables

import "slices"

// starts returns rounds to begin a search with.
func (p *problem) starts() [][][]int {
	return [][][]int{p.legal(), p.walkDown(), p.slices(), p.pots()}
}

// legal returns a round without a forbidden pair.
func (p *problem) legal() [][]int {
	s := seating{past: p.past, at: make([]int, len(p.entries)), room: append([]int{0}, p.sizes...)}
	for i := range s.at {
		s.at[i] = -1
	}
	for i, a := range p.seated {
		if slices.Contains(p.barred[i], true) {
			s.open = append(s.open, a)
		}
	}
	s.place(0)
	tables := make([][]int, len(p.sizes))
	for i, a := range p.seated {
		at := s.at[a]
		if at < 0 {
			at = 1 + slices.IndexFunc(s.room[1:], func(room int) bool { return room > 0 })
			s.room[at]--
		}
		tables[at-1] = append(tables[at-1], i)
	}
	return tables
}

// walkDown walks down the standings: next at a table is the entry with the fewest meetings there, then the best ranked.
func (p *problem) walkDown() [][]int {
	left := make([]int, p.n)
	for i := range left {
		left[i] = i
	}
	var tables [][]int
	for _, size := range p.preferredFirst() {
		t := []int{left[0]}
		left = left[1:]
		for len(t) < size {
			best, least := 0, int32(-1)
			for k, i := range left {
				var met int32
				for _, j := range t {
					met += p.mets[i][j]
				}
				if least < 0 || met < least {
					best, least = k, met
				}
			}
			t = append(t, left[best])
			left = slices.Delete(left, best, best+1)
		}
		tables = append(tables, t)
	}
	return tables
}

// preferredFirst returns the sizes with those of the preferred size first.
func (p *problem) preferredFirst() []int {
	out := slices.Clone(p.sizes)
	slices.SortStableFunc(out, func(a, b int) int { return int(truth(a != p.Preferred) - truth(b != p.Preferred)) })
	return out
}

// slices cuts the standings into tables.
func (p *problem) slices() [][]int {
	var tables [][]int
	next := 0
	for _, size := range p.preferredFirst() {
		var t []int
		for range size {
			t = append(t, next)
			next++
		}
		tables = append(tables, t)
	}
	return tables
}

// pots cuts the standings into tables, and takes an entry from each pot where tables have equal points.
func (p *problem) pots() [][]int {
	tables := p.slices()
	for a := 0; a < len(tables); {
		b := a + 1
		for b < len(tables) && len(tables[b]) == len(tables[a]) &&
			p.points[tables[b][len(tables[b])-1]] == p.points[tables[a][0]] {
			b++
		}
		first, size := tables[a][0], len(tables[a])
		for k := a; k < b; k++ {
			for s := range size {
				place := k - a
				if s%2 == 1 { // there and back, so that the tables are equally strong
					place = b - 1 - k
				}
				tables[k][s] = first + s*(b-a) + place
			}
		}
		a = b
	}
	return tables
}
