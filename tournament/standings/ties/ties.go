// Package ties splits tied entries or teams into levels: by a key, or by the games or matches among them (FIDE Handbook
// C.07, article 6). Entries and teams are named by any numbers, the pages of their books.
package ties

import (
	"cmp"
	"slices"
)

// Split sorts a group by key, highest first, and splits it where the key changes.
func Split[K any](group []int, key func(page int) K, compare func(a, b K) int) [][]int {
	sorted := slices.Clone(group)
	slices.SortStableFunc(sorted, func(a, b int) int { return compare(key(b), key(a)) })
	var out [][]int
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || compare(key(sorted[i]), key(sorted[start])) != 0 {
			out = append(out, sorted[start:i:i])
			start = i
		}
	}
	return out
}

// Places returns the place of each page of levels, best first; members of a level share a place. A single level, which
// separates none, has place 0.
func Places(levels [][]int) map[int]int {
	place := make(map[int]int)
	if len(levels) < 2 {
		return place
	}
	next := 1
	for _, level := range levels {
		for _, page := range level {
			place[page] = next
		}
		next += len(level)
	}
	return place
}

// Fraction is the part of a tenth of a point that scores of a [Crosstable] count.
const Fraction = 60

// Crosstable is the table of the games or matches among a group, by place in it. Averages of repeated meetings stay
// exact by counting in sixtieths of a tenth; more than six meetings do not occur.
type Crosstable struct {
	Group []int
	Score []int64
	Met   []int // number of others met
}

// Encounter is the direct encounter of groups.
type Encounter struct {
	Table     func(group []int) Crosstable
	Loss, Win int64 // worth of a game or match, in tenths
}

// Split splits a group into levels, best first.
func (e Encounter) Split(group []int) [][]int {
	if len(group) < 2 {
		return [][]int{group}
	}
	table := e.Table(group)
	places := make([]int, len(group))
	for i := range places {
		places[i] = i
	}
	if slices.ContainsFunc(table.Met, func(met int) bool { return met < len(group)-1 }) {
		return e.fromTheTop(table, places)
	}
	levels := Split(places, func(place int) int64 { return table.Score[place] }, cmp.Compare)
	if len(levels) == 1 {
		return [][]int{group}
	}
	var out [][]int
	for _, level := range levels { // 6.2: again for those still tied
		out = append(out, e.Split(table.pages(level))...)
	}
	return out
}

// fromTheTop splits groups with missing games (6.3): a member that is alone at the top whatever these games would bring
// is first, then the same for the next place; the article is applied again to the rest.
func (e Encounter) fromTheTop(table Crosstable, rest []int) [][]int {
	var out [][]int
	for len(rest) > 1 {
		best, ok := e.alone(table, rest)
		if !ok {
			break
		}
		out = append(out, []int{table.Group[rest[best]]})
		rest = slices.Delete(rest, best, best+1)
	}
	pages := table.pages(rest)
	if len(out) == 0 {
		return [][]int{pages}
	}
	return append(out, e.Split(pages)...)
}

// alone returns the place that is ahead of all others even if it loses all missing games while they win all theirs.
func (e Encounter) alone(table Crosstable, places []int) (int, bool) {
	missing := func(place int) int64 { return int64(len(table.Group)-1-table.Met[place]) * Fraction }
	worst := func(place int) int64 { return table.Score[place] + missing(place)*e.Loss }
	best := 0
	for i, place := range places {
		if worst(place) > worst(places[best]) {
			best = i
		}
	}
	for i, place := range places {
		if i != best && table.Score[place]+missing(place)*e.Win >= worst(places[best]) {
			return 0, false
		}
	}
	return best, true
}

// pages returns the members of the group at places.
func (t Crosstable) pages(places []int) []int {
	out := make([]int, len(places))
	for i, place := range places {
		out[i] = t.Group[place]
	}
	return out
}
