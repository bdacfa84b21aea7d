package teams

import (
	"slices"

	"quatuor/tournament/standings/ties"
	"quatuor/tournament/team"
)

// places returns the values of a group by the levels into which it was split; members that remain level share a place.
func places(group []int, levels [][]int) []value {
	place := ties.Places(levels)
	out := make([]value, len(group))
	for i, page := range group {
		out[i] = value{key: []int64{-int64(place[page])}, text: "-"}
	}
	return out
}

// extendedEncounter splits a group, best first (13.3): by the direct encounter of the primary score, if that separates
// none by that of the other score, and if two are left that are equal in both scores by the steps. What was separated
// starts again.
func (b *book) extendedEncounter(group []int, steps []func(*book, []int, modifiers) []value) [][]int {
	if len(group) < 2 {
		return [][]int{group}
	}
	levels := b.encounter(group, b.Primary)
	if len(levels) == 1 {
		levels = b.encounter(group, b.Primary.Other())
	}
	if len(levels) == 1 && len(group) == 2 && b.pages[group[0]].total == b.pages[group[1]].total {
		levels = b.byBoards(group, steps)
	}
	if len(levels) == 1 {
		return levels
	}
	var out [][]int
	for _, level := range levels {
		out = append(out, b.extendedEncounter(level, steps)...)
	}
	return out
}

// byBoards splits two by the first step that distinguishes them.
func (b *book) byBoards(group []int, steps []func(*book, []int, modifiers) []value) [][]int {
	for _, step := range steps {
		values := step(b, group, modifiers{})
		switch order := slices.Compare(values[0].key, values[1].key); {
		case order > 0:
			return [][]int{{group[0]}, {group[1]}}
		case order < 0:
			return [][]int{{group[1]}, {group[0]}}
		}
	}
	return [][]int{group}
}

// encounter splits a group into levels, best first, by the table of a score of the matches among its members (6). A
// missing match brings nothing at worst.
func (b *book) encounter(group []int, score team.Score) [][]int {
	encounter := ties.Encounter{
		Table: func(group []int) ties.Crosstable { return b.encounters(group, score) },
		Win:   int64(b.Scoring.Won().Of(score)),
	}
	return encounter.Split(group)
}

// encounters returns the table of the matches among a group, and marks the group in the book.
func (b *book) encounters(group []int, score team.Score) ties.Crosstable {
	e := ties.Crosstable{Group: group, Score: make([]int64, len(group)), Met: make([]int, len(group))}
	clear(b.inGroup)
	for i, page := range group {
		b.inGroup[page] = i + 1
	}
	for i, at := range group {
		p := &b.pages[at]
		sums, matches := make(map[int]int64), make(map[int]int64)
		for round := range p.Rounds {
			if o := p.opponents[round]; b.counts(p, round) && b.inGroup[o] > 0 {
				sums[o] += int64(p.Rounds[round].Of(score))
				matches[o]++
			}
		}
		e.Met[i] = len(matches)
		for o, n := range matches {
			e.Score[i] += sums[o] * ties.Fraction / n
		}
	}
	return e
}
