package standings

import (
	"slices"
	"strconv"

	"quatuor/tournament"
)

// directEncounter is article 6. It ranks the group by the table of the games among its members; members that
// remain level share a place. All get place 0 if it cannot separate any.
func directEncounter(b *book, group []int, m modifiers) []value {
	place := make(map[int]int, len(group))
	if ordered := b.encounter(group, m); len(ordered) > 1 {
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
func (b *book) encounter(group []int, m modifiers) [][]int {
	if len(group) < 2 {
		return [][]int{group}
	}
	e := b.encounters(group, m)
	if !e.complete() {
		return b.fromTheTop(e, m)
	}
	levels := split(group, func(page int) int64 { return e.score[b.inGroup[page]-1] })
	if len(levels) == 1 {
		return levels
	}
	var out [][]int
	for _, level := range levels { // 6.2: again for those still tied
		out = append(out, b.encounter(level, m)...)
	}
	return out
}

// fromTheTop splits groups with missing games (6.3): a member that is alone at the top whatever these games would bring
// is first, then the same for the next place; the article is applied again to the rest.
func (b *book) fromTheTop(e encounters, m modifiers) [][]int {
	var out [][]int
	rest := make([]int, len(e.group)) // places in the group
	for i := range rest {
		rest[i] = i
	}
	for len(rest) > 1 {
		best, ok := e.alone(rest, b.points)
		if !ok {
			break
		}
		out = append(out, []int{e.group[rest[best]]})
		rest = append(rest[:best:best], rest[best+1:]...)
	}
	pages := make([]int, len(rest))
	for i, place := range rest {
		pages[i] = e.group[place]
	}
	if len(out) == 0 {
		return [][]int{pages}
	}
	return append(out, b.encounter(pages, m)...)
}

// encounters is the table of the games among a group, by place in it. Averages of repeated meetings stay exact by
// counting in sixtieths of a tenth; more than six meetings do not occur.
type encounters struct {
	group []int
	score []int64
	met   []int // number of others met
}

const fraction = 60

// meeting is the score of a member against another of the group.
type meeting struct {
	other      int
	sum, games int64
}

func (b *book) encounters(group []int, m modifiers) encounters {
	e := encounters{group: group, score: make([]int64, len(group)), met: make([]int, len(group))}
	clear(b.inGroup)
	for i, page := range group {
		b.inGroup[page] = i + 1
	}
	var meetings []meeting
	for i, page := range group {
		meetings = meetings[:0]
		for k := range b.pages[page].rounds {
			r := &b.pages[page].rounds[k]
			if b.encountered(r, m) && b.inGroup[r.opponent] > 0 {
				meetings = add(meetings, r)
			}
		}
		e.met[i] = len(meetings)
		for _, x := range meetings {
			e.score[i] += x.sum * fraction / x.games
		}
	}
	return e
}

// encountered reports whether the round counts for the direct encounter: a game, or a forfeit if these are regular.
func (b *book) encountered(r *round, m modifiers) bool {
	return r.played() || r.decided() && (b.fixed || m.played)
}

func add(meetings []meeting, r *round) []meeting {
	for i := range meetings {
		if x := &meetings[i]; x.other == r.opponent {
			x.sum += int64(r.points)
			x.games++
			return meetings
		}
	}
	return append(meetings, meeting{r.opponent, int64(r.points), 1})
}

func (e encounters) complete() bool {
	return !slices.ContainsFunc(e.met, func(met int) bool { return met < len(e.group)-1 })
}

// alone returns the place that is ahead of all others even if it loses all missing games while they win all
// theirs.
func (e encounters) alone(places []int, points tournament.PointSystem) (int, bool) {
	missing := func(place int) int64 { return int64(len(e.group)-1-e.met[place]) * fraction }
	worst := func(place int) int64 { return e.score[place] + missing(place)*int64(points.Loss) }
	best := 0
	for i, place := range places {
		if worst(place) > worst(places[best]) {
			best = i
		}
	}
	for i, place := range places {
		if i != best && e.score[place]+missing(place)*int64(points.Win) >= worst(places[best]) {
			return 0, false
		}
	}
	return best, true
}
