package tables

import (
	"cmp"
	"iter"
	"slices"

	"quatuor/tournament"
)

// layout returns the seated entries, as indices of the order, and the sizes of the tables, the greatest first.
func (p *past) layout() (seated, sizes []int, err error) {
	present, byes := len(p.entries), 0
	for byes < present && !p.canBeSizes(present-byes) {
		byes++
	}
	if byes >= present {
		return nil, nil, tournament.Refuse(tournament.ErrUnpairable, "nobody can be seated: %d present, tables of %v",
			present, p.Sizes)
	}
	for list := range SizeLists(p.Sizes, p.Preferred, present-byes) {
		if !p.seatable(nil, list, byes) {
			continue
		}
		set := p.chooseByes(byes, list)
		for i := range present {
			if !slices.Contains(set, i) {
				seated = append(seated, i)
			}
		}
		return seated, list, nil
	}
	return nil, nil, tournament.Refuse(tournament.ErrUnpairable,
		"forbidden pairs leave no way to seat all at tables of %v", p.Sizes)
}

// canBeSizes reports whether n is a sum of allowed sizes.
func (p *past) canBeSizes(n int) bool {
	for range SizeLists(p.Sizes, p.Preferred, n) {
		return true
	}
	return false
}

// SizeLists returns the lists of sizes, which are in ascending order, with the sum n: most tables of the preferred size
// first, then fewest tables. Each list is in descending order.
func SizeLists(sizes []int, preferred, n int) iter.Seq[[]int] {
	var others []int
	for _, s := range sizes {
		if s != preferred {
			others = append(others, s)
		}
	}
	slices.Reverse(others) // the larger first: fewest tables
	return func(yield func([]int) bool) {
		for k := n / preferred; k >= 0; k-- {
			for list := range sums(n-k*preferred, others) {
				for range k {
					list = append(list, preferred)
				}
				slices.SortFunc(list, func(a, b int) int { return b - a })
				if !yield(list) {
					return
				}
			}
		}
	}
}

// sums returns the lists of numbers out of sizes (at most two, the larger first) with the sum n, the shortest first.
func sums(n int, sizes []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		switch {
		case n == 0:
			yield(nil)
		case len(sizes) == 1 && n%sizes[0] == 0:
			yield(slices.Repeat(sizes[:1], n/sizes[0]))
		case len(sizes) == 2:
			for k := n / sizes[0]; k >= 0; k-- {
				rest := n - k*sizes[0]
				if rest%sizes[1] == 0 && !yield(append(slices.Repeat(sizes[:1], k), slices.Repeat(sizes[1:], rest/sizes[1])...)) {
					return
				}
			}
		}
	}
}

// chooseByes returns the best set of count byes that leaves a seatable rest: byes had, then points, both sorted
// descending, lexicographically least; then places sorted descending, lexicographically greatest.
func (p *past) chooseByes(count int, list []int) []int {
	if count == 0 {
		return nil
	}
	sets := combinations(p.byeCandidates(count), count)
	slices.SortFunc(sets, p.compareByes)
	for _, set := range sets {
		if p.seatable(set, list, 0) {
			return set
		}
	}
	return nil // not reached: seatable found a set
}

// byeCandidates returns the entries that can be in the best set of byes: those with a forbidden pair, and the best
// of the others.
func (p *past) byeCandidates(count int) []int {
	order := make([]int, len(p.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return p.compareByes([]int{a}, []int{b}) })
	var out []int
	free := 0
	for _, i := range order {
		if slices.Contains(p.barred[i], true) {
			out = append(out, i)
		} else if free < count {
			free++
			out = append(out, i)
		}
	}
	return out
}

// compareByes compares two sets of byes of equal size; the better set is less.
func (p *past) compareByes(a, b []int) int {
	key := func(set []int, value func(int) int) []int {
		out := make([]int, len(set))
		for k, i := range set {
			out[k] = value(i)
		}
		slices.SortFunc(out, func(x, y int) int { return cmp.Compare(y, x) })
		return out
	}
	had := func(i int) int { return p.byesHad[i] }
	points := func(i int) int { return p.entries[i].Points }
	place := func(i int) int { return i }
	return cmp.Or(
		slices.Compare(key(a, had), key(b, had)),
		slices.Compare(key(a, points), key(b, points)),
		slices.Compare(key(b, place), key(a, place)),
	)
}

// combinations returns the subsets of count elements.
func combinations(of []int, count int) [][]int {
	if count == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for i := range of {
		for _, rest := range combinations(of[i+1:], count-1) {
			out = append(out, append([]int{of[i]}, rest...))
		}
	}
	return out
}

// seatable reports whether all but the set away and any more others can be seated at tables of these sizes without a
// forbidden pair.
func (p *past) seatable(away, list []int, more int) bool {
	s := seating{past: p, at: make([]int, len(p.entries)), room: append([]int{more}, list...)}
	for i := range p.entries {
		s.at[i] = -1
		if !slices.Contains(away, i) && slices.Contains(p.barred[i], true) {
			s.open = append(s.open, i)
		}
	}
	slices.SortStableFunc(s.open, func(a, b int) int { return s.degree(b) - s.degree(a) })
	return s.place(0)
}

// seating places the entries that have forbidden pairs at tables; the others fit wherever room is left.
type seating struct {
	*past
	open []int // to be placed, those with most forbidden pairs first
	at   []int // table of each entry; 0 is a bye
	room []int // seats left, by table
}

func (s *seating) degree(i int) (n int) {
	for _, b := range s.barred[i] {
		n += int(truth(b))
	}
	return n
}

// place places the entries from the k-th on, and reports whether it could.
func (s *seating) place(k int) bool {
	if k == len(s.open) {
		return true
	}
	// The entry with the fewest tables left is placed next.
	next, least := k, len(s.room)+1
	for l := k; l < len(s.open); l++ {
		if free := len(s.tables(s.open[l])); free < least {
			next, least = l, free
		}
	}
	s.open[k], s.open[next] = s.open[next], s.open[k]
	i := s.open[k]
	for _, t := range s.tables(i) {
		s.at[i] = t
		s.room[t]--
		if s.place(k + 1) {
			return true
		}
		s.room[t]++
		s.at[i] = -1
	}
	s.open[k], s.open[next] = s.open[next], s.open[k]
	return false
}

// tables returns the tables that can take the entry; of empty tables of equal size only the first.
func (s *seating) tables(i int) []int {
	barred, used := make([]bool, len(s.room)), make([]bool, len(s.room))
	for j, t := range s.at {
		if t >= 0 {
			used[t] = true
			if t > 0 && s.barred[i][j] {
				barred[t] = true
			}
		}
	}
	var out []int
	empty := map[int]bool{}
	for t, room := range s.room {
		if room == 0 || barred[t] {
			continue
		}
		if t > 0 && !used[t] {
			if empty[room] {
				continue
			}
			empty[room] = true
		}
		out = append(out, t)
	}
	return out
}

// seat returns the table in the order of seats: least often had this seat before; then least often these neighbours in
// the order of play; then the lower-ranked first.
func (p *problem) seat(table []int) []int {
	t := slices.Sorted(slices.Values(table))
	var best []int
	var bestHad, bestBefore int32
	for order := range permutations(t) {
		if p.rotated && !p.sideBySide(t, order) {
			continue
		}
		had, before := p.seatCost(order)
		if best == nil || had < bestHad || had == bestHad && (before < bestBefore ||
			before == bestBefore && slices.Compare(order, best) > 0) {
			best, bestHad, bestBefore = slices.Clone(order), had, before
		}
	}
	return best
}

// seatCost returns how often those at a table had their seats, and their neighbours, before.
func (p *problem) seatCost(order []int) (had, before int32) {
	for k, i := range order {
		had += p.had[p.seated[i]][k+1]
		before += p.before[p.seated[i]][p.seated[order[(k+1)%len(order)]]]
	}
	return had, before
}

// sideBySide reports whether the partners of a table have the seats of a side.
func (p *problem) sideBySide(t, order []int) bool {
	way, _ := p.bestWay(t)
	for _, side := range p.Sides {
		a, b := order[side[0]-1], order[side[1]-1]
		first, second := slices.Index(way[:], a), slices.Index(way[:], b)
		if first/2 != second/2 {
			return false
		}
	}
	return true
}

// permutations returns all orders of a slice; each is valid until the next.
func permutations(of []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		order := slices.Clone(of)
		var walk func(k int) bool
		walk = func(k int) bool {
			if k == len(order) {
				return yield(order)
			}
			for l := k; l < len(order); l++ {
				order[k], order[l] = order[l], order[k]
				if !walk(k + 1) {
					return false
				}
				order[k], order[l] = order[l], order[k]
			}
			return true
		}
		walk(0)
	}
}
