package teamswiss_test

import (
	"cmp"
	"math/bits"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/teamswiss"
)

// model pairs a round of a small field by the letter of C.04.6: it goes through all sets of upfloaters and all pairings
// of each bracket. Sets are masks of indices into the field.
type model struct {
	p       teamswiss.Pairer
	h       pairing.History
	score   []int
	floated []bool
	able    map[uint]bool // known answers of canPair
}

func newModel(p teamswiss.Pairer, h pairing.History) *model {
	m := &model{p: p, h: h, able: map[uint]bool{0: true}}
	for i := range h.Field {
		m.score = append(m.score, m.scoreAt(i, h.Round))
		floated := false
		if h.Round > 1 {
			if c := h.Field[i].Cells[h.Round-2]; c.Kind == tournament.Played {
				floated = m.scoreAt(i, h.Round-1) != m.scoreAt(c.Opponents[0]-1, h.Round-1)
			}
		}
		m.floated = append(m.floated, floated)
	}
	return m
}

func (m *model) scoreAt(i, round int) int {
	sum := int(m.p.Virtual(i+1, round))
	for _, c := range m.h.Field[i].Cells[:round-1] {
		sum += int(c.Points)
	}
	return sum
}

// late reports whether the round is the last or the last but one.
func (m *model) late() bool { return m.h.Round >= m.h.Rounds-1 }

func (m *model) legal(i, j int) bool {
	for _, c := range m.h.Field[i].Cells {
		met := c.Kind == tournament.Played || m.p.Readings.ForfeitMet && c.Kind != tournament.Unpaired
		if met && len(c.Opponents) > 0 && c.Opponents[0] == j+1 {
			return false
		}
	}
	for _, group := range m.h.Bans {
		if slices.Contains(group, i+1) && slices.Contains(group, j+1) {
			return false
		}
	}
	return true
}

// canPair reports whether a set has a complete legal pairing.
func (m *model) canPair(set uint) bool {
	if known, ok := m.able[set]; ok {
		return known
	}
	i := bits.TrailingZeros(set)
	able := false
	for j := i + 1; j < len(m.h.Field) && !able; j++ {
		if set&(1<<j) != 0 && m.legal(i, j) {
			able = m.canPair(set &^ (1<<i | 1<<j))
		}
	}
	m.able[set] = able
	return able
}

// members returns the indices of a set, ascending.
func members(set uint) (out []int) {
	for ; set != 0; set &= set - 1 {
		out = append(out, bits.TrailingZeros(set))
	}
	return out
}

// round returns the pairs, as numbers with the smaller first, and the number with the bye; false if there is none.
func (m *model) round() (pairs [][2]int, bye int, ok bool) {
	var all uint
	for i, e := range m.h.Field {
		if e.Away == tournament.NoBye {
			all |= 1 << i
		}
	}
	if bits.OnesCount(all)%2 == 1 {
		bye = m.bye(all)
		if bye == 0 {
			return nil, 0, false
		}
		all &^= 1 << (bye - 1)
	}
	if !m.canPair(all) {
		return nil, 0, false
	}
	for all != 0 {
		top := m.withScore(all, m.highest(all))
		u := m.upfloaters(top, all&^top)
		for _, pair := range m.best(top, u) {
			pairs = append(pairs, [2]int{pair[0] + 1, pair[1] + 1})
		}
		all &^= top | u
	}
	return pairs, bye, true
}

func (m *model) bye(all uint) int {
	candidates := members(all)
	played := func(i int) (n int) {
		for _, c := range m.h.Field[i].Cells {
			if c.Kind == tournament.Played {
				n++
			}
		}
		return n
	}
	slices.SortFunc(candidates, func(i, j int) int {
		return cmp.Or(m.score[i]-m.score[j], played(j)-played(i), j-i)
	})
	for _, i := range candidates {
		barred := slices.ContainsFunc(m.h.Field[i].Cells, func(c tournament.Cell) bool {
			return c.Kind == tournament.ForfeitWin || c.Bye == tournament.PairingAllocated || c.Bye == tournament.FullPoint
		})
		if !barred && m.canPair(all&^(1<<i)) {
			return i + 1
		}
	}
	return 0
}

func (m *model) highest(set uint) int {
	most := -1
	for _, i := range members(set) {
		most = max(most, m.score[i])
	}
	return most
}

func (m *model) withScore(set uint, score int) (out uint) {
	for _, i := range members(set) {
		if m.score[i] == score {
			out |= 1 << i
		}
	}
	return out
}

// upfloaters returns the best set of the lower teams by 3.5, the criteria compared in turn.
func (m *model) upfloaters(top, lower uint) uint {
	best, bestKey := uint(0), []int(nil)
	for u := lower; ; u = (u - 1) & lower {
		if m.canPair(top|u) && m.canPair(lower&^u) {
			if key := m.setKey(top, lower, u); bestKey == nil || slices.Compare(key, bestKey) < 0 {
				best, bestKey = u, key
			}
		}
		if u == 0 {
			return best
		}
	}
}

// setKey returns a set's values of C4 to C7 and its order: the lower, the better.
func (m *model) setKey(top, lower, u uint) []int {
	list := members(u)
	key := []int{len(list)}
	var scores []int
	for _, i := range list {
		scores = append(scores, -m.score[i])
	}
	slices.Sort(scores)
	slices.Reverse(scores) // the lowest score first, negated
	key = append(key, scores...)
	key = append(key, m.c6(lower, u))
	c7 := 0
	for _, i := range list {
		if m.floated[i] && !m.late() {
			c7++
		}
	}
	key = append(key, c7)
	slices.SortFunc(list, func(i, j int) int { return cmp.Or(m.score[j]-m.score[i], i-j) })
	return append(key, list...)
}

func (m *model) c6(lower, u uint) int {
	if lower == 0 {
		return 0
	}
	left := lower &^ u
	f := m.withScore(left, m.highest(lower))
	if f == 0 {
		return 0
	}
	below, least := left&^f, 99
	for w := below; ; w = (w - 1) & below {
		if m.canPair(f|w) && m.canPair(below&^w) {
			least = min(least, bits.OnesCount(w))
		}
		if w == 0 {
			break
		}
	}
	if m.p.Readings.C6Graded {
		return least
	}
	if least == bits.OnesCount(f)%2 {
		return 0
	}
	return 1
}

// best returns the best pairing of a bracket by 3.6, as indices with the smaller first.
func (m *model) best(top, u uint) (best [][2]int) {
	var bestKey []int
	m.each(top|u, nil, func(pairs [][2]int) {
		if key := m.pairsKey(pairs, top, u); bestKey == nil || slices.Compare(key, bestKey) < 0 {
			best, bestKey = slices.Clone(pairs), key
		}
	})
	return best
}

func (m *model) each(set uint, pairs [][2]int, do func([][2]int)) {
	if set == 0 {
		do(pairs)
		return
	}
	i := bits.TrailingZeros(set)
	for _, j := range members(set &^ (1 << i)) {
		if m.legal(i, j) {
			m.each(set&^(1<<i|1<<j), append(pairs, [2]int{i, j}), do)
		}
	}
}

// seat returns the place of an index in the order of a bracket.
func (m *model) seat(i int) int {
	if m.p.Readings.SeatByScore {
		return -m.score[i]*100 + i
	}
	return i
}

// pairsKey returns C8 to C10 and the identifier of a bracket's pairing.
func (m *model) pairsKey(pairs [][2]int, top, u uint) []int {
	c8, c9, c10 := 0, 0, 0
	var tops [][2]int
	for _, pair := range pairs {
		a, b := m.preference(pair[0]), m.preference(pair[1])
		if a.colour == b.colour && a.colour != 0 {
			c8++
			if m.p.Preference == teamswiss.TypeB && a.strong && b.strong {
				c9++
			}
		}
		for _, x := range [][2]int{pair, {pair[1], pair[0]}} {
			if u&(1<<x[0]) != 0 && top&(1<<x[1]) != 0 && m.floated[x[1]] && !m.late() {
				c10++
			}
		}
		if m.seat(pair[0]) > m.seat(pair[1]) {
			pair[0], pair[1] = pair[1], pair[0]
		}
		tops = append(tops, [2]int{m.seat(pair[0]), m.seat(pair[1])})
	}
	slices.SortFunc(tops, func(a, b [2]int) int { return a[0] - b[0] })
	key := []int{c8, c9, c10}
	for _, t := range tops {
		key = append(key, t[0])
	}
	for _, t := range tops {
		key = append(key, t[1])
	}
	return key
}
