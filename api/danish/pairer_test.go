package danish_test

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// pairer pairs the first with the second of the standings, the third with the fourth and so on. In an odd field the last
// without a bye so far has one.
type pairer struct{}

var _ pairing.Reviewer = pairer{}

// Rounds returns the planned number of rounds.
func (pairer) Rounds(_, planned int) (int, error) {
	if planned < 1 {
		return 0, tournament.NotValid("write a number of rounds")
	}
	return planned, nil
}

// Pair returns the round.
func (pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	var out []tournament.Pairing
	add := func(bye tournament.Bye, numbers ...int) {
		out = append(out, h.Pairing(len(out)+1, bye, numbers...))
	}
	order, bye := ranking(h), 0
	if len(order)%2 == 1 {
		for _, n := range slices.Backward(order) {
			if bye == 0 && !slices.ContainsFunc(h.Field[n-1].Cells, h.BarsBye) {
				bye = n
			}
		}
		bye = cmp.Or(bye, order[len(order)-1])
		order = slices.DeleteFunc(order, func(n int) bool { return n == bye })
	}
	for pair := range slices.Chunk(order, 2) {
		if whites(h, pair[0]) > whites(h, pair[1]) {
			slices.Reverse(pair)
		}
		add(tournament.NoBye, pair...)
	}
	if bye > 0 {
		add(tournament.PairingAllocated, bye)
	}
	for i, e := range h.Field {
		if e.Away != tournament.NoBye {
			add(e.Away, i+1)
		}
	}
	return out, nil
}

// ranking returns the numbers of the entries that are there, by points.
func ranking(h pairing.History) (order []int) {
	for i, e := range h.Field {
		if e.Away == tournament.NoBye {
			order = append(order, i+1)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.Field[b-1].Score(), h.Field[a-1].Score()) })
	return order
}

// whites returns how often an entry had White more than Black.
func whites(h pairing.History, number int) (n int) {
	for _, c := range h.Field[number-1].Colours() {
		if c == pairing.White {
			n++
		} else {
			n--
		}
	}
	return n
}

// Review returns no warnings: entries may meet again.
func (pairer) Review(pairing.History, []tournament.Pairing, []tournament.Entry) []pairing.Warning {
	return nil
}
