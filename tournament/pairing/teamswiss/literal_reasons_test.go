package teamswiss_test

import (
	"cmp"
	"math/bits"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/teamswiss"
)

// passedOver returns, by the score of each bracket with upfloaters, the first team in order that is not in it, and the
// first criterion that makes every set with it worse.
func (m *model) passedOver() map[int]teamswiss.PassedOver {
	out := make(map[int]teamswiss.PassedOver)
	var all uint
	for i, e := range m.h.Field {
		if e.Away == tournament.NoBye {
			all |= 1 << i
		}
	}
	if bits.OnesCount(all)%2 == 1 {
		all &^= 1 << (m.bye(all) - 1)
	}
	for all != 0 {
		top := m.withScore(all, m.highest(all))
		lower := all &^ top
		u := m.upfloaters(top, lower)
		rest := members(lower &^ u)
		slices.SortFunc(rest, func(i, j int) int { return cmp.Or(m.score[j]-m.score[i], i-j) })
		if u != 0 && len(rest) > 0 {
			out[m.highest(all)] = teamswiss.PassedOver{
				Number: rest[0] + 1, Because: teamswiss.Because{Criterion: m.whyNot(top, lower, u, rest[0])},
			}
		}
		all &^= top | u
	}
	return out
}

// whyNot returns the first criterion that makes the best set with a team, paired with the top, worse than u.
func (m *model) whyNot(top, lower, u uint, with int) teamswiss.Criterion {
	best, bestKey := m.setKey(top, lower, u), []int(nil)
	for set := lower; set != 0; set = (set - 1) & lower {
		if set&(1<<with) != 0 && m.pairsAcross(top, set) && m.canPair(lower&^set) {
			if key := m.setKey(top, lower, set); bestKey == nil || slices.Compare(key, bestKey) < 0 {
				bestKey = key
			}
		}
	}
	if bestKey == nil {
		return teamswiss.C3
	}
	return differs(best, bestKey)
}

// differs returns the first criterion with different keys in two sets of upfloaters.
func differs(best, bestKey []int) teamswiss.Criterion {
	if bestKey[0] != best[0] {
		return teamswiss.C4
	}
	for i := range best {
		switch {
		case best[i] == bestKey[i]:
		case i <= best[0]:
			return teamswiss.C5
		case i == best[0]+1:
			return teamswiss.C6
		case i == best[0]+2:
			return teamswiss.C7
		default:
			return teamswiss.Order
		}
	}
	return 0
}

// pairsAcross reports whether a top and upfloaters have a legal pairing without a pair of upfloaters.
func (m *model) pairsAcross(top, u uint) bool {
	found := false
	m.each(top|u, nil, func(pairs [][2]int) {
		across := true
		for _, pair := range pairs {
			across = across && (u&(1<<pair[0]) == 0 || u&(1<<pair[1]) == 0)
		}
		found = found || across
	})
	return found
}

// departure compares a given legal round with the model's and returns the criterion that makes the first different
// choice worse; mates and bye are numbers. It returns 0 for the model's own round.
func (m *model) departure(mates map[int]int, bye int) teamswiss.Criterion {
	var all uint
	for i, e := range m.h.Field {
		if e.Away == tournament.NoBye {
			all |= 1 << i
		}
	}
	if bye > 0 {
		if right := m.bye(all); right != bye {
			return m.wrongBye(all, right-1, bye-1)
		}
		all &^= 1 << (bye - 1)
	}
	for all != 0 {
		top := m.withScore(all, m.highest(all))
		lower := all &^ top
		u, given := m.upfloaters(top, lower), uint(0)
		for _, i := range members(top) {
			given |= 1 << (mates[i+1] - 1) &^ top
		}
		switch {
		case given != u && !(m.pairsAcross(top, given) && m.canPair(lower&^given)):
			return teamswiss.C3
		case given != u:
			return differs(m.setKey(top, lower, u), m.setKey(top, lower, given))
		}
		if c := m.wrongPair(top, u, mates); c != 0 {
			return c
		}
		all &^= top | u
	}
	return 0
}

// wrongBye returns why the team at an index has no bye, and another has it.
func (m *model) wrongBye(all uint, right, wrong int) teamswiss.Criterion {
	played, barred := [2]int{}, false
	for k, i := range []int{right, wrong} {
		for _, c := range m.h.Field[i].Cells {
			if c.Kind == tournament.Played {
				played[k]++
			}
			barred = barred || i == wrong && (c.Kind == tournament.ForfeitWin || c.Bye == tournament.PairingAllocated ||
				c.Bye == tournament.FullPoint)
		}
	}
	switch {
	case barred:
		return teamswiss.C2
	case !m.canPair(all &^ (1 << wrong)):
		return teamswiss.C3
	case m.score[wrong] != m.score[right]:
		return teamswiss.ByeScore
	case played[0] != played[1]:
		return teamswiss.ByePlays
	}
	return teamswiss.ByeOrder
}

// wrongPair returns the criterion that makes the first given pair in order that a bracket does not have worse, the
// pairs before it being the same.
func (m *model) wrongPair(top, u uint, mates map[int]int) teamswiss.Criterion {
	best := m.best(top, u)
	bestKey := m.pairsKey(best, top, u)
	for k := range best {
		if m.seat(best[k][0]) > m.seat(best[k][1]) {
			best[k][0], best[k][1] = best[k][1], best[k][0]
		}
	}
	slices.SortFunc(best, func(a, b [2]int) int { return m.seat(a[0]) - m.seat(b[0]) })
	at := slices.IndexFunc(best, func(pair [2]int) bool { return mates[pair[0]+1] != pair[1]+1 })
	if at < 0 {
		return 0
	}
	want := append(slices.Clone(best[:at]), [2]int{best[at][0], mates[best[at][0]+1] - 1})
	var key []int
	m.each(top|u, nil, func(pairs [][2]int) {
		for _, pair := range want {
			if !slices.Contains(pairs, pair) && !slices.Contains(pairs, [2]int{pair[1], pair[0]}) {
				return
			}
		}
		if one := m.pairsKey(pairs, top, u); key == nil || slices.Compare(one, key) < 0 {
			key = one
		}
	})
	for i, c := range []teamswiss.Criterion{teamswiss.C8, teamswiss.C9, teamswiss.C10} {
		if key != nil && key[i] != bestKey[i] {
			return c
		}
	}
	if key == nil {
		return teamswiss.Inside
	}
	return teamswiss.Order
}
