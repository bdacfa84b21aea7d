package standings

import (
	"strconv"

	"quatuor/tournament"
)

// directEncounter is article 6. It ranks the group by the table of the games among its members; members it leaves
// level share a place. Everybody gets place 0 if it could separate nobody.
func directEncounter(b *book, group []int) []value {
	ordered := b.encounter(group)
	place := make(map[int]int, len(group))
	if len(ordered) > 1 {
		next := 1
		for _, level := range ordered {
			for _, page := range level {
				place[page] = next
			}
			next += len(level)
		}
	}
	values := make([]value, len(group))
	for i, page := range group {
		values[i] = value{key: -int64(place[page]), text: strconv.Itoa(place[page])}
	}
	return values
}

// encounter splits a group into levels, best first.
func (b *book) encounter(group []int) [][]int {
	if len(group) < 2 {
		return [][]int{group}
	}
	table := b.meetings(group)
	if !table.complete() {
		return b.fromTheTop(table)
	}
	levels := split(group, table.score)
	if len(levels) == 1 {
		return levels
	}
	return b.again(levels)
}

// again reapplies the article to every level that is still tied (6.2).
func (b *book) again(levels [][]int) [][]int {
	var out [][]int
	for _, level := range levels {
		out = append(out, b.encounter(level)...)
	}
	return out
}

// fromTheTop is for groups in which not all have met (6.3): who is alone at the top whatever the missing games would
// bring is first, then the same for the next place; to the rest the article is applied anew.
func (b *book) fromTheTop(table encounters) [][]int {
	var out [][]int
	rest := table.group
	for len(rest) > 1 {
		best, ok := table.alone(rest, b.points)
		if !ok {
			break
		}
		out = append(out, []int{best})
		rest = without(rest, best)
	}
	if len(rest) == 0 || len(out) == 0 {
		return append(out, rest)
	}
	return append(out, b.encounter(rest)...)
}

func without(group []int, page int) []int {
	var out []int
	for _, p := range group {
		if p != page {
			out = append(out, p)
		}
	}
	return out
}

// encounters is the table of the games among a group. Averages of repeated meetings stay exact by counting in
// sixtieths of a tenth; more than six meetings do not occur.
type encounters struct {
	group  []int
	scores map[int]int64
	met    map[[2]int]bool
}

const fraction = 60

func (b *book) meetings(group []int) encounters {
	e := encounters{group: group, scores: make(map[int]int64), met: make(map[[2]int]bool)}
	inside := make(map[int]bool, len(group))
	for _, page := range group {
		inside[page] = true
	}
	for _, page := range group {
		sum, games := make(map[int]int64), make(map[int]int64)
		for _, c := range b.pages[page].cells {
			n, ok := duel(c)
			if !ok || !inside[n-1] || !b.fixed && c.Kind != tournament.Played {
				continue
			}
			sum[n-1] += int64(c.Points)
			games[n-1]++
		}
		for other, n := range games {
			e.met[[2]int{page, other}] = true
			e.scores[page] += sum[other] * fraction / n
		}
	}
	return e
}

func (e encounters) score(page int) int64 { return e.scores[page] }

func (e encounters) complete() bool {
	n := len(e.group)
	return len(e.met) == n*(n-1)
}

// missing counts the members that a page has not met.
func (e encounters) missing(page int) int64 {
	var n int64
	for _, other := range e.group {
		if other != page && !e.met[[2]int{page, other}] {
			n++
		}
	}
	return n
}

// alone finds who of the candidates is ahead of the others even if losing all missing games while they win all theirs.
func (e encounters) alone(candidates []int, points tournament.PointSystem) (int, bool) {
	win, loss := int64(points.Win)*fraction, int64(points.Loss)*fraction
	for _, page := range candidates {
		worst, ahead := e.scores[page]+e.missing(page)*loss, true
		for _, other := range candidates {
			if other != page && e.scores[other]+e.missing(other)*win >= worst {
				ahead = false
			}
		}
		if ahead {
			return page, true
		}
	}
	return 0, false
}
