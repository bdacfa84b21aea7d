package teamswiss

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing/matching"
)

// Criterion is a criterion of C.04.6, Art. 2, or a rule that decides between choices that are equal by all of them.
type Criterion uint8

// The criteria, most important first.
const (
	C1         Criterion = iota + 1 // no two meet twice
	C2                              // no team has two byes, or a bye after a win without playing
	C3                              // all others can still be paired
	C4                              // fewest upfloaters
	C5                              // their scores are the highest
	C6                              // the next scoregroup needs as few upfloaters as its number allows
	C7                              // fewest upfloaters that were floaters in the round before
	C8                              // fewest preferences denied
	C9                              // fewest strong preferences denied
	C10                             // fewest opponents of upfloaters that were floaters in the round before
	Order                           // all else is equal, and the choice taken comes first (3.5.4, 3.6.3)
	Inside                          // the bracket has no complete pairing with it
	Ban                             // the organiser keeps the two apart
	ByeScore                        // the team has a higher score (3.4.2)
	ByePlays                        // the team has played fewer matches (3.4.3)
	ByeOrder                        // the team has a smaller number (3.4.4)
	NotAllowed                      // Ban, for readers without access to the forbidden pairs
)

// place is the position of a vertex relative to the bracket at hand.
type place uint8

const (
	top   place = iota // has the highest score
	float              // an upfloater of the bracket
	next               // of the next lower score
	lower              // of a still lower score
)

// kind holds the properties of a team that the criteria depend on. Vertices of the same kind are equivalent to them.
type kind struct {
	place      place
	score      tournament.Points // of lower teams, where C5 counts
	preference preference
	floated    bool
}

// level is a term of the lexicographic cost of a pairing: the levels before it are more important.
type level struct {
	criterion Criterion
	max       int64                 // upper bound of its total
	cost      func(a, b kind) int64 // of an edge, a.place <= b.place
}

// floats reports whether a pair makes its second team an upfloater.
func floats(a, b kind) bool { return a.place == top && b.place >= next }

// upfloaterLevels returns C4 to C7 for the teams left; top is the number of teams in the top, and groups are the sizes
// of the lower scores, from the highest.
func (d *draw) upfloaterLevels(top int, groups []scoregroup, countNext bool) []level {
	most := int64(top)
	out := []level{{C4, most, func(a, b kind) int64 { return when(floats(a, b)) }}}
	for i := len(groups) - 1; i > 0; i-- { // what is left of C4 is from the highest group
		g := groups[i]
		out = append(out, level{C5, min(most, int64(g.size)), func(a, b kind) int64 {
			return when(floats(a, b) && b.score == g.score)
		}})
	}
	if countNext && len(groups) > 1 {
		out = append(out, level{C6, int64(groups[0].size), func(a, b kind) int64 {
			return when(a.place == next && b.place == lower)
		}})
	}
	if !d.final {
		out = append(out, level{C7, most, func(a, b kind) int64 { return when(floats(a, b) && b.floated) }})
	}
	return out
}

// pairLevels returns C8 to C10 for a bracket of this size.
func (d *draw) pairLevels(size int) []level {
	pairs := int64(size / 2)
	out := []level{{C8, pairs, func(a, b kind) int64 { return when(a.preference.clash(b.preference)) }}}
	if d.pairer.Preference == TypeB {
		out = append(out, level{C9, pairs, func(a, b kind) int64 {
			return when(a.preference.clash(b.preference) && a.preference.strong && b.preference.strong)
		}})
	}
	if !d.final {
		out = append(out, level{C10, pairs, func(a, b kind) int64 {
			return when(a.place == top && b.place == float && a.floated)
		}})
	}
	return out
}

func when(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// problem is a minimum-cost perfect matching of some teams.
type problem struct {
	ranks  []int // of each vertex
	kinds  []kind
	levels []level
	digits matching.Packing
	class  []int32 // of each vertex, in costs
	costs  *matching.Costs
	match  *matching.Matching
}

// problem returns the unsolved matching of teams by levels.
func (d *draw) problem(ranks []int, kinds []kind, levels []level) *problem {
	p := &problem{ranks: ranks, kinds: kinds, levels: levels}
	totals := make([]int64, len(levels))
	for i, l := range levels {
		totals[i] = l.max
	}
	p.digits = matching.NewPacking(totals)
	index, class := make(map[kind]int), make([]int32, len(kinds))
	var distinct []kind
	for v, k := range kinds {
		if _, known := index[k]; !known {
			index[k] = len(distinct)
			distinct = append(distinct, k)
		}
		class[v] = int32(index[k])
	}
	costs := matching.NewCosts(len(distinct), p.digits.Words())
	for i, a := range distinct {
		for j, b := range distinct[:i+1] {
			costs.Set(i, j, p.cost(a, b))
		}
	}
	p.class, p.costs = class, costs
	p.match = matching.New(d.graph(ranks), class, costs)
	return p
}

func (p *problem) cost(a, b kind) []int64 {
	if a.place > b.place {
		a, b = b, a
	}
	return p.digits.Pack(func(place int) int64 { return p.levels[place].cost(a, b) })
}

// graph returns the legal pairs of some teams.
func (d *draw) graph(ranks []int) matching.Graph {
	g := matching.NewGraph(len(ranks))
	for v, rank := range ranks {
		for w := range v {
			if d.legal[rank].Has(ranks[w]) {
				g.Join(v, w)
			}
		}
	}
	return g
}

// mustSolve solves a problem that is known to have a complete pairing.
func (p *problem) mustSolve() {
	if !p.match.Solve() {
		panic("teamswiss: a complete pairing is known, and none was found")
	}
}

// total returns the total of a criterion in the pairing found.
func (p *problem) total(c Criterion) (sum int64) {
	totals := p.digits.Totals(p.match.Cost())
	for i, l := range p.levels {
		if l.criterion == c {
			sum += totals[i]
		}
	}
	return sum
}
