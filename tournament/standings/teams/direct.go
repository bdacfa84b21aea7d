package teams

import (
	"slices"

	"quatuor/tournament/team"
)

// places returns the values of a group by the levels into which it was split; members that remain level share a place.
func places(group []int, levels [][]int) []value {
	place := make(map[int]int64, len(group))
	if len(levels) > 1 {
		next := int64(1)
		for _, level := range levels {
			for _, page := range level {
				place[page] = next
			}
			next += int64(len(level))
		}
	}
	out := make([]value, len(group))
	for i, page := range group {
		out[i] = value{key: []int64{-place[page]}, text: "-"}
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

// encounter splits a group into levels, best first, by the table of a score of the matches among its members (6).
func (b *book) encounter(group []int, score team.Score) [][]int {
	if len(group) < 2 {
		return [][]int{group}
	}
	e := b.encounters(group, score)
	if !e.complete() {
		return b.fromTheTop(e, score)
	}
	levels := split(group, func(page int) []int64 { return []int64{e.points[b.inGroup[page]-1]} })
	if len(levels) == 1 {
		return levels
	}
	var out [][]int
	for _, level := range levels { // 6.2: again for those still tied
		out = append(out, b.encounter(level, score)...)
	}
	return out
}

// fromTheTop splits groups with missing matches (6.3): a member that is alone at the top whatever these matches would
// bring is first, then the same for the next place; the article is applied again to the rest.
func (b *book) fromTheTop(e encounters, score team.Score) [][]int {
	var out [][]int
	rest := make([]int, len(e.group)) // places in the group
	for i := range rest {
		rest[i] = i
	}
	win := fraction * int64(b.Scoring.Won().Of(score))
	for len(rest) > 1 {
		best, ok := e.alone(rest, win)
		if !ok {
			break
		}
		out = append(out, []int{e.group[rest[best]]})
		rest = slices.Delete(rest, best, best+1)
	}
	pages := make([]int, len(rest))
	for i, place := range rest {
		pages[i] = e.group[place]
	}
	if len(out) == 0 {
		return [][]int{pages}
	}
	return append(out, b.encounter(pages, score)...)
}

// encounters is the table of the matches among a group, by place in it. Averages of repeated meetings stay exact by
// counting in sixtieths of a tenth.
type encounters struct {
	group  []int
	points []int64
	met    []int // number of others met
}

const fraction = 60

func (b *book) encounters(group []int, score team.Score) encounters {
	e := encounters{group: group, points: make([]int64, len(group)), met: make([]int, len(group))}
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
		e.met[i] = len(matches)
		for o, n := range matches {
			e.points[i] += sums[o] * fraction / n
		}
	}
	return e
}

func (e encounters) complete() bool {
	return !slices.ContainsFunc(e.met, func(met int) bool { return met < len(e.group)-1 })
}

// alone returns the place that is ahead of all others even if it has nothing from its missing matches while they win
// all theirs.
func (e encounters) alone(places []int, win int64) (int, bool) {
	best := 0
	for i, place := range places {
		if e.points[place] > e.points[places[best]] {
			best = i
		}
	}
	for i, place := range places {
		missing := int64(len(e.group) - 1 - e.met[place])
		if i != best && e.points[place]+missing*win >= e.points[places[best]] {
			return 0, false
		}
	}
	return best, true
}
