package main

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// ladderModel is a ladder by the words of the regulation, which shares nothing with the program.
type ladderModel struct {
	reach               int
	accept, play, again int64 // seconds
	order               []string
	open                []*modelChallenge
	lockedUntil         map[string]int64
	metUntil            map[[2]string]int64
	log                 []ladderEnd
}

type modelChallenge struct {
	id, from, to string
	accepted     bool
	deadline     int64
}

func newLadderModel(reach int, accept, play, again int64) *ladderModel {
	const day = 86400
	return &ladderModel{
		reach: reach, accept: accept * day, play: play * day, again: again * day, lockedUntil: map[string]int64{},
		metUntil: map[[2]string]int64{},
	}
}

func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// may reports whether a member may challenge another.
func (m *ladderModel) may(at int64, from, to string) bool {
	a, b := slices.Index(m.order, from), slices.Index(m.order, to)
	if a < 0 || b < 0 || b >= a || a-b > m.reach {
		return false
	}
	for _, c := range m.open {
		if slices.Contains([]string{c.from, c.to}, from) || slices.Contains([]string{c.from, c.to}, to) {
			return false
		}
	}
	return at >= m.lockedUntil[from] && at >= m.metUntil[pairOf(from, to)]
}

// event carries out an event, after all deadlines that have come by then.
func (m *ladderModel) event(e ladderEvent) {
	m.settle(e.At)
	switch e.Type {
	case "join":
		m.order = append(m.order, e.Player)
		return
	case "leave":
		for _, c := range slices.Clone(m.open) {
			if c.from == e.Player || c.to == e.Player {
				m.end(c, e.At, "left") // the order of this entry has the player still
			}
		}
		m.order = slices.DeleteFunc(m.order, func(p string) bool { return p == e.Player })
		return
	case "challenge":
		m.open = append(m.open, &modelChallenge{e.ID, e.From, e.To, false, e.At + m.accept})
		return
	}
	i := slices.IndexFunc(m.open, func(c *modelChallenge) bool { return c.id == e.ID })
	if i < 0 || m.open[i].accepted != (e.Type == "result") {
		return // too late, or not in the state for it
	}
	switch c := m.open[i]; e.Type {
	case "accept":
		c.accepted, c.deadline = true, e.At+m.play
	case "decline":
		m.end(c, e.At, "declined")
	case "result":
		m.end(c, e.At, map[float64]string{1: "won", 0.5: "drawn", 0: "lost"}[*e.Score])
	}
}

// settle ends the challenges that are past their deadlines.
func (m *ladderModel) settle(at int64) {
	for {
		var first *modelChallenge
		for _, c := range m.open {
			if first == nil || cmp.Or(cmp.Compare(c.deadline, first.deadline), cmp.Compare(c.id, first.id)) < 0 {
				first = c
			}
		}
		if first == nil || first.deadline > at {
			return
		}
		m.end(first, first.deadline, map[bool]string{false: "no_answer", true: "not_played"}[first.accepted])
	}
}

// end ends a challenge.
func (m *ladderModel) end(c *modelChallenge, at int64, how string) {
	m.open = slices.DeleteFunc(m.open, func(o *modelChallenge) bool { return o == c })
	m.metUntil[pairOf(c.from, c.to)] = at + m.again
	if how == "not_played" {
		m.lockedUntil[c.from] = at + m.play
	}
	a, b := slices.Index(m.order, c.from), slices.Index(m.order, c.to)
	if slices.Contains([]string{"won", "declined", "no_answer"}, how) && b < a {
		m.order = slices.Insert(slices.Delete(m.order, a, a+1), b, c.from)
	}
	m.log = append(m.log, ladderEnd{at, c.id, how, slices.Clone(m.order)})
}

// prixModel returns all points by the words of the regulation, and shares nothing with the program.
func prixModel(events []prixEvent, best int) map[string]string {
	each := map[string][]*big.Rat{}
	for _, e := range events {
		factor, _ := new(big.Rat).SetString(e.Factor)
		place := 0
		for _, group := range e.Ranking {
			sum := new(big.Rat)
			for range group {
				if table := []int64{25, 18, 15, 12, 10, 8, 6, 4, 2, 1}; place < len(table) {
					sum.Add(sum, big.NewRat(table[place], 1))
				}
				place++
			}
			sum.Mul(sum, factor).Quo(sum, big.NewRat(int64(len(group)), 1))
			for _, player := range group {
				each[player] = append(each[player], sum)
			}
		}
	}
	out := map[string]string{}
	for player, results := range each {
		slices.SortFunc(results, func(a, b *big.Rat) int { return b.Cmp(a) })
		if best > 0 {
			results = results[:min(best, len(results))]
		}
		total := new(big.Rat)
		for _, r := range results {
			total.Add(total, r)
		}
		out[player] = hundredths(total)
	}
	return out
}

// hundredths shows a sum with two decimals, half up, without zeros at the end.
func hundredths(r *big.Rat) string {
	n := new(big.Rat).Add(new(big.Rat).Mul(r, big.NewRat(100, 1)), big.NewRat(1, 2))
	whole := new(big.Int).Div(n.Num(), n.Denom()).Int64()
	text := fmt.Sprintf("%d.%02d", whole/100, whole%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
