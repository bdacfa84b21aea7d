package quiwin

import "quatuor/engine"

// Perft returns the number of move sequences of exactly depth plies. Where both seats choose in secret, each pair
// of choices leads to the same state in both orders of arrival, so it is followed once and counted twice.
func (s state) Perft(depth int) uint64 { return s.full.count(depth) }

func (f *full) count(depth int) uint64 {
	if f.end != nil {
		return 0
	}
	var choices [seats][]token
	for _, seat := range bothSeats {
		if f.awaits(seat) {
			choices[seat-1] = f.choices(seat)
		}
	}
	one, two := choices[0], choices[1]
	switch {
	case depth == 1:
		return uint64(len(one) + len(two))
	case len(two) == 0:
		return f.countAfter(1, one, depth-1)
	case len(one) == 0:
		return f.countAfter(2, two, depth-1)
	case depth == 2:
		return uint64(2 * len(one) * len(two))
	}
	var total uint64
	for _, t := range one {
		next := *f
		next.take(1, t)
		total += 2 * next.countAfter(2, two, depth-2)
	}
	return total
}

// countAfter returns the number of sequences that go on from each choice of a seat.
func (f *full) countAfter(seat engine.Seat, choices []token, depth int) uint64 {
	var total uint64
	for _, t := range choices {
		next := *f
		next.take(seat, t)
		total += next.count(depth)
	}
	return total
}
